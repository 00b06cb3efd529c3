const LONGEST_DELAY_MS = 2 ** 31 - 1;
const SHORTEST_PAUSE_MS = 250;

/**
 * One timer for many things that become due, set only while there is one. It never keeps the process alive. Under load
 * it works in batches: two runs are at least a quarter of a second apart.
 */
export class DueTimer {
  private handle: NodeJS.Timeout | undefined;
  private due = Infinity;
  private closed = false;

  /**
   * @param run does what is due
   * @param nextDue when the next thing is due, in milliseconds since the epoch; undefined when nothing is left
   */
  constructor(
    private readonly now: () => number,
    private readonly run: () => void,
    private readonly nextDue: () => number | undefined,
  ) {}

  /** To be called after a change of what is due. */
  update(): void {
    const due = this.nextDue();
    if (due === undefined) this.stop();
    // A timer that is set too early only looks and sets itself again: cheaper than setting it anew at every change.
    else if (due < this.due) this.set(due, 0);
  }

  /** Stops for good. */
  close(): void {
    this.closed = true;
    this.stop();
  }

  private set(due: number, leastDelay: number): void {
    this.stop();
    if (this.closed) return;
    this.due = due;
    const delay = Math.min(LONGEST_DELAY_MS, Math.max(leastDelay, due - this.now()));
    this.handle = setTimeout(() => this.fire(), delay).unref();
  }

  private fire(): void {
    this.stop();
    this.run();
    const due = this.nextDue();
    if (due !== undefined) this.set(due, SHORTEST_PAUSE_MS);
  }

  private stop(): void {
    clearTimeout(this.handle);
    this.handle = undefined;
    this.due = Infinity;
  }
}
