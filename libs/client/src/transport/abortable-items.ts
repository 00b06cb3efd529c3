/** Items that end with a signal, whatever they come from: what a host plugs in may not listen to it. */
export class AbortableItems<T> implements AsyncIterableIterator<T> {
  private readonly items: AsyncIterator<T, unknown, undefined>;
  private giveUp: ((reason: unknown) => void) | undefined;

  constructor(
    items: AsyncIterable<T>,
    private readonly signal: AbortSignal,
  ) {
    this.items = items[Symbol.asyncIterator]();
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // By hand: a race for each item would leave a trace of each on a promise that lives as long as the stream.
  next(): Promise<IteratorResult<T, unknown>> {
    return new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason);
      this.giveUp = reject;
      this.items.next().then(
        (result) => {
          if (result.done === true) this.end();
          resolve(result);
        },
        (error: unknown) => {
          this.end();
          reject(error);
        },
      );
    });
  }

  async return(): Promise<IteratorResult<T, unknown>> {
    this.end();
    return (await this.items.return?.()) ?? { done: true, value: undefined };
  }

  private readonly onAbort = (): void => {
    this.giveUp?.(this.signal.reason);
    this.items.return?.().catch(() => undefined);
  };

  private end(): void {
    this.giveUp = undefined;
    this.signal.removeEventListener('abort', this.onAbort);
  }
}
