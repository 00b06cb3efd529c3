/**
 * A value now, or one later.
 *
 * @publicApi
 */
export type Awaitable<T> = T | PromiseLike<T>;
