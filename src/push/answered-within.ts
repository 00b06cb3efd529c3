import { isPending, type Awaitable } from '../awaitable.js';

/**
 * Waits for what the host's own code works out, at most so long, and no longer than anybody cares: neither a slot nor a
 * caller may be held for ever by a policy or a store that hangs.
 *
 * @throws Error when it takes longer; the signal's reason when that aborts
 */
export function answeredWithin<T>(work: Awaitable<T>, milliseconds: number, signal?: AbortSignal): Awaitable<T> {
  if (!isPending(work)) return work;
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const late = (): void => end(() => reject(new Error(`no answer within ${milliseconds} ms`)));
    const timer = setTimeout(late, milliseconds).unref();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) return onAbort();
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}
