import { AsyncResource } from 'node:async_hooks';
import { UnavailableError } from 'nestjs-a2a/protocol';
import { RunScheduler, type RunGauges, type RunJob, type ScheduledRun } from './run-scheduler.js';

/** How many executions run and wait. */
export interface InProcessRunSchedulerOptions {
  /** At once. */
  readonly maxRunning: number;
  /** Waiting for a slot. */
  readonly maxQueued: number;
  /** At once for one owner; 0 = no limit of its own. */
  readonly maxPerOwner: number;
}

// A class: an object literal with a getter would have a hidden class of its own, which keeps the job alive with it.
class Entry implements ScheduledRun {
  /** The asynchronous context of whoever scheduled a job that has to wait. */
  scope: AsyncResource | undefined;
  state: 'queued' | 'started' | 'canceled' = 'queued';

  constructor(
    readonly job: RunJob,
    private readonly dequeue: (entry: Entry) => void,
  ) {}

  get started(): boolean {
    return this.state === 'started';
  }

  cancel(): boolean {
    if (this.state !== 'queued') return this.state === 'canceled';
    this.state = 'canceled';
    this.dequeue(this);
    return true;
  }
}

/**
 * Runs executions in this process, first come, first served. An owner who holds `maxPerOwner` slots waits, and lets
 * those behind go first.
 */
export class InProcessRunScheduler extends RunScheduler {
  private readonly queue = new Set<Entry>();
  private readonly perOwner = new Map<string, number>();
  private running = 0;

  constructor(private readonly options: InProcessRunSchedulerOptions) {
    super();
  }

  override schedule(job: RunJob): ScheduledRun {
    const entry = new Entry(job, this.dequeue);
    if (this.mayStart(job.owner)) {
      this.start(entry);
    } else {
      if (this.queue.size >= this.options.maxQueued) {
        throw new UnavailableError('All slots are taken and the queue is full: try again later', 1);
      }
      // A job that begins at once is in its caller's context as it is.
      entry.scope = new AsyncResource('A2A_RUN', { requireManualDestroy: true });
      this.queue.add(entry);
    }
    return entry;
  }

  override gauges(): RunGauges {
    return { running: this.running, queued: this.queue.size };
  }

  private mayStart(owner: string): boolean {
    if (this.running >= this.options.maxRunning) return false;
    return this.options.maxPerOwner === 0 || (this.perOwner.get(owner) ?? 0) < this.options.maxPerOwner;
  }

  private start(entry: Entry): void {
    const { job, scope } = entry;
    const { owner } = job;
    entry.state = 'started';
    this.running++;
    if (this.options.maxPerOwner > 0) this.perOwner.set(owner, (this.perOwner.get(owner) ?? 0) + 1);
    const done = (): void => this.finish(owner);
    const running = scope === undefined ? job.run() : scope.runInAsyncScope(() => job.run());
    running.then(done, done);
    scope?.emitDestroy();
  }

  private finish(owner: string): void {
    this.running--;
    if (this.options.maxPerOwner > 0) this.leave(owner);
    for (const entry of this.queue) {
      if (this.running >= this.options.maxRunning) return;
      if (!this.mayStart(entry.job.owner)) continue;
      this.queue.delete(entry);
      this.start(entry);
    }
  }

  private leave(owner: string): void {
    const left = (this.perOwner.get(owner) ?? 1) - 1;
    if (left === 0) this.perOwner.delete(owner);
    else this.perOwner.set(owner, left);
  }

  private readonly dequeue = (entry: Entry): void => {
    entry.scope?.emitDestroy();
    this.queue.delete(entry);
  };
}
