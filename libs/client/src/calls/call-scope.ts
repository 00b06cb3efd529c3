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

/** What can end a call with all its attempts: its caller, and its time. */
export class CallScope {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly onOuterAbort = (): void => this.controller.abort(this.outer?.reason);

  /** @param totalTimeoutMs 0 = as long as it takes */
  constructor(
    private readonly outer?: AbortSignal,
    totalTimeoutMs = 0,
  ) {
    const late = (): void =>
      this.controller.abort(new A2AClientError('TIMEOUT', `The call did not end within ${totalTimeoutMs} ms`));
    this.timer = totalTimeoutMs > 0 ? setTimeout(late, totalTimeoutMs).unref() : undefined;
    // Not AbortSignal.any(): with a signal that outlives many calls, some lines of Node 20 keep all of them.
    outer?.addEventListener('abort', this.onOuterAbort, { once: true });
    if (outer?.aborted === true) this.onOuterAbort();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onOuterAbort);
  }
}
