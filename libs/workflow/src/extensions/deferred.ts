/** A promise that is settled from outside, once. That nobody looks at its failure is no fault. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  private settleWith: (value: T) => void = () => undefined;
  private failWith: (error: Error) => void = () => undefined;
  private settled = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.settleWith = resolve;
      this.failWith = reject;
    });
    this.promise.catch(() => undefined);
  }

  get isSettled(): boolean {
    return this.settled;
  }

  resolve(value: T): void {
    this.settled = true;
    this.settleWith(value);
  }

  reject(error: Error): void {
    this.settled = true;
    this.failWith(error);
  }
}
