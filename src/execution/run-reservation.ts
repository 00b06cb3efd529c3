import { deferred, type Deferred } from './deferred.js';
import type { RunJob } from './run-scheduler.js';

/**
 * A slot, or a place in the queue, that is taken before anything is changed, and given back when the change fails. The
 * scheduler may let it begin at any time; it waits then for what it is for.
 */
export class RunReservation<T> implements RunJob {
  private purpose: T | undefined;
  private waiting: Deferred<void> | undefined;
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

  async run(): Promise<void> {
    if (!this.settled) {
      this.waiting = deferred<void>();
      await this.waiting.promise;
    }
    if (this.purpose !== undefined) await this.carryOut(this.purpose);
  }

  private settle(): void {
    this.settled = true;
    this.waiting?.resolve();
  }
}
