import { abortable } from 'nestjs-a2a/net';
import { LinkedAbort } from '../client/timing/linked-abort.js';
import { CancellationException } from '../errors/workflow.error.js';
import { StepType } from '../model/step-type.js';
import { TaskStatus } from '../model/task-status.js';
import type { WorkflowInput } from '../model/workflow-input.js';
import { dispatchSubtask } from './dispatch-subtask.js';
import type { ExecutionContext } from './execution-context.js';
import type { CollectedResult } from './execution-record.js';
import type { StepDefinition } from './step-definition.js';
import { executionResultOf, reportResult, type Subtask, subtaskOf } from './subtask.js';

/** What the subtasks of a step came to: those that count. */
export interface StepOutcome {
  readonly success: boolean;
  /** In the order of the subtasks. */
  readonly collected: readonly CollectedResult[];
}

/**
 * Starts all subtasks of a step, and waits as its type demands: for all of them, or for the first success. Those that are
 * not waited for are cancelled and leave no trace.
 *
 * @throws what kept a subtask from being started
 */
export async function runSubtasks(
  context: ExecutionContext,
  step: StepDefinition,
  workflowInput: WorkflowInput,
): Promise<StepOutcome> {
  // Ends what is left of the step, whichever way it ended.
  const over = new LinkedAbort(context.signal);
  const collected: CollectedResult[] = [];
  const isEnough = (): boolean => step.stepType === StepType.ANY_SUCCESS && collected.some(isSuccess);
  try {
    const runs: Promise<void>[] = [];
    const begun = begunBefore(context, step);
    for (const [index, task] of step.subtasks.entries()) {
      if (begun?.has(index) === false) continue;
      const ending = new LinkedAbort(over.signal);
      const subtask = subtaskOf(context, step, index, task, workflowInput, ending.signal);
      const { executionId } = context;
      context.emit('task_request', { executionId, step: step.name, agent: task.agent, task: task.description });
      const reported = run(context, subtask, ending).then((result) => {
        if (over.signal.aborted) return;
        reportResult(context, subtask, result.result);
        collected.push(result);
        if (isEnough()) over.abort(new CancellationException(`${step.name} has succeeded`));
      });
      // Those that are not waited for may fail as they like.
      reported.catch(() => undefined);
      runs.push(reported);
    }
    await untilEnded(runs, over.signal);
    context.signal.throwIfAborted();
  } finally {
    over.release();
    over.abort(new CancellationException(`${step.name} has ended`));
  }
  collected.sort((a, b) => a.index - b.index);
  const success =
    step.stepType === StepType.ANY_SUCCESS && step.subtasks.length > 0
      ? collected.some(isSuccess)
      : collected.every(isSuccess);
  return { success, collected };
}

/**
 * The subtasks to look at in a step that had won in an earlier life: of the others, which were to be cancelled, the
 * agents' tasks are cancelled now. `undefined`: all of them.
 */
function begunBefore(
  { engineClient, recorder, track }: ExecutionContext,
  step: StepDefinition,
): Set<number> | undefined {
  if (step.stepType !== StepType.ANY_SUCCESS) return undefined;
  const places = step.subtasks.map((_, index) => ({ step: step.name, index }));
  if (!places.some((place) => recorder.finishedBefore(place)?.success)) return undefined;
  const finished = places.filter((place) => recorder.finishedBefore(place) !== undefined);
  for (const place of places) {
    const taskId = finished.includes(place) ? undefined : recorder.taskBefore(place);
    // It may have ended by itself.
    if (taskId !== undefined) track(engineClient.cancelTask(step.subtasks[place.index]?.agent ?? '', taskId));
  }
  return new Set(finished.map(({ index }) => index));
}

async function run(context: ExecutionContext, subtask: Subtask, ending: LinkedAbort): Promise<CollectedResult> {
  const { index } = subtask;
  const place = { step: subtask.step.name, index };
  const before = context.recorder.finishedBefore(place);
  try {
    const result = before ?? (await dispatchSubtask(context, subtask, ending));
    if (before === undefined) await context.recorder.finished(place, result);
    return { index, result: executionResultOf(subtask, result) };
  } finally {
    // To the host a signal that fires after the end would look like a cancel.
    ending.release();
  }
}

/**
 * Waits for all of them, or for the signal. What comes later is ignored.
 *
 * @throws what the first of them failed with, when all had the time to end
 */
async function untilEnded(runs: readonly Promise<void>[], signal: AbortSignal): Promise<void> {
  const settled = Promise.allSettled(runs);
  try {
    for (const outcome of await abortable(settled, signal)) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function isSuccess({ result }: CollectedResult): boolean {
  return result.status === TaskStatus.SUCCESS;
}
