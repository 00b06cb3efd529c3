import { Observable } from 'rxjs';
import type { CallOptions } from '../../calls/agent-calls.js';
import { CallScope } from '../../calls/call-scope.js';

/**
 * A call that is made anew for each subscriber, and ended when that one leaves. What comes is read only when the one
 * before was taken, so nothing waits here.
 */
export function observeAll<T>(options: CallOptions, start: (options: CallOptions) => AsyncIterable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const leaving = new AbortController();
    const scope = new CallScope(options.signal, 0, leaving.signal);
    const read = async (): Promise<void> => {
      for await (const value of start({ ...options, signal: scope.signal })) {
        subscriber.next(value);
        if (subscriber.closed) return;
      }
    };
    read()
      // After it was left it fails with that as the reason, which nobody hears.
      .then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      )
      .finally(() => scope.end());
    return () => leaving.abort();
  });
}

/** The same for what answers once. */
export function observeOne<T>(options: CallOptions, call: (options: CallOptions) => Promise<T>): Observable<T> {
  return observeAll(options, async function* (own) {
    yield await call(own);
  });
}
