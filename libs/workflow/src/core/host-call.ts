import { abortable } from 'nestjs-a2a/net';
import type { Awaitable } from '../awaitable.js';
import { LinkedAbort } from '../client/timing/linked-abort.js';
import { NullResultError, TimeoutException } from '../errors/workflow.error.js';

/** A call to the host: how it is made, and what its two kinds of nothing are called. */
export interface HostCall<T> {
  make(signal: AbortSignal): Awaitable<T>;
  /** Text of the error when the call itself gives nothing. */
  nullFuture: string;
  /** Text of the error when its promise does. */
  nullValue: string;
}

/** When the answer of a host is no longer waited for. */
export interface HostCallLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Makes the call at once and waits for its answer. When the time is over or the signal aborted, the host is told by its
 * own signal, and is not waited for: what it does then cannot be known.
 *
 * @throws NullResultError when it gives nothing
 * @throws TimeoutException when the time is over
 */
export async function callHost<T>(call: HostCall<T>, { timeoutMs, signal }: HostCallLimits): Promise<T> {
  signal.throwIfAborted();
  const waiting = new LinkedAbort(signal);
  const timer = setTimeout(() => waiting.abort(new TimeoutException()), timeoutMs);
  timer.unref();
  try {
    const answer = call.make(waiting.signal);
    if (isNothing(answer)) throw new NullResultError(call.nullFuture);
    const value = await abortable(Promise.resolve(answer), waiting.signal);
    if (isNothing(value)) throw new NullResultError(call.nullValue);
    return value;
  } finally {
    clearTimeout(timer);
    waiting.release();
  }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}
