import type { SecurityScheme } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { AuthenticationScheme, type AuthenticationRequest } from './authentication-scheme.js';
import { bearerChallenge } from './challenge.js';
import { authorizationOf } from './credentials.js';
import { refusedCredentials } from './refused-credentials.js';
import { schemeFault, type SchemeOptions } from './scheme-options.js';
import { secretsOf, type SecretOfUser } from './user-secrets.js';
import type { SecretTable } from './secret-table.js';

/**
 * Says whose token it is; `undefined` refuses it.
 *
 * @publicApi
 */
export type TokenVerifier = (token: string) => A2AUser | undefined | Promise<A2AUser | undefined>;

/**
 * How {@link BearerScheme} checks: by secrets, by a function, or by both.
 *
 * @publicApi
 */
export interface BearerSchemeOptions extends SchemeOptions {
  /** The secret that all callers share, or one for each; several may stand for one user. */
  readonly secrets?: string | readonly SecretOfUser[];
  /** Asked about tokens that are none of the secrets: looks them up, or introspects them. */
  readonly verify?: TokenVerifier;
  /** In the card: a hint on the form of the token. */
  readonly bearerFormat?: string;
}

/** RFC 6750, section 2.1. Secrets of one's own need not be like it, tokens that others make are. */
const TOKEN = /^[A-Za-z0-9\-._~+/:]+=*$/;

/**
 * `Authorization: Bearer …`; `bearer` in the card unless named otherwise. For signed tokens see `JwtScheme`.
 *
 * @see RFC 6750
 * @publicApi
 */
export class BearerScheme extends AuthenticationScheme {
  override readonly name: string;
  override readonly definition: SecurityScheme;
  private readonly users: SecretTable<A2AUser> | undefined;
  private readonly verify: TokenVerifier | undefined;

  /** @throws A2AConfigurationError when a secret is empty, cannot be sent, or is there twice */
  constructor({ name = 'bearer', description, obtainAt, secrets, verify, bearerFormat }: BearerSchemeOptions) {
    super(obtainAt);
    if (secrets === undefined && verify === undefined) {
      throw schemeFault(name, 'has neither secrets nor verify: is the variable set that the secret comes from?');
    }
    this.name = name;
    this.users = secrets === undefined ? undefined : secretsOf(name, secrets);
    this.verify = verify;
    this.definition = {
      httpAuthSecurityScheme: {
        ...(description !== undefined && { description }),
        scheme: 'Bearer',
        ...(bearerFormat !== undefined && { bearerFormat }),
      },
    };
  }

  override async authenticate(request: AuthenticationRequest): Promise<A2AUser | undefined> {
    const token = authorizationOf(request, 'bearer');
    if (token === undefined) return undefined;
    const user = this.users?.find(token) ?? (TOKEN.test(token) ? await this.verify?.(token) : undefined);
    // `null` comes from many a look-up.
    if (!user) throw refusedCredentials('unknown token', bearerChallenge('invalid_token'));
    return user;
  }
}
