import type { TaskExecutionResult } from './task-execution-result.js';

/**
 * What one step before this one came to.
 *
 * @publicApi
 */
export interface UpstreamStepResult {
  readonly stepName: string;
  /** In the order of the subtasks. */
  readonly taskResults: readonly TaskExecutionResult[];
}

/**
 * What a step may know besides its own task: the engine shows it to the host and adds none of it to a message.
 *
 * @publicApi
 */
export interface WorkflowInput {
  /** What the run is for, in the words of the one who started it. */
  readonly runtimeIntent: string;
  /** Chosen by the step's `contextFrom`. */
  readonly upstreamResults: readonly UpstreamStepResult[];
}
