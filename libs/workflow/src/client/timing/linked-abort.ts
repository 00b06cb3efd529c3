import { setMaxListeners } from 'node:events';

/** A controller that others can abort as well, until it is let go of. */
export class LinkedAbort {
  private readonly controller = new AbortController();
  private readonly leaves: (() => void)[] = [];

  constructor(...outer: readonly (AbortSignal | undefined)[]) {
    // Each callback, question and wait of an interaction listens: many of them are no leak.
    setMaxListeners(0, this.controller.signal);
    // Not AbortSignal.any(): with a signal that outlives many calls, some lines of Node 20 keep all of them.
    for (const signal of outer) {
      if (signal === undefined) continue;
      const onAbort = (): void => this.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.leaves.push(() => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) onAbort();
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  /** The others are no longer heard. */
  release(): void {
    for (const leave of this.leaves.splice(0)) leave();
  }
}
