/**
 * Waits for a promise, at most so long, and no longer than anybody cares.
 *
 * @throws Error with `message` when it takes longer; the signal's reason when that aborts
 */
export function withLimit<T>(
  promise: Promise<T>,
  milliseconds: number,
  message: string,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => end(() => reject(signal?.reason));
    const late = (): void => end(() => reject(new Error(`${message} within ${milliseconds} ms`)));
    const timer = setTimeout(late, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
    // Also of one that nobody waits for any more: its failure would be unhandled otherwise.
    promise.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    );
    if (signal?.aborted) onAbort();
  });
}
