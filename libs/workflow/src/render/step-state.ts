import type { ExecutionResult } from '../model/execution-result.js';
import { StepType } from '../model/step-type.js';
import { TaskStatus } from '../model/task-status.js';
import type { WorkflowStep } from '../model/workflow-step.js';

/** How a step came out: `skipped` ones never ran. */
export type StepState = 'success' | 'failed' | 'skipped';

/** `undefined` when there is no result yet. */
export function stepState(step: WorkflowStep, result: ExecutionResult | undefined): StepState | undefined {
  if (result === undefined) return undefined;
  if (!Object.hasOwn(result.stepOutputs, step.name)) return 'skipped';
  const rows = result.history.filter((row) => row.step === step.name);
  const isSuccess = ({ status }: (typeof rows)[number]): boolean => status === TaskStatus.SUCCESS;
  const any = step.stepType === StepType.ANY_SUCCESS && rows.length > 0;
  return (any ? rows.some(isSuccess) : rows.every(isSuccess)) ? 'success' : 'failed';
}
