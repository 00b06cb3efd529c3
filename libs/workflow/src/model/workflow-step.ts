import type { BusinessInput } from './business-input.js';
import type { StepType } from './step-type.js';

/**
 * One dispatch inside a step.
 *
 * @publicApi
 */
export interface WorkflowTask {
  /** Name of the agent, as on its card. */
  readonly agent: string;
  /** Id of the agent's skill; told to the host, not to the agent. */
  readonly skill: string;
  /** What is to be done. */
  readonly description: string;
  /** What it is done with; `null`: the description. */
  readonly input: BusinessInput | null;
}

/**
 * An edge of the graph.
 *
 * @publicApi
 */
export interface JumpCondition {
  /** Name of the next step, or `end`, `endNode` or `retry`: each of these three ends the path. */
  readonly step: string;
  /** Blank: the edge is always taken. Any other text is a question for `onRoute`; the engine does not read it. */
  readonly condition: string;
}

/**
 * A node of the graph.
 *
 * @publicApi
 */
export interface WorkflowStep {
  /** Unique in its workflow. */
  readonly name: string;
  readonly subtasks: readonly WorkflowTask[];
  readonly next: readonly JumpCondition[];
  /** A hint of the design tool; nothing depends on it. */
  readonly layer: number;
  /** Whose results the step sees. `null`: its predecessors'; `[]`: nobody's; `['*']`: those of all ancestors. */
  readonly contextFrom: readonly string[] | null;
  readonly stepType: StepType;
}
