import type { WorkflowTask } from '../model/workflow-step.js';
import { BusinessInput } from '../model/business-input.js';
import type { TaskExecutionResult } from '../model/task-execution-result.js';
import type { TaskRequest } from '../model/task-request.js';
import type { TaskResult } from '../model/task-result.js';
import { TaskStatus } from '../model/task-status.js';
import type { WorkflowInput } from '../model/workflow-input.js';
import type { ExecutionContext } from './execution-context.js';
import type { StepDefinition } from './step-definition.js';
import { logicalTaskId } from './task-id.js';

/** One subtask of a run. */
export interface Subtask {
  readonly step: StepDefinition;
  readonly index: number;
  readonly task: WorkflowTask;
  readonly request: TaskRequest;
}

/** @throws WorkflowArgumentError when there is neither an input nor a description that could stand for it */
export function subtaskOf(
  context: ExecutionContext,
  step: StepDefinition,
  index: number,
  task: WorkflowTask,
  workflowInput: WorkflowInput,
  signal: AbortSignal,
): Subtask {
  const { executionId, language } = context;
  const request: TaskRequest = Object.freeze({
    executionId,
    taskId: logicalTaskId(executionId, step.name, index),
    stepName: step.name,
    agentName: task.agent,
    skill: task.skill,
    instruction: task.description,
    language,
    input: task.input ?? BusinessInput.text(task.description),
    workflowInput,
    signal,
  });
  return { step, index, task, request };
}

export function executionResultOf({ task, request }: Subtask, result: TaskResult): TaskExecutionResult {
  return Object.freeze({
    agentName: task.agent,
    skill: task.skill,
    taskId: request.taskId,
    taskDescription: task.description,
    status: result.success ? TaskStatus.SUCCESS : TaskStatus.FAILED,
    outputs: result.outputs,
    receivedMessages: result.receivedMessages,
    error: result.error,
    errorCode: result.errorCode,
    errorDetails: result.errorDetails,
  });
}

/** Tells and notes how a subtask ended, in the order that observers rely on. */
export function reportResult(context: ExecutionContext, subtask: Subtask, result: TaskExecutionResult): void {
  const { executionId, emit, record } = context;
  const { index, step, task } = subtask;
  const { agentName: agent, status, taskId, outputs, errorDetails } = result;
  const [error, errorCode] = [result.error ?? '', result.errorCode ?? ''];
  const place = { step: step.name, subtask_index: index, agent };
  emit('task_status_changed', { executionId, ...place, status });
  const row = { ...place, task: task.description, taskId, outputs, error, errorCode, errorDetails };
  record.addRow({ ...row, status });
  emit('task_response', { executionId, ...row, success: status === TaskStatus.SUCCESS });
}
