import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { Credential } from './credential.js';
import type { RequestCredentials } from './credential-source.js';
import { invalid } from './secrets.js';

/**
 * A user name and a password, in UTF-8.
 *
 * @see RFC 7617
 * @publicApi
 */
export class BasicCredential extends Credential {
  readonly kind = 'user name and password';
  readonly #authorization: string;

  /** @throws A2AClientError `CREDENTIAL_INVALID` */
  constructor(username: string, password: string) {
    super();
    if (username.includes(':')) throw invalid('The user name has a colon, which Basic cannot tell from the password');
    if (/\p{Cc}/u.test(username + password)) throw invalid('The user name or the password has control characters');
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  fits(scheme: SecurityScheme): boolean {
    return 'httpAuthSecurityScheme' in scheme && scheme.httpAuthSecurityScheme.scheme.toLowerCase() === 'basic';
  }

  headersFor(): RequestCredentials {
    return { headers: { authorization: this.#authorization } };
  }
}
