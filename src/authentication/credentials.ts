import type { AuthenticationRequest } from './authentication-scheme.js';
import { refusedCredentials } from './refused-credentials.js';

/**
 * What follows the scheme's name in `Authorization`; `undefined` when there is none of this scheme.
 *
 * @throws UnauthenticatedError when the header comes more than once
 */
export function authorizationOf(request: AuthenticationRequest, scheme: string): string | undefined {
  const value = headerOf(request, 'authorization')?.trim();
  if (value === undefined) return undefined;
  const space = value.search(/[ \t]/);
  const name = space < 0 ? value : value.slice(0, space);
  if (name.toLowerCase() !== scheme) return undefined;
  return space < 0 ? '' : value.slice(space + 1).trim();
}

/** A header that may come once. @throws UnauthenticatedError when it comes more often */
export function headerOf({ headers }: AuthenticationRequest, name: string): string | undefined {
  const key = name.toLowerCase();
  const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
  return Array.isArray(value) ? once(value, 'header') : value;
}

/** A query parameter that may come once. @throws UnauthenticatedError when it comes more often */
export function queryParameterOf({ url }: AuthenticationRequest, name: string): string | undefined {
  const start = url.indexOf('?');
  return start < 0 ? undefined : once(new URLSearchParams(url.slice(start + 1)).getAll(name), 'query parameter');
}

/** A cookie that may come once. @throws UnauthenticatedError when it comes more often */
export function cookieOf(request: AuthenticationRequest, name: string): string | undefined {
  const { cookie } = request.headers;
  if (typeof cookie !== 'string') return undefined;
  const values = cookie.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 && pair.slice(0, equals).trim() === name ? [unquoted(pair.slice(equals + 1).trim())] : [];
  });
  return once(values, 'cookie');
}

/** Two of the same may be read as one by a proxy and as the other by us. */
function once(values: readonly string[], what: string): string | undefined {
  if (values.length > 1) throw refusedCredentials(`the ${what} comes more than once`);
  return values[0];
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
