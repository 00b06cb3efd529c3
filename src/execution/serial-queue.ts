/**
 * Lets one operation after the other work on a thing. What is not asynchronous runs at once when nobody is before it,
 * so that an uncontended call costs no promise.
 */
export class SerialQueue {
  private tail: Promise<unknown> | undefined;
  private waiting = 0;

  /** True when nothing is under way and nothing waits. */
  get idle(): boolean {
    return this.tail === undefined;
  }

  /** Operations that wait for their turn. */
  get length(): number {
    return this.waiting;
  }

  /** Runs `operation` when all earlier ones have settled. */
  run<T>(operation: () => Promise<T>): Promise<T>;
  run<T>(operation: () => T | Promise<T>): T | Promise<T>;
  run<T>(operation: () => T | Promise<T>): T | Promise<T> {
    if (this.tail === undefined) return this.begin(operation);
    this.waiting++;
    const result = this.tail.then(() => {
      this.waiting--;
      return operation();
    });
    this.follow(result);
    return result;
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
