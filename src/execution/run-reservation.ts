import type { RunJob } from './run-scheduler.js';

const NOTHING = Promise.resolve();

/**
 * A slot, or a place in the queue, that is taken before anything is changed, and given back when the change fails. The
 * scheduler may let it begin at any time; it waits then for what it is for.
 */
export class RunReservation<T> implements RunJob {
  private purpose: T | undefined;
  private start: (() => void) | undefined;
  private settled = false;

  constructor(
    readonly owner: string,
    private readonly carryOut: (purpose: T) => Promise<void>,
  ) {}

  /** Says what the slot is for. */
  begin(purpose: T): void {
    this.purpose = purpose;
    this.settle();
  }

  /** The slot is for nothing after all. */
  giveBack(): void {
    this.settle();
  }

  run(): Promise<void> {
    if (this.settled) return this.perform();
    return new Promise((resolve, reject) => {
      this.start = () => void this.perform().then(resolve, reject);
    });
  }

  private perform(): Promise<void> {
    return this.purpose === undefined ? NOTHING : this.carryOut(this.purpose);
  }

  private settle(): void {
    this.settled = true;
    this.start?.();
    this.start = undefined;
  }
}
