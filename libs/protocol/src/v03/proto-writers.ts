import { isTerminal } from '../task-states.js';
import type {
  SendMessageResponse,
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from '../types/events.js';
import type { Message } from '../types/message.js';
import type { Artifact, Task, TaskStatus } from '../types/task.js';
import { toV03ProtoState } from './enum-names.js';
import { toV03ProtoPart } from './part-writers.js';
import { present } from './present.js';
import type {
  V03ProtoArtifact,
  V03ProtoMessage,
  V03ProtoSendResult,
  V03ProtoStreamEvent,
  V03ProtoTask,
  V03ProtoTaskArtifactUpdateEvent,
  V03ProtoTaskStatus,
  V03ProtoTaskStatusUpdateEvent,
} from './proto-types.js';

// As writers.ts, in the JSON of the proto file.

export function toV03ProtoMessage(message: Message): V03ProtoMessage {
  const { messageId, contextId, taskId, role, parts, metadata, extensions } = message;
  const content = parts.map(toV03ProtoPart);
  return present({ messageId, role, content, contextId, taskId, extensions, metadata });
}

export function toV03ProtoTaskStatus({ state, message, timestamp }: TaskStatus): V03ProtoTaskStatus {
  return present({ state: toV03ProtoState(state), message: message && toV03ProtoMessage(message), timestamp });
}

export function toV03ProtoArtifact(artifact: Artifact): V03ProtoArtifact {
  const { artifactId, name, description, parts, metadata, extensions } = artifact;
  return present({ artifactId, parts: parts.map(toV03ProtoPart), name, description, extensions, metadata });
}

export function toV03ProtoTask({ id, contextId = '', status, artifacts, history, metadata }: Task): V03ProtoTask {
  return present({
    id,
    contextId,
    status: toV03ProtoTaskStatus(status),
    artifacts: artifacts?.map(toV03ProtoArtifact),
    history: history?.map(toV03ProtoMessage),
    metadata,
  });
}

/** @param final whether nothing comes after it on the stream. Default: at an end of the task */
export function toV03ProtoTaskStatusUpdateEvent(
  { taskId, contextId, status, metadata }: TaskStatusUpdateEvent,
  final: boolean = isTerminal(status.state),
): V03ProtoTaskStatusUpdateEvent {
  return present({ taskId, contextId, status: toV03ProtoTaskStatus(status), final, metadata });
}

export function toV03ProtoTaskArtifactUpdateEvent(event: TaskArtifactUpdateEvent): V03ProtoTaskArtifactUpdateEvent {
  const { taskId, contextId, artifact, append, lastChunk, metadata } = event;
  return present({ taskId, contextId, artifact: toV03ProtoArtifact(artifact), append, lastChunk, metadata });
}

/** The answer to a message. */
export function toV03ProtoSendResult(response: SendMessageResponse): V03ProtoSendResult {
  return 'task' in response
    ? { task: toV03ProtoTask(response.task) }
    : { message: toV03ProtoMessage(response.message) };
}

/**
 * A frame of a stream.
 *
 * @param final as of {@link toV03ProtoTaskStatusUpdateEvent}
 */
export function toV03ProtoStreamEvent(response: StreamResponse, final?: boolean): V03ProtoStreamEvent {
  if ('statusUpdate' in response) {
    return { statusUpdate: toV03ProtoTaskStatusUpdateEvent(response.statusUpdate, final) };
  }
  return 'artifactUpdate' in response
    ? { artifactUpdate: toV03ProtoTaskArtifactUpdateEvent(response.artifactUpdate) }
    : toV03ProtoSendResult(response);
}
