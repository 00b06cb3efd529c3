import type { AuthenticationRequest } from '../authentication/authentication-scheme.js';
import { rawRequestOf, rawUrlOf, type RawRequest } from './host/raw-http.js';

/** What schemes may look at of a framework's request. */
export function authenticationViewOf(request: object): AuthenticationRequest {
  const raw = rawRequestOf(request);
  return { headers: raw === undefined ? {} : headersOf(raw), url: raw === undefined ? '/' : rawUrlOf(raw), request };
}

/** Node keeps the first of two `Authorization` headers; a proxy may have looked at the other one. */
function headersOf({ headers, rawHeaders }: RawRequest): AuthenticationRequest['headers'] {
  if (headers.authorization === undefined || rawHeaders === undefined) return headers;
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && isAuthorization(rawHeaders[index - 1]));
  return values.length > 1 ? { ...headers, authorization: values } : headers;
}

function isAuthorization(name: string | undefined): boolean {
  return name?.length === 13 && name.toLowerCase() === 'authorization';
}
