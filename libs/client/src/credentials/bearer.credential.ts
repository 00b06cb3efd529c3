import { abortable } from 'nestjs-a2a/net';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import { Credential, type CredentialRequest } from './credential.js';
import type { RequestCredentials } from './credential-source.js';
import { checkSecret } from './secrets.js';

/**
 * What a token is wanted for.
 *
 * @publicApi
 */
export interface TokenRequest {
  /** A token that was refused since the last call: give another one, or the request fails. */
  readonly rejected?: string;
  /** That the card asks for. */
  readonly scopes: readonly string[];
  /** Of what the user named. */
  readonly origin: string;
  /** Of the call that waits. */
  readonly signal?: AbortSignal;
}

/**
 * Gives a token. Called before every request, so it should keep what it has as long as that is good.
 *
 * @publicApi
 */
export type TokenProvider = (request: TokenRequest) => string | Promise<string>;

const PREFIX = 'Bearer ';

/**
 * A bearer token, for cards that ask for HTTP bearer, OAuth 2.0 or OpenID Connect.
 *
 * @see RFC 6750
 * @publicApi
 */
export class BearerCredential extends Credential {
  readonly kind = 'bearer token';
  readonly #token: string | TokenProvider;
  #rejected: string | undefined;

  /**
   * @param token the token, or a function that gives it
   * @throws A2AClientError `CREDENTIAL_INVALID`
   */
  constructor(token: string | TokenProvider) {
    super();
    this.#token = typeof token === 'function' ? token : checkSecret('The bearer token', token);
  }

  fits(scheme: SecurityScheme): boolean {
    if ('oauth2SecurityScheme' in scheme || 'openIdConnectSecurityScheme' in scheme) return true;
    return 'httpAuthSecurityScheme' in scheme && scheme.httpAuthSecurityScheme.scheme.toLowerCase() === 'bearer';
  }

  async headersFor(request: CredentialRequest): Promise<RequestCredentials> {
    const token = typeof this.#token === 'string' ? this.#token : await this.provided(this.#token, request);
    return { headers: { authorization: `${PREFIX}${token}` } };
  }

  override rejected({ headers }: RequestCredentials): boolean {
    if (typeof this.#token === 'string') return false;
    this.#rejected = headers['authorization']?.slice(PREFIX.length);
    return true;
  }

  private async provided(provider: TokenProvider, { scopes, origin, signal }: CredentialRequest): Promise<string> {
    const rejected = this.#rejected;
    this.#rejected = undefined;
    const request: TokenRequest = { scopes, origin, signal, ...(rejected !== undefined && { rejected }) };
    try {
      return checkSecret('The token of the provider', await abortable(given(provider, request), signal));
    } catch (cause) {
      signal?.throwIfAborted();
      throw new A2AClientError('CREDENTIAL_FAILED', 'The provider of the bearer token failed', { cause });
    }
  }
}

// A function that throws at once is one that rejects.
async function given(provider: TokenProvider, request: TokenRequest): Promise<string> {
  return provider(request);
}
