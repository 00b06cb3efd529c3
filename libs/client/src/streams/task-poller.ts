import { decodeTask, isInterrupted, isTerminal, type StreamResponse, type Task } from 'nestjs-a2a/protocol';
import type { AgentCalls, CallOptions } from '../calls/agent-calls.js';
import { isSettled } from '../task/settled.js';
import type { TaskView } from '../task/task-view.js';

/** How a task is asked about that cannot be listened to. */
export interface PollingOptions {
  /** Milliseconds after something new. */
  readonly initialDelayMs: number;
  /** Milliseconds once nothing has been new for long. */
  readonly maxDelayMs: number;
}

const GROWTH = 1.5;

/**
 * Asks for a task again and again, and tells what is new as events, until its end.
 *
 * @param stopsAtQuestion whether it also stops where the task waits for the client
 */
export async function* pollTask(
  calls: AgentCalls,
  taskId: string,
  view: TaskView,
  options: CallOptions & { readonly signal: AbortSignal; readonly stopsAtQuestion: boolean },
  polling: PollingOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { stopsAtQuestion, ...callOptions } = options;
  for (let delay = polling.initialDelayMs; ;) {
    const task = await calls.call('GetTask', { id: taskId }, decodeTask, callOptions);
    const news = view.taskId === undefined ? [{ task }] : view.missing(task);
    yield* news;
    const { state } = task.status;
    if (isTerminal(state) || (stopsAtQuestion && isInterrupted(state))) return;
    delay = news.length > 0 ? polling.initialDelayMs : Math.min(polling.maxDelayMs, delay * GROWTH);
    await calls.wait(delay, options.signal);
  }
}

/** The task once it has ended or asks something. */
export async function settledTask(
  calls: AgentCalls,
  taskId: string,
  call: CallOptions,
  polling: PollingOptions,
): Promise<Task> {
  const scope = calls.scopeOf(call);
  const options = { ...call, signal: scope.signal };
  try {
    for (let delay = polling.initialDelayMs; ; delay = Math.min(polling.maxDelayMs, delay * GROWTH)) {
      const task = await calls.call('GetTask', { id: taskId }, decodeTask, options);
      if (isSettled(task.status.state)) return task;
      await calls.wait(delay, scope.signal);
    }
  } finally {
    scope.end();
  }
}

/** A subscription to a task of an agent that cannot stream. */
export async function* polledSubscription(
  calls: AgentCalls,
  taskId: string,
  view: TaskView,
  call: CallOptions,
  polling: PollingOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const scope = calls.scopeOf(call);
  try {
    const options = { ...call, signal: scope.signal, stopsAtQuestion: false };
    for await (const event of pollTask(calls, taskId, view, options, polling)) {
      view.apply(event);
      yield event;
    }
  } finally {
    scope.end();
  }
}
