import type { BusinessInput } from './business-input.js';
import type { WorkflowInput } from './workflow-input.js';

/**
 * A subtask that is to be done now.
 *
 * @publicApi
 */
export interface TaskRequest {
  /** Of this run. */
  readonly executionId: string;
  /** The engine's own id of the subtask, not the agent's. */
  readonly taskId: string;
  readonly stepName: string;
  readonly agentName: string;
  readonly skill: string;
  /** The description of the subtask and nothing else. */
  readonly instruction: string;
  /** As the run was given it; `zh` unless told otherwise. */
  readonly language: string;
  readonly input: BusinessInput;
  readonly workflowInput: WorkflowInput;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
