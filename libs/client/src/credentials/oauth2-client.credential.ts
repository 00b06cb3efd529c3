import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { checkNames, type NamesOf } from '../option-names.js';
import { SharedWork } from '../shared-work.js';
import { Credential, type CredentialRequest } from './credential.js';
import type { RequestCredentials } from './credential-source.js';
import type { OAuth2ClientCredentialsOptions } from './oauth2-options.js';
import { checkSecret, invalid } from './secrets.js';
import { cardEndpoints, type TokenEndpoint, TokenEndpoints } from './token-endpoint.js';
import { type IssuedToken, requestToken } from './token-request.js';

interface KeptToken {
  readonly token: string;
  readonly goodUntil: number;
}

/** For different scopes, and different agents. */
const MOST_TOKENS = 64;
const LEAST_LEFT_MS = 30_000;
const PREFIX = 'Bearer ';
const NAMES: NamesOf<OAuth2ClientCredentialsOptions> = {
  clientId: true,
  clientSecret: true,
  tokenUrl: true,
  issuer: true,
  metadataUrl: true,
  scopes: true,
  audience: true,
  resource: true,
  authMethod: true,
  tokenOrigins: true,
  now: true,
};

/**
 * OAuth 2.0 client credentials: fetches a token for the client itself, keeps it until shortly before its end, and fetches
 * another when it is refused.
 *
 * The secret goes to what `tokenUrl`, `issuer` or `metadataUrl` name. Without these the card says where, which must be on
 * the agent's own origin or in `tokenOrigins`.
 *
 * @see RFC 6749, section 4.4
 * @publicApi
 */
export class OAuth2ClientCredentials extends Credential {
  readonly kind = 'OAuth 2.0 client credentials';
  readonly #options: OAuth2ClientCredentialsOptions;
  readonly #endpoints: TokenEndpoints;
  // In order of use, the oldest first.
  readonly #tokens = new Map<string, KeptToken>();
  readonly #requests = new SharedWork<string>();
  readonly #now: () => number;

  /** @throws A2AClientError `CREDENTIAL_INVALID` */
  constructor(options: OAuth2ClientCredentialsOptions) {
    super();
    checkNames('OAuth2ClientCredentials', options, NAMES, 'CREDENTIAL_INVALID');
    checkSecret('The client id', options.clientId);
    checkSecret('The client secret', options.clientSecret);
    for (const name of ['tokenUrl', 'issuer', 'metadataUrl'] as const) {
      const url = options[name];
      if (url !== undefined && !URL.canParse(url)) throw invalid(`${name} is no absolute URL`);
    }
    this.#options = { ...options };
    this.#endpoints = new TokenEndpoints(this.#options);
    this.#now = options.now ?? (() => performance.now());
  }

  fits(scheme: SecurityScheme): boolean {
    const { tokenUrl, issuer, metadataUrl } = this.#options;
    const own = tokenUrl ?? issuer ?? metadataUrl;
    if ('httpAuthSecurityScheme' in scheme) {
      return own !== undefined && scheme.httpAuthSecurityScheme.scheme.toLowerCase() === 'bearer';
    }
    const isOAuth = 'oauth2SecurityScheme' in scheme || 'openIdConnectSecurityScheme' in scheme;
    const said = cardEndpoints(scheme);
    return isOAuth && (own ?? said.tokenUrl ?? said.metadataUrl) !== undefined;
  }

  async headersFor(request: CredentialRequest): Promise<RequestCredentials> {
    const endpoint = await this.#endpoints.find(request);
    const scopes = [...new Set(this.#options.scopes ?? request.scopes)].sort();
    const key = JSON.stringify([endpoint.url, scopes]);
    return { headers: { authorization: `${PREFIX}${await this.tokenFor(key, endpoint, scopes, request)}` } };
  }

  override rejected({ headers }: RequestCredentials): boolean {
    const refused = headers['authorization']?.slice(PREFIX.length);
    // Only this one: another request may have fetched a newer one already.
    for (const [key, { token }] of this.#tokens) if (token === refused) this.#tokens.delete(key);
    return true;
  }

  private async tokenFor(
    key: string,
    endpoint: TokenEndpoint,
    scopes: readonly string[],
    { http, signal }: CredentialRequest,
  ): Promise<string> {
    const kept = this.#tokens.get(key);
    if (kept && kept.goodUntil > this.#now()) return kept.token;
    const fetch = async (stop: AbortSignal): Promise<string> => {
      // From before the question: the token's time runs since then at the latest.
      const asked = this.#now();
      return this.keep(key, asked, await requestToken(http, endpoint, this.#options, scopes, stop));
    };
    return this.#requests.run(key, fetch, signal);
  }

  private keep(key: string, asked: number, { token, lifetimeMs }: IssuedToken): string {
    // Short ones would otherwise never be kept.
    const spare = lifetimeMs === undefined ? 0 : Math.min(LEAST_LEFT_MS, lifetimeMs / 10);
    this.#tokens.delete(key);
    this.#tokens.set(key, { token, goodUntil: asked + (lifetimeMs ?? Infinity) - spare });
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.#tokens.delete(oldest);
    return token;
  }
}
