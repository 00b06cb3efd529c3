/**
 * Resolves when the clock shows another millisecond than now. Not a timer of one or two: Node counts it from the
 * beginning of the turn, which may be longer ago than that.
 */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await new Promise((resolve) => setImmediate(resolve));
}
