import { contextWindow } from './context-window.js';
import type { ExecutionContext } from './execution-context.js';
import { routeStep } from './route-step.js';
import { runSubtasks } from './run-subtasks.js';

/** Text of a step, and of a run, that failed by its own rules. */
export const STEP_FAILED = 'Step execution failed';

/** How a step ended: with the steps that follow, or failed. */
export type StepEnd = { readonly failed: true } | { readonly failed: false; readonly targets: readonly number[] };

/**
 * Runs a step, its routing included. A step that fails leads nowhere.
 *
 * @throws what kept it from being run or routed
 */
export async function runStep(context: ExecutionContext, index: number): Promise<StepEnd> {
  const { emit, executionId, graph, record, runtimeIntent } = context;
  const step = graph.steps[index];
  if (step === undefined) throw new RangeError(`No step at ${index}`);
  emit('step_start', { executionId, step: step.name });
  const workflowInput = contextWindow(graph, index, record, runtimeIntent);
  const { success, collected } = await runSubtasks(context, step, workflowInput);
  const results = record.stepFinished(index, step.name, collected);
  if (!success) {
    const errorCode = 'workflow.step_failed';
    emit('error', { executionId, step: step.name, results, error: STEP_FAILED, errorCode });
    return { failed: true };
  }
  emit('step_complete', { executionId, step: step.name, results });
  return { failed: false, targets: await routeStep(context, index, workflowInput) };
}
