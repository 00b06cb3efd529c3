/** One execution that wants to run. */
export interface RunJob {
  /** Whose slots it takes: the caller's id within agent and tenant. */
  readonly owner: string;
  /** The execution. Its slot is free again when this settles; a rejection is the job's own business. */
  run(): Promise<void>;
}

/** An execution that was accepted. */
export interface ScheduledRun {
  /** True once the execution has begun. */
  readonly started: boolean;
  /** Takes a job that has not begun out of the queue. @returns false when it has begun */
  cancel(): boolean;
}

/** The live numbers of a scheduler. */
export interface RunGauges {
  readonly running: number;
  readonly queued: number;
}

/**
 * Decides where and when executions run, how many at once, and how many may wait. The class is its own injection
 * token.
 *
 * @publicApi
 */
export abstract class RunScheduler {
  /**
   * Accepts an execution. It keeps the asynchronous context (AsyncLocalStorage) of this call, however long it waits.
   *
   * @throws UnavailableError at once when as many wait as may wait; nothing is queued then
   */
  abstract schedule(job: RunJob): ScheduledRun;

  abstract gauges(): RunGauges;
}
