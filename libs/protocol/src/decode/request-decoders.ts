import { plainArrayOf } from './collections.js';
import type { Decode, Infer } from './decoder.js';
import { struct } from './json-value.js';
import { message, optional, required, requiredOr } from './message-decoder.js';
import { anyString, boolean, int32, plainCount, idString, plainString, timestamp } from './scalars.js';
import { messageObject, tasks, taskState } from './task-decoders.js';

const MAX_PAGE_SIZE = 100;

const historyLength = int32(0);

export const authenticationInfo = message({ scheme: required(plainString), credentials: optional(plainString) });

export const taskPushNotificationConfig = message({
  tenant: optional(idString),
  id: optional(idString),
  taskId: optional(idString),
  url: required(plainString),
  token: optional(plainString),
  authentication: optional(authenticationInfo),
});

export const sendMessageConfiguration = message({
  acceptedOutputModes: optional(plainArrayOf(anyString)),
  taskPushNotificationConfig: optional(taskPushNotificationConfig),
  historyLength: optional(historyLength),
  returnImmediately: optional(boolean),
});

export const sendMessageRequest = message({
  tenant: optional(idString),
  message: required(messageObject),
  configuration: optional(sendMessageConfiguration),
  metadata: optional(struct),
});

export const getTaskRequest = message({
  tenant: optional(idString),
  id: required(idString),
  historyLength: optional(historyLength),
});

export const listTasksRequest = message({
  tenant: optional(idString),
  contextId: optional(idString),
  status: optional(taskState),
  pageSize: optional(int32(1, MAX_PAGE_SIZE)),
  pageToken: optional(plainString),
  historyLength: optional(historyLength),
  statusTimestampAfter: optional(timestamp),
  includeArtifacts: optional(boolean),
});

export const listTasksResponse = message({
  tasks: requiredOr(tasks, () => []),
  nextPageToken: requiredOr(anyString, () => ''),
  pageSize: requiredOr(int32(0), () => 0),
  totalSize: requiredOr(int32(0), () => 0),
});

export const cancelTaskRequest = message({
  tenant: optional(idString),
  id: required(idString),
  metadata: optional(struct),
});

export const subscribeToTaskRequest = message({ tenant: optional(plainString), id: required(plainString) });

export const getTaskPushNotificationConfigRequest = message({
  tenant: optional(idString),
  taskId: required(idString),
  id: required(idString),
});

export const listTaskPushNotificationConfigsRequest = message({
  tenant: optional(idString),
  taskId: required(idString),
  pageSize: optional(plainCount),
  pageToken: optional(plainString),
});

export const listTaskPushNotificationConfigsResponse = message({
  configs: optional(plainArrayOf(taskPushNotificationConfig)),
  nextPageToken: optional(anyString),
});

const tenantOnly = message({ tenant: optional(plainString) });

/** The one method that may come without params. */
export const getExtendedAgentCardRequest: Decode<Infer<typeof tenantOnly>> = (value, issues) =>
  tenantOnly(value === undefined ? {} : value, issues);
