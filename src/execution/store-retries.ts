import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError, type A2AError } from 'nestjs-a2a/protocol';
import { isPending, type Awaitable } from '../awaitable.js';
import { withLimit } from './limits.js';

const ATTEMPT_MS = 10_000;
const PAUSES_MS = [50, 250, 1_000];

/** Whose calls to the store are limited and tried again. */
export interface StoreUser {
  /** Set once the store has failed for good: it is not called again. */
  readonly failure: A2AError | undefined;
  /** The store has failed for good. @returns what callers are told */
  fail(cause: unknown): A2AError;
}

/** A call to the store. */
type StoreCall<T> = (attempt: number) => Awaitable<T>;

/** Calls the store with a limit, and again after a while when that fails. */
export function withRetries<T>(user: StoreUser, call: StoreCall<T>): Awaitable<T> {
  if (user.failure) throw user.failure;
  let answer: Awaitable<T>;
  try {
    answer = call(0);
  } catch (error) {
    return tryAgain(user, call, error);
  }
  return isPending(answer) ? waitAndTryAgain(user, call, answer) : answer;
}

async function waitAndTryAgain<T>(user: StoreUser, call: StoreCall<T>, first: Promise<T>): Promise<T> {
  try {
    return await limited(first);
  } catch (error) {
    return tryAgain(user, call, error);
  }
}

async function tryAgain<T>(user: StoreUser, call: StoreCall<T>, failed: unknown): Promise<T> {
  let error = failed;
  for (let attempt = 1; ; attempt++) {
    const pause = PAUSES_MS[attempt - 1];
    // A store that says that it is full is not asked again: its caller can come back later.
    if (error instanceof UnavailableError || pause === undefined) throw user.fail(error);
    await delay(pause);
    try {
      return await limited(call(attempt));
    } catch (cause) {
      error = cause;
    }
  }
}

function limited<T>(answer: Awaitable<T>): Awaitable<T> {
  return isPending(answer) ? withLimit(answer, ATTEMPT_MS, 'The task store did not answer') : answer;
}
