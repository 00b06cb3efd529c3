import type { TaskExecutionResult } from './task-execution-result.js';
import type { WorkflowInput } from './workflow-input.js';

/**
 * A question about one conditional edge: shall it be taken?
 *
 * @publicApi
 */
export interface RouteRequest {
  readonly executionId: string;
  /** Where the edge starts. */
  readonly stepName: string;
  /** Where it leads. */
  readonly nextStep: string;
  /** Not blank, and in no language that the engine knows. */
  readonly condition: string;
  /** What the step at the start of the edge could see. */
  readonly workflowInput: WorkflowInput;
  /** What that step came to. */
  readonly currentResults: readonly TaskExecutionResult[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * The answer to a {@link RouteRequest}.
 *
 * @publicApi
 */
export interface RouteDecision {
  readonly allowed: boolean;
  /** For events and people. */
  readonly reason: string;
}

export const RouteDecision = {
  allow(reason?: string | null): RouteDecision {
    return Object.freeze({ allowed: true, reason: reason ?? '' });
  },
  deny(reason?: string | null): RouteDecision {
    return Object.freeze({ allowed: false, reason: reason ?? '' });
  },
};
