import { config } from 'rxjs';

// Taken before a test puts fake ones in their place.
const { setTimeout: later } = globalThis;

/** The errors that RxJS would throw from a timer, to the end of the process, while something is done. */
export async function unhandledIn(work: () => Promise<void>): Promise<unknown[]> {
  const found: unknown[] = [];
  const { onUnhandledError } = config;
  config.onUnhandledError = (error: unknown) => void found.push(error);
  try {
    await work();
  } finally {
    // Behind the timers of RxJS, which are due already.
    await new Promise((resolve) => later(resolve, 1));
    config.onUnhandledError = onUnhandledError;
  }
  return found;
}
