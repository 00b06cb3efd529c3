import { timerMs } from './time-limits.js';

/** The end of the time that something may take, by a clock that nobody sets. */
export class Deadline {
  private readonly end: number;
  private readonly timer: NodeJS.Timeout;

  constructor(
    readonly seconds: number,
    onReached: () => void,
  ) {
    const milliseconds = timerMs(seconds);
    this.end = performance.now() + milliseconds;
    this.timer = setTimeout(onReached, milliseconds).unref();
  }

  /** Milliseconds that are left; not below 0. */
  get remainingMs(): number {
    return Math.max(0, this.end - performance.now());
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
