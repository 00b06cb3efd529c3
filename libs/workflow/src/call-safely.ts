/**
 * Calls something of the host whose failure must not become ours, now or, when it gives a promise, later.
 *
 * @param onError told what was thrown; what it throws itself is dropped
 */
export function callSafely(call: () => unknown, onError: (error: unknown) => void): void {
  // It may be the host's as well.
  const tell = (error: unknown): void => callSafely(() => onError(error), ignore);
  try {
    const result = call();
    // An async function where a plain one is wanted: its failure would be nobody's.
    if (isThenable(result)) Promise.resolve(result).catch(tell);
  } catch (error) {
    tell(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function ignore(): void {
  // Nobody is left to be told.
}
