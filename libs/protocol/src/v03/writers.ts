import { isTerminal } from '../task-states.js';
import type {
  SendMessageResponse,
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from '../types/events.js';
import type { Message } from '../types/message.js';
import type { Artifact, Task, TaskStatus } from '../types/task.js';
import { toV03Role, toV03State } from './enum-names.js';
import { toV03Part } from './part-writers.js';
import { present } from './present.js';
import type {
  V03Artifact,
  V03Message,
  V03StreamEvent,
  V03Task,
  V03TaskArtifactUpdateEvent,
  V03TaskStatus,
  V03TaskStatusUpdateEvent,
} from './types.js';

// Member by member: whatever 1.0 gets besides is nothing that 0.3 knows.

export function toV03Message(message: Message): V03Message {
  const { messageId, contextId, taskId, role, parts, metadata, extensions, referenceTaskIds } = message;
  return present({
    kind: 'message',
    messageId,
    role: toV03Role(role),
    parts: parts.map(toV03Part),
    contextId,
    taskId,
    referenceTaskIds,
    extensions,
    metadata,
  });
}

export function toV03TaskStatus({ state, message, timestamp }: TaskStatus): V03TaskStatus {
  return present({ state: toV03State(state), message: message && toV03Message(message), timestamp });
}

export function toV03Artifact(artifact: Artifact): V03Artifact {
  const { artifactId, name, description, parts, metadata, extensions } = artifact;
  return present({ artifactId, parts: parts.map(toV03Part), name, description, extensions, metadata });
}

export function toV03Task({ id, contextId = '', status, artifacts, history, metadata }: Task): V03Task {
  return present({
    kind: 'task',
    id,
    contextId,
    status: toV03TaskStatus(status),
    artifacts: artifacts?.map(toV03Artifact),
    history: history?.map(toV03Message),
    metadata,
  });
}

/** @param final whether nothing comes after it on the stream. Default: at an end of the task */
export function toV03TaskStatusUpdateEvent(
  { taskId, contextId, status, metadata }: TaskStatusUpdateEvent,
  final: boolean = isTerminal(status.state),
): V03TaskStatusUpdateEvent {
  return present({ kind: 'status-update', taskId, contextId, status: toV03TaskStatus(status), final, metadata });
}

export function toV03TaskArtifactUpdateEvent(event: TaskArtifactUpdateEvent): V03TaskArtifactUpdateEvent {
  const { taskId, contextId, artifact, append, lastChunk, metadata } = event;
  return present({
    kind: 'artifact-update',
    taskId,
    contextId,
    artifact: toV03Artifact(artifact),
    append,
    lastChunk,
    metadata,
  });
}

/** The answer to a message, bare. */
export function toV03SendResult(response: SendMessageResponse): V03Task | V03Message {
  return 'task' in response ? toV03Task(response.task) : toV03Message(response.message);
}

/**
 * A frame of a stream, bare.
 *
 * @param final as of {@link toV03TaskStatusUpdateEvent}
 */
export function toV03StreamEvent(response: StreamResponse, final?: boolean): V03StreamEvent {
  if ('statusUpdate' in response) return toV03TaskStatusUpdateEvent(response.statusUpdate, final);
  return 'artifactUpdate' in response
    ? toV03TaskArtifactUpdateEvent(response.artifactUpdate)
    : toV03SendResult(response);
}
