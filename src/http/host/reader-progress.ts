import { queuedOn } from './raw-http.js';
import type { RawResponse } from './raw-http.js';

/** What a client has taken, to be compared with what {@link progressOf} says later; `undefined`: it cannot read yet. */
export type ReaderProgress = number | undefined;

/**
 * How far a client has come with reading. A large write counts as waiting until its last byte has left, so the length
 * of the buffer alone would take a slow reader for one that has stopped: the handle under the socket knows better.
 */
export function progressOf(raw: RawResponse): ReaderProgress {
  // What queues behind another response (pipelining) waits for our own end, not for the client.
  if (queuedOn(raw) !== undefined) return undefined;
  const handle = memberOf(raw.socket, '_handle');
  const dispatched = memberOf(handle, 'bytesWritten');
  const queued = memberOf(handle, 'writeQueueSize');
  // On HTTP/2 there is no handle of one's own.
  return typeof dispatched === 'number' && typeof queued === 'number' ? dispatched - queued : -raw.writableLength;
}

/** Whether a client has taken nothing between two looks. */
export function hasStalled(before: ReaderProgress, now: ReaderProgress): boolean {
  return now !== undefined && before === now;
}

function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
}
