/**
 * Lets one operation after the other work on a thing. What is not asynchronous runs at once when nobody is before it,
 * so that an uncontended call costs no promise.
 */
export class SerialQueue {
  private tail: Promise<unknown> | undefined;
  private waiting = 0;

  constructor(private readonly maxWaiting: number) {}

  /** Operations that wait for their turn. */
  get length(): number {
    return this.waiting;
  }

  /** Runs `operation` when all earlier ones have settled. @throws RangeError when too many wait already */
  run<T>(operation: () => T | Promise<T>): T | Promise<T> {
    if (this.tail === undefined) return this.begin(operation);
    if (this.waiting >= this.maxWaiting) throw new RangeError(`${this.maxWaiting} operations wait already`);
    this.waiting++;
    const result = this.tail.then(() => {
      this.waiting--;
      return operation();
    });
    this.follow(result);
    return result;
  }

  /** Resolves when everything asked for so far has settled. */
  async drained(): Promise<void> {
    while (this.tail !== undefined) await this.tail;
  }

  private begin<T>(operation: () => T | Promise<T>): T | Promise<T> {
    const result = operation();
    if (result instanceof Promise) this.follow(result);
    return result;
  }

  private follow(result: Promise<unknown>): void {
    const settled: Promise<void> = result.then(
      () => this.settle(settled),
      () => this.settle(settled),
    );
    this.tail = settled;
  }

  private settle(promise: Promise<void>): void {
    if (this.tail === promise) this.tail = undefined;
  }
}
