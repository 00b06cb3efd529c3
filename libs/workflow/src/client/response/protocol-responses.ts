import { type StreamResponse, type Task, TaskState } from 'nestjs-a2a/protocol';
import { BusinessValues, type JsonObject } from '../../model/business-values.js';
import type { ReceivedMessage } from '../../model/received-message.js';
import type { SendMessageResult } from '../../model/send-message-result.js';
import { ResponseAccumulator } from './response-accumulator.js';

/**
 * Makes results of what agents answer.
 *
 * @publicApi
 */
export const ProtocolResponses = {
  /** The result of events, in the order in which they came. */
  fromEvents(events: Iterable<StreamResponse>): SendMessageResult {
    const accumulator = new ResponseAccumulator();
    for (const event of events) accumulator.apply(event);
    return resultOf(accumulator);
  },

  /** The result of a task as it stands. */
  fromTask(task: Task): SendMessageResult {
    return ProtocolResponses.fromEvents([{ task }]);
  },

  /** The same result as a failure of this side. What the agent said stays; a message is no output any more. */
  withFailure(result: SendMessageResult, failureCode: string, failureMessage: string): SendMessageResult {
    const { receivedMessages } = result;
    return Object.freeze({ ...result, outputs: outputsOf(receivedMessages, false), failureCode, failureMessage });
  },
};

export function resultOf(accumulator: ResponseAccumulator): SendMessageResult {
  const receivedMessages = Object.freeze(accumulator.received());
  const task = accumulator.task(receivedMessages.at(-1));
  const taskState = accumulator.state ?? '';
  const isSuccess = accumulator.taskId === undefined || taskState === TaskState.COMPLETED;
  return Object.freeze({
    receivedMessages,
    outputs: outputsOf(receivedMessages, isSuccess),
    task,
    taskState,
    text: accumulator.text(),
    metadata: flattened(receivedMessages),
    failureCode: null,
    failureMessage: null,
  });
}

function outputsOf(received: readonly ReceivedMessage[], includeMessage: boolean) {
  return Object.freeze(received.flatMap((entry) => [...entry.outputs(includeMessage)]));
}

function flattened(received: readonly ReceivedMessage[]): JsonObject {
  // A plain assignment of `__proto__` would set the prototype.
  return BusinessValues.map(Object.fromEntries(received.flatMap(layersOf).flatMap((layer) => Object.entries(layer))));
}

function layersOf({ message, taskMetadata, artifacts }: ReceivedMessage): object[] {
  return [taskMetadata, message?.metadata ?? {}, ...artifacts.map(({ metadata = {} }) => metadata)];
}
