import type { SecurityScheme } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { AuthenticationScheme, type AuthenticationRequest } from './authentication-scheme.js';
import { cookieOf, headerOf, queryParameterOf } from './credentials.js';
import { refusedCredentials } from './refused-credentials.js';
import { checkCookieSecret, checkSecret, checkToken, schemeFault, type SchemeOptions } from './scheme-options.js';
import { secretsOf, type SecretOfUser } from './user-secrets.js';
import type { SecretTable } from './secret-table.js';

/**
 * Where an API key is sent.
 *
 * @publicApi
 */
export type ApiKeyLocation = 'header' | 'query' | 'cookie';

/**
 * How {@link ApiKeyScheme} checks.
 *
 * @publicApi
 */
export interface ApiKeySchemeOptions extends SchemeOptions {
  /** The key that all callers share, or one for each; several keys may stand for one user. */
  readonly keys: string | readonly SecretOfUser[];
  /** Default `header`. A query gets into the logs of proxies: prefer a header. */
  readonly location?: ApiKeyLocation;
  /** Name of the header, parameter or cookie. Default `X-API-Key` in a header, else `api_key`. */
  readonly parameter?: string;
}

const READERS = { header: headerOf, query: queryParameterOf, cookie: cookieOf };

/**
 * API keys in a header, a query parameter or a cookie; `apiKey` in the card unless named otherwise.
 *
 * @see A2A 1.0, section 4.5.2
 * @publicApi
 */
export class ApiKeyScheme extends AuthenticationScheme {
  override readonly name: string;
  override readonly definition: SecurityScheme;
  private readonly users: SecretTable<A2AUser>;
  private readonly location: ApiKeyLocation;
  private readonly parameter: string;

  /** @throws A2AConfigurationError when a key is empty, cannot be sent, or is there twice */
  constructor({ name = 'apiKey', description, obtainAt, keys, location = 'header', parameter }: ApiKeySchemeOptions) {
    super(obtainAt);
    if (!Object.hasOwn(READERS, location)) throw schemeFault(name, 'location is header, query or cookie');
    this.name = name;
    this.location = location;
    this.parameter = checkToken(name, parameter ?? (location === 'header' ? 'X-API-Key' : 'api_key'));
    this.users = secretsOf(name, keys, location === 'cookie' ? checkCookieSecret : checkSecret);
    this.definition = {
      apiKeySecurityScheme: { ...(description !== undefined && { description }), location, name: this.parameter },
    };
  }

  override authenticate(request: AuthenticationRequest): A2AUser | undefined {
    const key = READERS[this.location](request, this.parameter);
    if (key === undefined) return undefined;
    const user = this.users.find(key);
    if (user === undefined) throw refusedCredentials('unknown key', this.challenge());
    return user;
  }
}
