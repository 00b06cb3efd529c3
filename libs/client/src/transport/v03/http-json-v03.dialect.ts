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
  fromV03ProtoPushConfig,
  fromV03ProtoPushConfigList,
  fromV03ProtoSendResult,
  fromV03ProtoStreamEvent,
  fromV03ProtoTask,
  toV03ProtoCreatePushConfig,
  toV03ProtoSendRequest,
} from 'nestjs-a2a/protocol';
import { pathSegment, type RestRequest } from '../rest-request.js';
import { asItIs, operation, type V03Dialect, type V03Operation } from './v03-operation.js';

const taskPath = (id: string): string => `/v1/tasks/${pathSegment('id', id)}`;
const configsPath = (taskId: string | undefined): string =>
  `/v1/tasks/${pathSegment('taskId', taskId)}/pushNotificationConfigs`;
const configPath = ({ taskId, id }: { taskId: string; id: string }): string =>
  `${configsPath(taskId)}/${pathSegment('id', id)}`;

/** The routes of 0.3 on HTTP+JSON; bodies are in the JSON of the proto file, as all its agents have them. */
export const httpJsonV03Dialect: V03Dialect<RestRequest> = {
  calls: new Map<A2AMethod, V03Operation<RestRequest, unknown>>([
    [
      'SendMessage',
      operation(
        decodeSendMessageRequest,
        (params) => ({ method: 'POST', path: '/v1/message:send', body: toV03ProtoSendRequest(params) }),
        fromV03ProtoSendResult,
      ),
    ],
    [
      'GetTask',
      operation(
        decodeGetTaskRequest,
        ({ id, historyLength }) => ({
          method: 'GET',
          path: taskPath(id) + (historyLength === undefined ? '' : `?historyLength=${historyLength}`),
        }),
        fromV03ProtoTask,
      ),
    ],
    [
      'CancelTask',
      operation(
        decodeCancelTaskRequest,
        ({ id }) => ({ method: 'POST', path: `${taskPath(id)}:cancel`, body: {} }),
        fromV03ProtoTask,
      ),
    ],
    [
      'CreateTaskPushNotificationConfig',
      operation(
        decodeTaskPushNotificationConfig,
        (config) => ({ method: 'POST', path: configsPath(config.taskId), body: toV03ProtoCreatePushConfig(config) }),
        fromV03ProtoPushConfig,
      ),
    ],
    [
      'GetTaskPushNotificationConfig',
      operation(
        decodeGetTaskPushNotificationConfigRequest,
        (params) => ({ method: 'GET', path: configPath(params) }),
        fromV03ProtoPushConfig,
      ),
    ],
    [
      'ListTaskPushNotificationConfigs',
      operation(
        decodeListTaskPushNotificationConfigsRequest,
        ({ taskId }) => ({ method: 'GET', path: configsPath(taskId) }),
        fromV03ProtoPushConfigList,
      ),
    ],
    [
      'DeleteTaskPushNotificationConfig',
      operation(
        decodeDeleteTaskPushNotificationConfigRequest,
        (params) => ({ method: 'DELETE', path: configPath(params) }),
        asItIs,
      ),
    ],
    [
      'GetExtendedAgentCard',
      operation(decodeGetExtendedAgentCardRequest, () => ({ method: 'GET', path: '/v1/card' }), asItIs),
    ],
  ]),
  streams: {
    SendStreamingMessage: operation(
      decodeSendMessageRequest,
      (params) => ({ method: 'POST', path: '/v1/message:stream', body: toV03ProtoSendRequest(params) }),
      fromV03ProtoStreamEvent,
    ),
    SubscribeToTask: operation(
      decodeSubscribeToTaskRequest,
      ({ id }) => ({ method: 'GET', path: `${taskPath(id)}:subscribe` }),
      fromV03ProtoStreamEvent,
    ),
  },
};
