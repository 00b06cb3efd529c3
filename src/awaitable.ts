/** What comes at once, or later. */
export type Awaitable<T> = T | Promise<T>;

/** Whether something is still to come. Promises of other realms count as well, so `instanceof` will not do. */
export function isPending<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Goes on with a value: in this very turn when it is there already, so that no promise is made for it. */
export function whenDone<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  // What others made may only look like a promise: its `then` need not give one.
  return isPending(value) ? Promise.resolve(value).then(next) : next(value);
}
