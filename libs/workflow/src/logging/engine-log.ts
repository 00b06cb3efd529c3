import { callSafely } from '../call-safely.js';

/**
 * Where the engine tells what went wrong without anybody to throw it at: a failed clean-up, a callback that threw. Nest's
 * `Logger` is one.
 *
 * @publicApi
 */
export interface EngineLog {
  /** @param text one line, without secrets */
  warn(text: string): void;
}

/** The same log; what it throws is dropped, since the work that it tells of must go on. */
export function safeLog(log: EngineLog): EngineLog {
  return {
    warn: (text) =>
      callSafely(
        () => log.warn(text),
        () => undefined,
      ),
  };
}

/** Tells nobody. */
export const SILENT_LOG: EngineLog = { warn: () => undefined };
