import type { CallerPresence } from 'nestjs-a2a';

/** A caller who leaves when a signal is aborted. */
export function callerOf(signal: AbortSignal): CallerPresence {
  return {
    signal,
    get gone() {
      return signal.aborted;
    },
    onGone(listener) {
      if (signal.aborted) listener();
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    },
  };
}
