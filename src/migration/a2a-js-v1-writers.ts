import {
  isDataPart,
  isRawPart,
  isTextPart,
  Role,
  TaskState,
  type Artifact,
  type Message,
  type Part,
  type SendMessageConfiguration,
  type Task,
} from 'nestjs-a2a/protocol';

// The objects of its generated code: every member is there, and a oneof is a pair of name and value.

/** The states, each at the place of its number. */
export const STATES_BY_NUMBER: readonly TaskState[] = Object.values(TaskState);

export function toV1Message(message: Message): object {
  const {
    messageId,
    contextId = '',
    taskId = '',
    role,
    parts,
    metadata,
    extensions = [],
    referenceTaskIds = [],
  } = message;
  return {
    messageId,
    contextId,
    taskId,
    role: role === Role.AGENT ? 2 : 1,
    parts: parts.map(toV1Part),
    metadata,
    extensions,
    referenceTaskIds,
  };
}

export function toV1Task({ id, contextId = '', status, artifacts = [], history = [], metadata }: Task): object {
  const { state, message, timestamp } = status;
  return {
    id,
    contextId,
    status: { state: STATES_BY_NUMBER.indexOf(state), message: message && toV1Message(message), timestamp },
    artifacts: artifacts.map(toV1Artifact),
    history: history.map(toV1Message),
    metadata,
  };
}

/** Nothing when the caller sent none. */
export function toV1Configuration(configuration: SendMessageConfiguration): object | undefined {
  if (Object.keys(configuration).length === 0) return undefined;
  const { acceptedOutputModes = [], historyLength, returnImmediately = false } = configuration;
  const push = configuration.taskPushNotificationConfig;
  const taskPushNotificationConfig = push && {
    tenant: '',
    id: '',
    taskId: '',
    token: '',
    authentication: undefined,
    ...push,
  };
  return { acceptedOutputModes, historyLength, returnImmediately, taskPushNotificationConfig };
}

function toV1Artifact(artifact: Artifact): object {
  const { artifactId, name = '', description = '', parts, metadata, extensions = [] } = artifact;
  return { artifactId, name, description, parts: parts.map(toV1Part), metadata, extensions };
}

function toV1Part(part: Part): object {
  const { metadata, filename = '', mediaType = '' } = part;
  return { content: contentOf(part), metadata, filename, mediaType };
}

function contentOf(part: Part): object {
  if (isTextPart(part)) return { $case: 'text', value: part.text };
  if (isRawPart(part)) return { $case: 'raw', value: Buffer.from(part.raw, 'base64') };
  return isDataPart(part) ? { $case: 'data', value: part.data } : { $case: 'url', value: part.url };
}
