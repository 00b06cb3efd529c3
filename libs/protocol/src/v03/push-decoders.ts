import { arrayOf, plainArrayOf } from '../decode/collections.js';
import type { Decode } from '../decode/decoder.js';
import { message, optional, required } from '../decode/message-decoder.js';
import { anyString, idString, plainString } from '../decode/scalars.js';
import type { AuthenticationInfo, TaskPushNotificationConfig } from '../types/push.js';
import type { ListTaskPushNotificationConfigsResponse } from '../types/requests.js';
import { mapped } from './mapped.js';
import { present } from './present.js';
import { readName } from './resource-names.js';

const authenticationFields = message({
  schemes: optional(plainArrayOf(anyString)),
  credentials: optional(plainString),
});

/** 1.0 has one scheme where 0.3 had a choice: the first one. */
const authentication: Decode<AuthenticationInfo> = (value, issues) => {
  const read = authenticationFields(value, issues);
  if (read === undefined) return undefined;
  const [scheme = ''] = read.schemes ?? [];
  if (scheme !== '') return present({ scheme, credentials: read.credentials });
  return read.credentials === undefined ? undefined : issues.add('must name a scheme', 'schemes');
};

/** Without the task, which stands beside it. */
export const v03PushConfig = mapped(
  message({
    id: optional(idString),
    url: required(plainString),
    token: optional(plainString),
    authentication: optional(authentication),
  }),
  (config): TaskPushNotificationConfig => config,
);

/** Of one task. */
export const v03TaskPushConfig = mapped(
  message({ taskId: required(idString), pushNotificationConfig: required(v03PushConfig) }),
  ({ taskId, pushNotificationConfig }): TaskPushNotificationConfig => ({ ...pushNotificationConfig, taskId }),
);

const listed = mapped(arrayOf(v03TaskPushConfig), listOf);

/** All of one task; some peers answer null when there is none. */
export const v03PushConfigList: Decode<ListTaskPushNotificationConfigsResponse> = (value, issues) =>
  listed(value === null || value === undefined ? [] : value, issues);

/** In the JSON of the proto file: its ids may stand in its name alone. */
export const v03ProtoTaskPushConfig = mapped(
  message({ name: optional(plainString), pushNotificationConfig: required(v03PushConfig) }),
  ({ name = '', pushNotificationConfig }): TaskPushNotificationConfig => ({
    ...readName(name),
    ...pushNotificationConfig,
  }),
);

/** The same for all of one task. */
export const v03ProtoPushConfigList = mapped(
  message({ configs: optional(plainArrayOf(v03ProtoTaskPushConfig)), nextPageToken: optional(plainString) }),
  ({ configs = [], nextPageToken }): ListTaskPushNotificationConfigsResponse =>
    present({ ...listOf(configs), nextPageToken }),
);

function listOf(configs: TaskPushNotificationConfig[]): ListTaskPushNotificationConfigsResponse {
  return configs.length === 0 ? {} : { configs };
}
