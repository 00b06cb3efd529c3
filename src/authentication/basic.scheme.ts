import { isUtf8 } from 'node:buffer';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { AuthenticationScheme, type AuthenticationRequest } from './authentication-scheme.js';
import { authorizationOf } from './credentials.js';
import { refusedCredentials } from './refused-credentials.js';
import { checkScopes, checkUser, schemeFault, type SchemeOptions } from './scheme-options.js';
import { SecretTable } from './secret-table.js';

/**
 * Says who has this name and password; `undefined` refuses them.
 *
 * @publicApi
 */
export type PasswordVerifier = (name: string, password: string) => A2AUser | undefined | Promise<A2AUser | undefined>;

/**
 * One who may call, by name and password. The name has no colon.
 *
 * @publicApi
 */
export interface BasicUser {
  readonly user: string;
  readonly password: string;
  /** What the caller is granted, where the card's requirements name scopes. */
  readonly scopes?: readonly string[];
}

/**
 * How {@link BasicScheme} checks: by a list, by a function, or by both.
 *
 * @publicApi
 */
export interface BasicSchemeOptions extends SchemeOptions {
  readonly users?: readonly BasicUser[];
  /** Asked about names and passwords that are not in the list. Compare hashes made for passwords, such as scrypt. */
  readonly verify?: PasswordVerifier;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
// RFC 7617, section 2: the first colon parts them, and neither has control characters.
const PAIR = /^[^:\p{Cc}]*:\P{Cc}*$/u;

/**
 * `Authorization: Basic …`, in UTF-8; `basic` in the card unless named otherwise.
 *
 * @see RFC 7617
 * @publicApi
 */
export class BasicScheme extends AuthenticationScheme {
  override readonly name: string;
  override readonly definition: SecurityScheme;
  private readonly users = new SecretTable<A2AUser>();
  private readonly verify: PasswordVerifier | undefined;

  /** @throws A2AConfigurationError when a name or password cannot be used, or is there twice */
  constructor({ name = 'basic', description, obtainAt, users = [], verify }: BasicSchemeOptions) {
    super(obtainAt);
    if (users.length === 0 && verify === undefined) throw schemeFault(name, 'has neither users nor verify');
    this.name = name;
    for (const { user, password, scopes } of users) this.add(checkUser(name, user), password, scopes);
    this.verify = verify;
    this.definition = {
      httpAuthSecurityScheme: { ...(description !== undefined && { description }), scheme: 'Basic' },
    };
  }

  override async authenticate(request: AuthenticationRequest): Promise<A2AUser | undefined> {
    const encoded = authorizationOf(request, 'basic');
    if (encoded === undefined) return undefined;
    const pair = pairOf(encoded);
    const user = pair === undefined ? undefined : (this.users.find(pair) ?? (await this.verified(pair)));
    // `null` comes from many a look-up.
    if (!user) throw refusedCredentials('unknown name or password', this.challenge());
    return user;
  }

  private async verified(pair: string): Promise<A2AUser | undefined> {
    const colon = pair.indexOf(':');
    return this.verify?.(pair.slice(0, colon), pair.slice(colon + 1));
  }

  private add(user: string, password: unknown, scopes: readonly string[] | undefined): void {
    if (typeof password !== 'string' || password === '') {
      throw schemeFault(this.name, 'a password is empty: is the variable set that it comes from?');
    }
    if (user.includes(':')) throw schemeFault(this.name, 'the name of a user has a colon, which Basic cannot send');
    if (!PAIR.test(`${user}:${password}`)) {
      throw schemeFault(this.name, 'a name or a password has control characters, which Basic cannot send');
    }
    const known = { id: user, authenticated: true, ...(checkScopes(this.name, scopes) && { scopes: [...scopes] }) };
    const isNew = this.users.add(`${user}:${password}`, Object.freeze(known));
    if (!isNew) throw schemeFault(this.name, 'has a name and password twice');
  }
}

/** Name and password with their colon; `undefined` when there is no such pair in it. */
function pairOf(encoded: string): string | undefined {
  const bytes = Buffer.from(BASE64.test(encoded) ? encoded : '', 'base64');
  if (!isUtf8(bytes)) return undefined;
  const pair = bytes.toString('utf8');
  return PAIR.test(pair) ? pair : undefined;
}
