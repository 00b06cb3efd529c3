import { isPending, type Awaitable } from '../awaitable.js';
import { withLimit } from '../execution/limits.js';

/**
 * Waits for what the host's own code works out, at most so long: neither a slot nor a caller may be held for ever by a
 * policy or a store that hangs.
 *
 * @throws Error when it takes longer; the signal's reason when that aborts
 */
export function answeredWithin<T>(work: Awaitable<T>, milliseconds: number, signal?: AbortSignal): Awaitable<T> {
  return isPending(work) ? withLimit(work, milliseconds, 'no answer', signal) : work;
}
