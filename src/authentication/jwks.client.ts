import type { JWTVerifyGetKey } from 'jose';
import { AddressPolicy, SafeHttpClient, type AddressPolicyOptions } from 'nestjs-a2a/net';
import { parseJson } from 'nestjs-a2a/protocol';
import { keySetOf } from './jwt-keys.js';

// Callers wait for it.
const FETCH_TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Where the keys are: at an address, or where the discovery document of one of the issuers says. */
export type JwksPlace =
  { readonly jwksUrl: string } | { readonly openIdConnectUrl: string; readonly issuers: readonly string[] };

/** Fetches the keys of an issuer over HTTP that cannot be turned inward. */
export class JwksClient {
  private readonly policy: AddressPolicy;
  // Made when it is needed: an app that is closed and started again uses the same scheme.
  private client: SafeHttpClient | undefined;
  private discovered: string | undefined;

  /** @throws TypeError when the network options are wrong */
  constructor(
    private readonly place: JwksPlace,
    network: AddressPolicyOptions | undefined,
    private readonly timeoutMs = FETCH_TIMEOUT_MS,
  ) {
    this.policy = new AddressPolicy(network);
  }

  /** @throws ForbiddenTargetError, TypeError when the address can never be reached */
  check(): void {
    this.policy.checkUrl(new URL('jwksUrl' in this.place ? this.place.jwksUrl : this.place.openIdConnectUrl));
  }

  /** @throws Error whose message has no secret */
  async fetch(): Promise<JWTVerifyGetKey> {
    const url = 'jwksUrl' in this.place ? this.place.jwksUrl : (this.discovered ?? (await this.discover(this.place)));
    try {
      return keySetOf(await this.get(url));
    } catch (error) {
      this.discovered = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.close();
  }

  private async discover({ openIdConnectUrl, issuers }: Extract<JwksPlace, { issuers: unknown }>): Promise<string> {
    const document = await this.get(openIdConnectUrl);
    const fields = typeof document === 'object' && document !== null ? document : {};
    const issuer: unknown = 'issuer' in fields ? fields.issuer : undefined;
    if (typeof issuer !== 'string' || !issuers.includes(issuer)) {
      throw new Error('The discovery document is that of another issuer');
    }
    const url: unknown = 'jwks_uri' in fields ? fields.jwks_uri : undefined;
    if (typeof url !== 'string') throw new Error('The discovery document has no jwks_uri');
    return (this.discovered = url);
  }

  private async get(url: string): Promise<unknown> {
    this.client ??= new SafeHttpClient({
      policy: this.policy,
      connectTimeoutMs: this.timeoutMs,
      headersTimeoutMs: this.timeoutMs,
      totalTimeoutMs: this.timeoutMs,
      maxAnswerBytes: MAX_BYTES,
      maxConnectionsPerOrigin: 1,
    });
    const { status, body } = await this.client.request(url, { headers: { accept: 'application/json' } });
    if (status !== 200) throw new Error(`The answer has status ${status}`);
    return parseJson(body.toString('utf8'));
  }
}
