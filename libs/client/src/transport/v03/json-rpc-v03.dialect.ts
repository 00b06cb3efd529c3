import {
  type A2AMethod,
  decodeCancelTaskRequest,
  decodeDeleteTaskPushNotificationConfigRequest,
  decodeGetExtendedAgentCardRequest,
  decodeGetTaskPushNotificationConfigRequest,
  decodeGetTaskRequest,
  decodeListTaskPushNotificationConfigsRequest,
  decodeSendMessageRequest,
  decodeSubscribeToTaskRequest,
  decodeTaskPushNotificationConfig,
  fromV03PushConfigList,
  fromV03SendResult,
  fromV03StreamEvent,
  fromV03Task,
  fromV03TaskPushConfig,
  toV03SendParams,
  toV03TaskPushConfig,
} from 'nestjs-a2a/protocol';
import { asItIs, operation, type V03Dialect, type V03Operation } from './v03-operation.js';

/** Params of a method; undefined for the one that has none. */
export type V03Params = object | undefined;

/** The methods of 0.3 on JSON-RPC. */
export const jsonRpcV03Dialect: V03Dialect<V03Params> = {
  calls: new Map<A2AMethod, V03Operation<V03Params, unknown>>([
    ['SendMessage', operation(decodeSendMessageRequest, toV03SendParams, fromV03SendResult)],
    ['GetTask', operation(decodeGetTaskRequest, ({ id, historyLength }) => ({ id, historyLength }), fromV03Task)],
    ['CancelTask', operation(decodeCancelTaskRequest, ({ id, metadata }) => ({ id, metadata }), fromV03Task)],
    [
      'CreateTaskPushNotificationConfig',
      operation(decodeTaskPushNotificationConfig, toV03TaskPushConfig, fromV03TaskPushConfig),
    ],
    [
      'GetTaskPushNotificationConfig',
      operation(decodeGetTaskPushNotificationConfigRequest, pushConfigParams, fromV03TaskPushConfig),
    ],
    [
      'ListTaskPushNotificationConfigs',
      operation(decodeListTaskPushNotificationConfigsRequest, ({ taskId }) => ({ id: taskId }), fromV03PushConfigList),
    ],
    [
      'DeleteTaskPushNotificationConfig',
      operation(decodeDeleteTaskPushNotificationConfigRequest, pushConfigParams, asItIs),
    ],
    ['GetExtendedAgentCard', operation(decodeGetExtendedAgentCardRequest, () => undefined, asItIs)],
  ]),
  streams: {
    SendStreamingMessage: operation(decodeSendMessageRequest, toV03SendParams, fromV03StreamEvent),
    SubscribeToTask: operation(decodeSubscribeToTaskRequest, ({ id }) => ({ id }), fromV03StreamEvent),
  },
};

function pushConfigParams({ taskId, id }: { taskId: string; id: string }): V03Params {
  return { id: taskId, pushNotificationConfigId: id };
}
