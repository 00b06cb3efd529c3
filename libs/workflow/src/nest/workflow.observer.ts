import type { WorkflowEvent } from '../control/event-data.js';
import type { WorkflowRun } from '../runner/workflow-run.js';

/**
 * How a run of a `WorkflowRunner` ended.
 *
 * @publicApi
 */
export interface WorkflowRunReport {
  readonly executionId: string;
  /** `error`: it did not come to a result, because it was cancelled or could not begin. */
  readonly outcome: 'success' | 'failure' | 'error';
  /** What a failed workflow says, or the name of the error. Absent when it succeeded. */
  readonly error?: string;
  readonly milliseconds: number;
}

/**
 * Told of all runs of the app: for metrics, traces, an audit. Called in the middle of the work: be quick. What it throws
 * is logged and has no effect.
 *
 * @publicApi
 */
export abstract class WorkflowObserver {
  runStarted(_run: WorkflowRun): void {
    return undefined;
  }

  /** One event of a run, typed and unchanged. */
  event(_executionId: string, _event: WorkflowEvent): void {
    return undefined;
  }

  runEnded(_report: WorkflowRunReport): void {
    return undefined;
  }
}
