import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError, type A2AError } from 'nestjs-a2a/protocol';
import type { TaskStore } from '../tasks/task-store.js';
import { withLimit } from './limits.js';

const ATTEMPT_MS = 10_000;
const PAUSES_MS = [50, 250, 1_000];

/** Whose calls to the store are limited and tried again. */
export interface StoreUser {
  readonly store: TaskStore;
  /** Set once the store has failed for good: it is not called again. */
  readonly failure: A2AError | undefined;
  /** The store has failed for good. @returns what callers are told */
  fail(cause: unknown): A2AError;
}

/** Calls the store with a limit, and again after a while when that fails. */
export async function withRetries<T>(user: StoreUser, call: (attempt: number) => Promise<T>): Promise<T> {
  if (user.failure) throw user.failure;
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = call(attempt);
      if (user.store.immediate) return await answer;
      return await withLimit(answer, ATTEMPT_MS, 'The task store did not answer');
    } catch (error) {
      const pause = PAUSES_MS[attempt];
      // A store that says that it is full is not asked again: its caller can come back later.
      if (error instanceof UnavailableError || pause === undefined) throw user.fail(error);
      await delay(pause);
    }
  }
}
