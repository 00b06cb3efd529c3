import type { TaskKey } from './tasks/task-record.js';

/** How a run ended: the state it left its task in, or that it answered with a direct message. */
export interface RunReport {
  readonly key: TaskKey;
  /** The task's state after the run; undefined for a direct message. */
  readonly state: string | undefined;
  /** Milliseconds from the start of the execution to its end. */
  readonly milliseconds: number;
  /** Events that the run made. */
  readonly events: number;
}

/**
 * Is told what happens inside; tracing, metrics and health checks build on it. Override what you need. Its methods are
 * called synchronously on the hot path: be quick. What they throw is logged and otherwise ignored.
 *
 * @publicApi
 */
export abstract class A2AObserver {
  /** An execution begins. */
  runStarted?(key: TaskKey): void;
  /** An execution is over. */
  runEnded?(report: RunReport): void;
  /** How many executions wait for a slot; told when one is accepted. */
  queueDepth?(waiting: number): void;
  /** A reader fell behind and was cut off. */
  readerCut?(): void;
  /** How many push notifications wait for their receivers; told when one is added. */
  pushQueueDepth?(waiting: number): void;
  /** A push notification was given up: it could not be delivered, or there was no room for it. */
  pushLost?(key: TaskKey, configId: string): void;
}

/** The default: nobody is told. */
export class SilentObserver extends A2AObserver {}
