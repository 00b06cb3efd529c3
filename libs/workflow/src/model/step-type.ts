import { WorkflowArgumentError } from '../errors/workflow.error.js';

/**
 * When a step counts as a success.
 *
 * - `ALL_SUCCESS`: every subtask succeeded
 * - `ANY_SUCCESS`: one did; the others are cancelled
 * - `SELF_LOOP`: as `ALL_SUCCESS`, but the host does the work itself, and nothing is sent
 *
 * @publicApi
 */
export const StepType = {
  ALL_SUCCESS: 'AllSuccess',
  ANY_SUCCESS: 'AnySuccess',
  SELF_LOOP: 'SelfLoop',
} as const;

export type StepType = (typeof StepType)[keyof typeof StepType];

const BY_SPELLING = new Map<string, StepType>(
  Object.entries(StepType).flatMap(([constant, value]) => [
    [constant.toLowerCase(), value],
    [value.toLowerCase(), value],
  ]),
);

/**
 * Reads a step type as orchestration centers write it, in any letter case.
 *
 * @param value nothing stands for `ALL_SUCCESS`
 * @throws WorkflowArgumentError when it is none
 */
export function parseStepType(value: unknown): StepType {
  if (value === undefined || value === null) return StepType.ALL_SUCCESS;
  const type = typeof value === 'string' ? BY_SPELLING.get(value.toLowerCase()) : undefined;
  if (type === undefined) throw new WorkflowArgumentError(`Unknown workflow step type: ${String(value)}`);
  return type;
}
