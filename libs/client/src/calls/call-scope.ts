import { setTimeout as delay } from 'node:timers/promises';
import { A2AClientError } from '../client-error.js';

/** Waits; ends early, with the signal's reason, when the signal is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** {@link Wait} by the clock. */
export const waitByClock: Wait = async (milliseconds, signal) => {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
};

/** What can end a call with all its attempts: its caller, its time, and somebody else. */
export class CallScope {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly leaves: (() => void)[] = [];

  /**
   * @param totalTimeoutMs 0 = as long as it takes
   * @param place what is called, for whoever reads that it took too long
   */
  constructor(outer?: AbortSignal, totalTimeoutMs = 0, other?: AbortSignal, place = 'The agent') {
    const late = (): void =>
      this.controller.abort(
        new A2AClientError('TIMEOUT', `${place}: The call did not end within ${totalTimeoutMs} ms`),
      );
    this.timer = totalTimeoutMs > 0 ? setTimeout(late, totalTimeoutMs).unref() : undefined;
    // Not AbortSignal.any(): with a signal that outlives many calls, some lines of Node 20 keep all of them.
    for (const signal of [outer, other]) {
      if (!signal) continue;
      const onAbort = (): void => this.controller.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.leaves.push(() => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) onAbort();
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    for (const leave of this.leaves.splice(0)) leave();
  }
}
