import { areScopes } from '../authorization/user-check.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';

/**
 * What every scheme may be told.
 *
 * @publicApi
 */
export interface SchemeOptions {
  /** Key in the card's `securitySchemes`. */
  readonly name?: string;
  /** For people, in the card. */
  readonly description?: string;
  /** Where callers get credentials; told by the older card, which has a place for it. */
  readonly obtainAt?: string;
}

/** The error of a scheme that is set up wrongly. It holds no secret. */
export function schemeFault(name: string, description: string): A2AConfigurationError {
  return new A2AConfigurationError([{ option: `authentication.${name}`, description }]);
}

// What may stand in a header as it is.
const SENDABLE = /^[\x21-\x7E]+$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A secret that callers send in a header, a query or a cookie. @throws A2AConfigurationError */
export function checkSecret(scheme: string, secret: unknown): string {
  if (typeof secret !== 'string' || secret === '') {
    throw schemeFault(scheme, 'a secret is empty: is the variable set that it comes from?');
  }
  if (!SENDABLE.test(secret)) throw schemeFault(scheme, 'a secret has spaces or characters that no header can hold');
  return secret;
}

/** A secret that callers send in a cookie. @see RFC 6265, section 4.1.1 @throws A2AConfigurationError */
export function checkCookieSecret(scheme: string, secret: unknown): string {
  const checked = checkSecret(scheme, secret);
  if (/[",;\\]/.test(checked)) throw schemeFault(scheme, 'a secret has characters that no cookie can hold: " , ; \\');
  return checked;
}

/** The name of a header, parameter or cookie. @throws A2AConfigurationError */
export function checkToken(scheme: string, name: string): string {
  if (!TOKEN.test(name)) throw schemeFault(scheme, `${JSON.stringify(name)} cannot be the name of a parameter`);
  return name;
}

/** The name of a user that a secret stands for. @throws A2AConfigurationError */
export function checkUser(scheme: string, user: unknown): string {
  if (typeof user !== 'string' || user === '') throw schemeFault(scheme, 'a secret stands for a user without a name');
  return user;
}

/** Whether there are scopes. A text would grant each of its parts. @throws A2AConfigurationError */
export function checkScopes(scheme: string, scopes: readonly string[] | undefined): scopes is readonly string[] {
  if (!areScopes(scopes)) throw schemeFault(scheme, 'scopes must be a list of texts');
  return scopes !== undefined;
}

/**
 * A time in seconds. One that is no number would hold no clock against anything: every comparison with it is false.
 *
 * @throws A2AConfigurationError
 */
export function checkSeconds(scheme: string, option: string, seconds: unknown): number {
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw schemeFault(scheme, `${option} must be a number of seconds, 0 or more`);
}
