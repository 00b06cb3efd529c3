import { plainArrayOf } from '../decode/collections.js';
import type { Decode } from '../decode/decoder.js';
import { struct } from '../decode/json-value.js';
import { message, optional, required } from '../decode/message-decoder.js';
import { anyString, boolean, idString, int32, plainCount } from '../decode/scalars.js';
import { isRecord } from '../is-record.js';
import type { TaskPushNotificationConfig } from '../types/push.js';
import type {
  GetTaskPushNotificationConfigRequest,
  SendMessageConfiguration,
  SendMessageRequest,
} from '../types/requests.js';
import { mapped } from './mapped.js';
import { present } from './present.js';
import { v03ProtoTaskPushConfig, v03PushConfig } from './push-decoders.js';
import { readName } from './resource-names.js';
import { v03Objects, v03ProtoObjects } from './task-decoders.js';

const configuration = mapped(
  message({
    acceptedOutputModes: optional(plainArrayOf(anyString)),
    historyLength: optional(int32(0)),
    pushNotificationConfig: optional(v03PushConfig),
    blocking: optional(boolean),
  }),
  ({ blocking, pushNotificationConfig: taskPushNotificationConfig, ...rest }): SendMessageConfiguration =>
    present({
      ...rest,
      taskPushNotificationConfig,
      returnImmediately: blocking === undefined ? undefined : !blocking,
    }),
);

/** Params of `message/send` and `message/stream`. Who says nothing of blocking waits. */
export const v03SendParams: Decode<SendMessageRequest> = message({
  message: required(v03Objects.message),
  configuration: optional(configuration),
  metadata: optional(struct),
});

// In proto JSON, writers leave out what is false and 0: nothing said of blocking is not blocking there.
const protoConfiguration = mapped(
  message({
    acceptedOutputModes: optional(plainArrayOf(anyString)),
    historyLength: optional(plainCount),
    pushNotification: optional(v03PushConfig),
    blocking: optional(boolean),
  }),
  ({ blocking = false, pushNotification: taskPushNotificationConfig, ...rest }): SendMessageConfiguration =>
    present({ ...rest, taskPushNotificationConfig, returnImmediately: !blocking }),
);

/** Body of `/v1/message:send` and `/v1/message:stream`. */
export const v03ProtoSendRequest: Decode<SendMessageRequest> = message({
  message: required(v03ProtoObjects.message),
  configuration: optional(protoConfiguration),
  metadata: optional(struct),
});

/** Params of `tasks/get`. */
export const v03TaskQuery = message({ id: required(idString), historyLength: optional(int32(0)) });

/** Params of `tasks/cancel`. */
export const v03CancelParams = message({ id: required(idString), metadata: optional(struct) });

/** Params of `tasks/resubscribe`. */
export const v03TaskId = message({ id: required(idString) });

/** Params of `tasks/pushNotificationConfig/list`. */
export const v03PushConfigListParams = mapped(v03TaskId, ({ id }) => ({ taskId: id }));

const pushConfigFields = { id: required(idString), pushNotificationConfigId: optional(idString) };

/** Params of `tasks/pushNotificationConfig/get`. The id of a configuration that was made without one is its task's. */
export const v03GetPushConfigParams = mapped(
  message(pushConfigFields),
  ({ id: taskId, pushNotificationConfigId }): GetTaskPushNotificationConfigRequest => ({
    taskId,
    id: pushNotificationConfigId ?? taskId,
  }),
);

/** Params of `tasks/pushNotificationConfig/delete`. */
export const v03DeletePushConfigParams = mapped(
  message({ ...pushConfigFields, pushNotificationConfigId: required(idString) }),
  ({ id: taskId, pushNotificationConfigId: id }) => ({ taskId, id }),
);

const wrapped = mapped(
  message({ parent: optional(anyString), configId: optional(idString), config: required(v03ProtoTaskPushConfig) }),
  ({ parent = '', configId: id, config }): TaskPushNotificationConfig => ({
    ...present({ id, taskId: readName(parent).taskId }),
    ...config,
  }),
);

/** Body that creates a push configuration: wrapped as in the proto file, or bare. Its task stands in the path. */
export const v03ProtoCreatePushConfig: Decode<TaskPushNotificationConfig> = (value, issues) =>
  (isRecord(value) && isRecord(value['config']) ? wrapped : v03ProtoTaskPushConfig)(value, issues);
