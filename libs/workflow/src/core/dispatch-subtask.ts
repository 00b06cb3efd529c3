import { abortable } from 'nestjs-a2a/net';
import { LinkedAbort } from '../client/timing/linked-abort.js';
import { toTaskResult } from '../client/to-task-result.js';
import type { NegotiationStrategy } from '../control/negotiation-strategy.js';
import { failureOf } from '../errors/failure-of.js';
import { TimeoutException } from '../errors/workflow.error.js';
import { MessageContent } from '../model/message-content.js';
import { StepType } from '../model/step-type.js';
import { TaskResult } from '../model/task-result.js';
import { TaskStatus } from '../model/task-status.js';
import type { ExecutionContext } from './execution-context.js';
import { callHost } from './host-call.js';
import type { Subtask } from './subtask.js';

/**
 * Does a subtask: asks the host for the content, sends it, and brings it to its end.
 *
 * @param stop ends the subtask from outside; its signal is the one of the request
 * @returns a failure for whatever goes wrong, except when the run or the step no longer wants a result
 * @throws the reason of the signal
 */
export async function dispatchSubtask(
  context: ExecutionContext,
  subtask: Subtask,
  stop: LinkedAbort,
): Promise<TaskResult> {
  const { signal } = stop;
  try {
    const leave = await context.slots.take(subtask.task.agent, signal);
    const timer = setTimeout(() => stop.abort(new TimeoutException()), context.callbackTimeoutMs);
    timer.unref();
    try {
      if (context.runningStatus) reportRunning(context, subtask);
      return await (subtask.step.stepType === StepType.SELF_LOOP ? doSelf : send)(context, subtask, signal);
    } finally {
      clearTimeout(timer);
      leave();
    }
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof TimeoutException)) throw signal.reason;
    const { code, message, details } = failureOf(error);
    return TaskResult.of({ success: false, errorCode: code, error: message, errorDetails: details });
  }
}

async function doSelf(
  { controlPoint, callbackTimeoutMs }: ExecutionContext,
  { request }: Subtask,
  signal: AbortSignal,
) {
  const result = await callHost(
    {
      make: () => controlPoint.onSelfTask(request),
      nullFuture: 'onSelfTask returned null future',
      nullValue: 'Callback returned null',
    },
    { timeoutMs: callbackTimeoutMs, signal },
  );
  return TaskResult.of(result);
}

async function send(context: ExecutionContext, subtask: Subtask, signal: AbortSignal): Promise<TaskResult> {
  const { controlPoint, callbackTimeoutMs, emit, engineClient, recorder, track } = context;
  const { request, step, index } = subtask;
  const place = { step: step.name, index };
  const content =
    recorder.sentBefore(place) ??
    MessageContent.of(
      await callHost(
        {
          make: () => controlPoint.onTask(request),
          nullFuture: 'onTask returned null future',
          nullValue: 'onTask returned null content',
        },
        { timeoutMs: callbackTimeoutMs, signal },
      ),
    );
  const negotiationStrategy: NegotiationStrategy = {
    resolve: (negotiation) => controlPoint.onNegotiation(Object.freeze({ ...negotiation, task: request })),
  };
  const sending = engineClient.sendTask(request.agentName, content, {
    negotiationStrategy,
    events: { onEvent: emit },
    task: request,
    signal,
    journal: recorder.sendJournal(place, content),
  });
  // A client that is told to stop cancels the agent's task first.
  track(sending);
  return toTaskResult(await abortable(sending, signal));
}

function reportRunning({ executionId, emit }: ExecutionContext, { index, step, task }: Subtask): void {
  const status = TaskStatus.RUNNING;
  emit('task_status_changed', { executionId, step: step.name, subtask_index: index, agent: task.agent, status });
}
