import { LinkedAbort } from '../timing/linked-abort.js';
import { settledWithin } from '../timing/time-limits.js';

/** What is on its way to agents, so that it can be ended. */
export class OpenCalls {
  private readonly calls = new Map<LinkedAbort, Promise<unknown>>();

  get size(): number {
    return this.calls.size;
  }

  /** @param outer end the call as well */
  async run<T>(work: (call: LinkedAbort) => Promise<T>, ...outer: (AbortSignal | undefined)[]): Promise<T> {
    const call = new LinkedAbort(...outer);
    const running = work(call);
    this.calls.set(call, running);
    try {
      return await running;
    } finally {
      this.calls.delete(call);
      call.release();
    }
  }

  abort(reason: unknown): void {
    for (const call of this.calls.keys()) call.abort(reason);
  }

  settledWithin(milliseconds: number): Promise<void> {
    return settledWithin(Promise.allSettled(this.calls.values()), milliseconds);
  }
}
