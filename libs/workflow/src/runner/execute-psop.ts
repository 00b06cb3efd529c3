import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import { checkLimits } from '../core/slots.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { engineClientOf } from './engine-client-of.js';
import { journaledRun, plainRun, type PrepareRun, resumedRun } from './prepared-run.js';
import type { ExecutePsopOptions, PsopRunOptions, ResumePsopOptions } from './psop-options.js';
import { WorkflowRun } from './workflow-run.js';

/**
 * Runs a workflow.
 *
 * ```ts
 * const { success, stepOutputs } = await executePsop({ psop: workflow, agentCards: cards, controlPoint });
 * ```
 *
 * @throws WorkflowArgumentError at once: `psop is required`, `controlPoint is required`, a limit of subtasks below 1, or
 *   a client that is given together with what a client is made of
 * @publicApi
 */
export function executePsop(options: ExecutePsopOptions): WorkflowRun {
  return executeChecked(options);
}

/** The same for options of which some may be missing. */
export function executeChecked(options: Partial<ExecutePsopOptions>): WorkflowRun {
  const { psop: workflow, controlPoint, runtimeIntent, lang, journal, executionId } = options;
  if (!workflow) throw new WorkflowArgumentError('psop is required');
  const settings = { ...settingsOf({ ...options, controlPoint }), workflow, runtimeIntent, lang };
  return start(options, settings, (ready) => (journal ? journaledRun(ready, journal) : plainRun(ready)), executionId);
}

/**
 * Goes on with a run that a journal has kept: what is done is not done again, agents' tasks that were begun are followed
 * to their end, and the decisions about edges stand. A run that had ended gives its result once more.
 *
 * The result rejects with WorkflowStateError when the journal does not know the run, when it was cancelled, or when somebody
 * else is at it.
 *
 * @throws WorkflowArgumentError at once: as {@link executePsop}
 * @publicApi
 */
export function resumePsop(options: ResumePsopOptions): WorkflowRun {
  return start(options, settingsOf(options), (ready) => resumedRun(ready, options), options.executionId);
}

function settingsOf(options: Partial<PsopRunOptions>) {
  const { controlPoint, maxParallelTasks, maxParallelTasksPerAgent, runningStatus } = options;
  if (!controlPoint) throw new WorkflowArgumentError('controlPoint is required');
  checkLimits({ maxParallelTasks, maxParallelTasksPerAgent });
  return { controlPoint, maxParallelTasks, maxParallelTasksPerAgent, runningStatus };
}

function start<T>(
  options: Partial<PsopRunOptions>,
  settings: T,
  prepare: (ready: T & { engineClient: WorkflowEngineClient }) => PrepareRun,
  executionId?: string,
): WorkflowRun {
  const { eventCallback, onCallbackError, onEvent, onFinish, signal } = options;
  const observers = { eventCallback, onCallbackError, onEvent, onFinish, signal };
  const engineClient = engineClientOf(options);
  const ownClient = options.engineClient ? undefined : engineClient;
  return new WorkflowRun({ ...observers, prepare: prepare({ ...settings, engineClient }), executionId, ownClient });
}
