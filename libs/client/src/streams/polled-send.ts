import {
  decodeSendMessageResponse,
  isInterrupted,
  isTerminal,
  type SendMessageRequest,
  type StreamResponse,
} from 'nestjs-a2a/protocol';
import type { AgentCalls, CallOptions } from '../calls/agent-calls.js';
import type { TaskView } from '../task/task-view.js';
import { pollTask, type PollingOptions } from './task-poller.js';

/** A send to an agent that cannot stream, told as a stream. */
export async function* polledSend(
  calls: AgentCalls,
  params: SendMessageRequest,
  view: TaskView,
  call: CallOptions,
  polling: PollingOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const scope = calls.scopeOf(call);
  const options = { ...call, signal: scope.signal };
  const told = function* (event: StreamResponse): Generator<StreamResponse> {
    view.apply(event);
    yield event;
  };
  try {
    const configuration = { ...params.configuration, returnImmediately: true };
    const request = { ...params, configuration };
    const answer = await calls.call('SendMessage', request, decodeSendMessageResponse, options);
    yield* told(answer);
    if ('message' in answer) return;
    const { id, status } = answer.task;
    if (isTerminal(status.state) || isInterrupted(status.state)) return;
    await calls.wait(polling.initialDelayMs, scope.signal);
    for await (const event of pollTask(calls, id, view, { ...options, stopsAtQuestion: true }, polling)) {
      yield* told(event);
    }
  } finally {
    scope.end();
  }
}
