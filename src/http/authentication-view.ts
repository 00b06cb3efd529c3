import type { AuthenticationRequest } from '../authentication/authentication-scheme.js';
import { rawRequestOf, rawUrlOf } from './host/raw-http.js';

/** What schemes may look at of a framework's request. */
export function authenticationViewOf(request: object): AuthenticationRequest {
  const raw = rawRequestOf(request);
  return { headers: raw?.headers ?? {}, url: raw === undefined ? '/' : rawUrlOf(raw), request };
}
