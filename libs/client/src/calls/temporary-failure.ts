import { ResourceExhaustedError, UnavailableError } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';

/** The network, or whatever is on the way. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'CONNECT_FAILED',
  'DNS_FAILED',
  'TIMEOUT',
  'STALLED',
  'STREAM_BROKEN',
  'EMPTY_STREAM',
]);

/**
 * Is it worth trying again? A broken network, and HTTP 429, 502, 503 and 504 in any form.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof A2AClientError) return TEMPORARY.has(error.code);
  return error instanceof UnavailableError || error instanceof ResourceExhaustedError;
}

/** What a failed call said about when to come again. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof A2AClientError || error instanceof UnavailableError || error instanceof ResourceExhaustedError) {
    return error.retryAfterSeconds;
  }
  return undefined;
}
