import { Role, TaskState } from '../types/enums.js';
import { arrayOf, filledArrayOf, plainArrayOf } from './collections.js';
import { jsonValue, struct } from './json-value.js';
import { message, nullable, oneof, optional, required, requiredOr } from './message-decoder.js';
import { anyString, boolean, bytes, enumOf, idString, plainString, timestamp } from './scalars.js';

/** In the order of their numbers in the proto file. */
export const taskState = enumOf<TaskState>([
  TaskState.UNSPECIFIED,
  TaskState.SUBMITTED,
  TaskState.WORKING,
  TaskState.COMPLETED,
  TaskState.FAILED,
  TaskState.CANCELED,
  TaskState.INPUT_REQUIRED,
  TaskState.REJECTED,
  TaskState.AUTH_REQUIRED,
]);

const role = enumOf<Role>([Role.UNSPECIFIED, Role.USER, Role.AGENT]);

export const part = oneof(
  { text: required(anyString), raw: required(bytes), url: required(anyString), data: nullable(jsonValue) },
  { metadata: optional(struct), filename: optional(plainString), mediaType: optional(plainString) },
);

export const messageObject = message({
  messageId: required(idString),
  contextId: optional(idString),
  taskId: optional(idString),
  role: required(role),
  parts: requiredOr(filledArrayOf(part), () => []),
  metadata: optional(struct),
  extensions: optional(plainArrayOf(anyString)),
  referenceTaskIds: optional(plainArrayOf(idString)),
});

export const taskStatus = message({
  state: required(taskState),
  message: optional(messageObject),
  timestamp: optional(timestamp),
});

export const artifact = message({
  artifactId: required(idString),
  name: optional(plainString),
  description: optional(plainString),
  parts: requiredOr(filledArrayOf(part), () => []),
  metadata: optional(struct),
  extensions: optional(plainArrayOf(anyString)),
});

export const task = message({
  id: required(idString),
  contextId: optional(idString),
  status: required(taskStatus),
  artifacts: optional(plainArrayOf(artifact)),
  history: optional(plainArrayOf(messageObject)),
  metadata: optional(struct),
});

export const taskStatusUpdateEvent = message({
  taskId: required(idString),
  contextId: required(idString),
  status: required(taskStatus),
  metadata: optional(struct),
});

export const taskArtifactUpdateEvent = message({
  taskId: required(idString),
  contextId: required(idString),
  artifact: required(artifact),
  append: optional(boolean),
  lastChunk: optional(boolean),
  metadata: optional(struct),
});

export const streamResponse = oneof(
  {
    task: required(task),
    message: required(messageObject),
    statusUpdate: required(taskStatusUpdateEvent),
    artifactUpdate: required(taskArtifactUpdateEvent),
  },
  {},
);

export const sendMessageResponse = oneof({ task: required(task), message: required(messageObject) }, {});

export const tasks = arrayOf(task);
