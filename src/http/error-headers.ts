import { PayloadTooLargeError, UnauthenticatedError, type A2AError } from 'nestjs-a2a/protocol';
import { InsufficientScopeError } from '../authentication/insufficient-scope.error.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import { isReply, rawResponseOf } from './host/raw-http.js';

/** The HTTP headers that go with an error. */
export function errorHeaders(error: A2AError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfterSeconds));
  if (error instanceof UnauthenticatedError) headers['www-authenticate'] = error.challenge ?? 'Bearer';
  if (error instanceof InsufficientScopeError && error.challenge) headers['www-authenticate'] = error.challenge;
  // The rest of such a body is thrown away for a while and then cut off: the connection cannot be used again.
  if (error instanceof PayloadTooLargeError) headers['connection'] = 'close';
  return headers;
}

/** The header that names the extensions that were activated, if any were. */
export function extensionHeaders(call: ServerCallContext): Record<string, string> {
  const active = call.activatedExtensions;
  return active.length === 0 ? {} : { 'a2a-extensions': active.join(', ') };
}

/** Whether somebody has set a header of the answer already. */
export function hasHeader(response: object, name: string): boolean {
  return isReply(response) ? response.getHeaders()[name] !== undefined : rawResponseOf(response).hasHeader(name);
}
