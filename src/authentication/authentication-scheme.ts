import type { SecurityScheme } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { challengeFor } from './challenge.js';

/**
 * What a scheme may look at to find credentials.
 *
 * @publicApi
 */
export interface AuthenticationRequest {
  /**
   * Lower-cased names, values as Node gives them, but for an `authorization` that comes more than once: that is a list.
   * Credentials are in here, so never log it.
   */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Path and query, as sent. */
  readonly url: string;
  /** The host framework's request. */
  readonly request: object;
}

/**
 * One way in which callers prove who they are: it says so in the card, and checks requests. Extend it for a way of your
 * own, and pass it in `A2AModule.forRoot({ authentication })`.
 *
 * @see A2A 1.0, section 7
 * @publicApi
 */
export abstract class AuthenticationScheme {
  /** Its key in the card's `securitySchemes`. */
  abstract readonly name: string;

  /** What the card says of it. */
  abstract readonly definition: SecurityScheme;

  /** @param obtainAt where callers get credentials, for people; told by the older card, which has a place for it */
  constructor(readonly obtainAt?: string) {}

  /**
   * Who calls.
   *
   * @returns `undefined` when the request has no credentials of this scheme
   * @throws UnauthenticatedError when it has, and they are wrong
   */
  abstract authenticate(request: AuthenticationRequest): A2AUser | undefined | Promise<A2AUser | undefined>;

  /**
   * What `WWW-Authenticate` says of it with a 401. Default: made from the definition; `undefined` says nothing.
   *
   * @see RFC 9110, section 11.6.1
   */
  challenge(): string | undefined {
    return challengeFor(this.definition);
  }
}
