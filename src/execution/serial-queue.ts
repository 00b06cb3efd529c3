import { isPending, type Awaitable } from '../awaitable.js';
import { deferred, type Deferred } from './deferred.js';

/**
 * Lets one operation after the other work on a thing. What is not asynchronous runs at once when nobody is before it,
 * so that an uncontended call costs no promise.
 */
export class SerialQueue {
  private tail: Promise<unknown> | undefined;
  private waiting = 0;
  private running = false;
  /** Opened when an operation is over during which another one was asked for. */
  private gate: Deferred<void> | undefined;

  /** True when nothing is under way and nothing waits. */
  get idle(): boolean {
    return this.tail === undefined && !this.running;
  }

  /** Operations that wait for their turn. */
  get length(): number {
    return this.waiting;
  }

  /**
   * Runs `operation` when all earlier ones have settled.
   *
   * @throws what the operation throws, at once, when it runs at once
   */
  run<T>(operation: () => Awaitable<T>): Awaitable<T> {
    if (this.tail === undefined) {
      if (!this.running) return this.begin(operation);
      // Asked for from within an operation: that one goes to its end first.
      this.gate = deferred<void>();
      this.tail = this.gate.promise;
    }
    this.waiting++;
    const result = this.tail.then(() => {
      this.waiting--;
      return operation();
    });
    this.follow(result);
    return result;
  }

  private begin<T>(operation: () => Awaitable<T>): Awaitable<T> {
    let result: Awaitable<T>;
    this.running = true;
    try {
      result = operation();
    } catch (error) {
      this.open();
      throw error;
    } finally {
      this.running = false;
    }
    if (!isPending(result)) this.open();
    else if (this.gate === undefined) this.follow(result);
    else {
      const open = this.gate.resolve;
      this.gate = undefined;
      result.then(
        () => open(),
        () => open(),
      );
    }
    return result;
  }

  private open(): void {
    this.gate?.resolve();
    this.gate = undefined;
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
