import type { StreamResponse } from 'nestjs-a2a/protocol';

type Result = IteratorResult<StreamResponse, void>;

/** Events that can be left while one is awaited: a generator alone would not hear of it before that one comes. */
export class LeavableEvents implements AsyncIterableIterator<StreamResponse, void, undefined> {
  private readonly leaving = new AbortController();
  private readonly events: AsyncGenerator<StreamResponse, void, undefined>;
  private reads = 0;

  /** @param start its signal is aborted when somebody leaves during a read */
  constructor(start: (left: AbortSignal) => AsyncGenerator<StreamResponse, void, undefined>) {
    this.events = start(this.leaving.signal);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // Not `async`: each event would wait a few turns more.
  next(): Promise<Result> {
    this.reads += 1;
    return this.events.next().then(this.onRead, this.onFault);
  }

  async return(): Promise<Result> {
    this.leaveReads();
    return this.events.return();
  }

  async throw(error: unknown): Promise<Result> {
    this.leaveReads();
    return this.events.throw(error);
  }

  private readonly onRead = (result: Result): Result => {
    this.reads -= 1;
    return result;
  };

  private readonly onFault = (error: unknown): Result => {
    this.reads -= 1;
    // Who has left wants to know nothing more, not even why there is nothing more.
    if (this.leaving.signal.aborted) return { done: true, value: undefined };
    throw error;
  };

  private leaveReads(): void {
    if (this.reads > 0) this.leaving.abort();
  }
}
