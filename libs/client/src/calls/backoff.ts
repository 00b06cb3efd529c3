/** How often, and after what time, something is tried again. */
export interface BackoffOptions {
  /** In a row and without success, after the first. 0 = never. */
  readonly attempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

/** Longest `Retry-After` that is waited for; what asks for more has failed. */
const MAX_RETRY_AFTER_SECONDS = 120;

/** Delays that double, with chance in them, so that many clients do not come back at the same moment. */
export class Backoff {
  constructor(
    private readonly options: BackoffOptions,
    private readonly random: () => number = Math.random,
  ) {}

  get attempts(): number {
    return this.options.attempts;
  }

  /**
   * Milliseconds to wait before a further attempt; undefined when there is to be none.
   *
   * @param failures in a row so far, 1 or more
   * @param retryAfterSeconds what the other side asked for
   */
  delay(failures: number, retryAfterSeconds = 0): number | undefined {
    const { attempts, initialDelayMs, maxDelayMs } = this.options;
    if (failures > attempts || retryAfterSeconds > MAX_RETRY_AFTER_SECONDS) return undefined;
    const full = Math.min(maxDelayMs, initialDelayMs * 2 ** (failures - 1));
    return Math.max(retryAfterSeconds * 1000, full / 2 + (full / 2) * this.random());
  }
}
