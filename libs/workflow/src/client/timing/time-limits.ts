import { setTimeout as delay } from 'node:timers/promises';

// What is longer, a timer takes for nothing.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Seconds as milliseconds that a timer can take. */
export function timerMs(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TIMER_MS);
}

/**
 * Waits so many milliseconds; ends early, with the signal's reason, when it is aborted.
 *
 * @publicApi
 */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** {@link Wait} by the clock. */
export const waitByClock: Wait = async (milliseconds, signal) => {
  try {
    await delay(Math.min(milliseconds, LONGEST_TIMER_MS), undefined, { signal, ref: false });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
};

/** Calls back after a while without a sign of life. */
export class SilenceLimit {
  private readonly timer: NodeJS.Timeout;
  private over = false;

  constructor(milliseconds: number, onSilence: () => void) {
    this.timer = setTimeout(onSilence, milliseconds).unref();
  }

  touch(): void {
    // To refresh a timer that was cleared starts it again.
    if (!this.over) this.timer.refresh();
  }

  end(): void {
    this.over = true;
    clearTimeout(this.timer);
  }
}

/** Waits until the work has ended, in whatever way, but not longer than this. */
export async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds).unref();
  });
  await Promise.race([work.then(ignore, ignore), late]);
  clearTimeout(timer);
}

function ignore(): void {
  // What became of it is the business of whoever began it.
}
