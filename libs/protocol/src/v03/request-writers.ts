import type { TaskPushNotificationConfig } from '../types/push.js';
import type { ListTaskPushNotificationConfigsResponse, SendMessageRequest } from '../types/requests.js';
import { present } from './present.js';
import type { V03ProtoCreatePushConfig, V03ProtoPushConfig, V03ProtoSendRequest } from './proto-types.js';
import { toV03ProtoMessage } from './proto-writers.js';
import { pushConfigName, taskName } from './resource-names.js';
import type { V03MessageSendParams, V03PushNotificationConfig, V03TaskPushNotificationConfig } from './types.js';
import { toV03Message } from './writers.js';

/** Without its task and its tenant, of which 0.3 knows nothing. */
export function toV03PushConfig(config: TaskPushNotificationConfig): V03PushNotificationConfig {
  const { id, url, token, authentication } = config;
  return present({
    id,
    url,
    token,
    authentication:
      authentication && present({ schemes: [authentication.scheme], credentials: authentication.credentials }),
  });
}

/** Params of `tasks/pushNotificationConfig/set`, and what the methods around it answer. */
export function toV03TaskPushConfig(config: TaskPushNotificationConfig): V03TaskPushNotificationConfig {
  return { taskId: config.taskId ?? '', pushNotificationConfig: toV03PushConfig(config) };
}

/** What `tasks/pushNotificationConfig/list` answers: all there are, for it knows no pages. */
export function toV03PushConfigList({
  configs = [],
}: ListTaskPushNotificationConfigsResponse): V03TaskPushNotificationConfig[] {
  return configs.map(toV03TaskPushConfig);
}

/**
 * Params of `message/send` and `message/stream`. It always says whether to wait: what is meant by silence, peers do not
 * agree on.
 */
export function toV03SendParams({ message, configuration = {}, metadata }: SendMessageRequest): V03MessageSendParams {
  const { acceptedOutputModes, historyLength, taskPushNotificationConfig: push, returnImmediately } = configuration;
  return present({
    message: toV03Message(message),
    configuration: present({
      acceptedOutputModes,
      historyLength,
      pushNotificationConfig: push && toV03PushConfig(push),
      blocking: returnImmediately !== true,
    }),
    metadata,
  });
}

/** Body of `/v1/message:send` and `/v1/message:stream`. */
export function toV03ProtoSendRequest({
  message,
  configuration = {},
  metadata,
}: SendMessageRequest): V03ProtoSendRequest {
  const { acceptedOutputModes, historyLength, taskPushNotificationConfig: push, returnImmediately } = configuration;
  return present({
    message: toV03ProtoMessage(message),
    configuration: present({
      acceptedOutputModes,
      historyLength,
      pushNotification: push && toV03PushConfig(push),
      blocking: returnImmediately !== true,
    }),
    metadata,
  });
}

/** A push configuration in the JSON of the proto file. */
export function toV03ProtoPushConfig(config: TaskPushNotificationConfig): V03ProtoPushConfig {
  const { taskId = '', id = '' } = config;
  return { name: pushConfigName(taskId, id), pushNotificationConfig: toV03PushConfig(config) };
}

/** The same for all of one task. */
export function toV03ProtoPushConfigList({ configs = [], nextPageToken }: ListTaskPushNotificationConfigsResponse): {
  configs: V03ProtoPushConfig[];
  nextPageToken?: string;
} {
  return present({ configs: configs.map(toV03ProtoPushConfig), nextPageToken });
}

/** Body that creates a push configuration. */
export function toV03ProtoCreatePushConfig(config: TaskPushNotificationConfig): V03ProtoCreatePushConfig {
  return {
    parent: taskName(config.taskId ?? ''),
    configId: config.id ?? '',
    config: toV03ProtoPushConfig(config),
  };
}
