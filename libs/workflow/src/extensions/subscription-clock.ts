import { WorkflowArgumentError } from '../errors/workflow.error.js';

/** When something last came on a stream: by the calendar for people, by a clock that nobody sets for limits. */
export class SubscriptionClock {
  readonly openedAt = new Date();
  lastEventAt: Date | null = null;
  lastBusinessEventAt: Date | null = null;
  eventCount = 0;
  private lastActivity: number | undefined;

  activity(): void {
    this.lastActivity = performance.now();
    this.lastEventAt = new Date();
  }

  event(): void {
    this.activity();
    this.eventCount += 1;
    this.lastBusinessEventAt = this.lastEventAt;
  }

  /** @throws WorkflowArgumentError `maximumIdle must not be negative` */
  wasActiveWithin(maximumIdleMs: number): boolean {
    if (!(maximumIdleMs >= 0)) throw new WorkflowArgumentError('maximumIdle must not be negative');
    return this.lastActivity !== undefined && performance.now() - this.lastActivity <= maximumIdleMs;
  }
}
