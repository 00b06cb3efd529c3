import { TaskEvent } from '../events/task-event.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { ArtifactInput } from './task-change.js';

const STATUS_BYTES = 100;

/** The first event of a task: the task as it was born. */
export function taskEvent(first: TaskSnapshot, bytes: number, maxRawBytes: number): TaskEvent {
  return new TaskEvent(1, { task: first.toPublicTask(maxRawBytes) }, first.state, bytes);
}

/** The status of a task. @param bytes the size of what is new in it */
export function statusEvent(
  { id, contextId, status, state }: TaskSnapshot,
  sequence: number,
  bytes: number,
): TaskEvent {
  return new TaskEvent(sequence, { statusUpdate: { taskId: id, contextId, status } }, state, bytes + STATUS_BYTES);
}

/** An artifact, or a chunk of one, that was added to a task last. */
export function artifactEvent({ id, contextId, state, sequence }: TaskSnapshot, input: ArtifactInput): TaskEvent {
  const { artifact, append, lastChunk, bytes } = input;
  const artifactUpdate = {
    taskId: id,
    contextId,
    artifact,
    ...(append && { append }),
    ...(lastChunk && { lastChunk }),
  };
  return new TaskEvent(sequence, { artifactUpdate }, state, bytes);
}
