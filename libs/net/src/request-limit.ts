import { abortable } from './abortable.js';
import { SafeHttpError } from './errors.js';

/** What can end one request early: its time, its caller, the client's end. */
export class RequestLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly onOuterAbort = (): void => this.stop(this.outer?.reason);

  /** @param milliseconds 0 = as long as it takes */
  constructor(
    milliseconds: number,
    private readonly outer?: AbortSignal,
  ) {
    const late = (): void => this.stop(new SafeHttpError('TIMEOUT', `No whole answer within ${milliseconds} ms`));
    this.timer = milliseconds > 0 ? setTimeout(late, milliseconds).unref() : undefined;
    // Not AbortSignal.any(): with a signal that outlives many requests, some lines of Node 20 keep all of them.
    outer?.addEventListener('abort', this.onOuterAbort, { once: true });
    if (outer?.aborted === true) this.onOuterAbort();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(reason: unknown): void {
    this.controller.abort(reason);
  }

  /** For work that cannot be stopped: its result comes too late, and is dropped. */
  before<T>(work: Promise<T>): Promise<T> {
    return abortable(work, this.signal);
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onOuterAbort);
  }
}
