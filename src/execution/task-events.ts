import { TaskEvent } from '../events/task-event.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { ArtifactInput } from './task-change.js';

const EVENT_BYTES = 160;

/** What an event holds besides its content: the ids that every one repeats. */
function envelopeBytes({ id, contextId }: TaskSnapshot): number {
  return EVENT_BYTES + id.length + contextId.length;
}

/** The first event of a task: the task as it was born. */
export function taskEvent(first: TaskSnapshot, bytes: number, maxRawBytes: number): TaskEvent {
  return new TaskEvent(1, { task: first.toPublicTask(maxRawBytes) }, first.state, bytes + envelopeBytes(first));
}

/** The status of a task. @param bytes the size of what is new in it */
export function statusEvent(task: TaskSnapshot, sequence: number, bytes: number): TaskEvent {
  const { id, contextId, status, state } = task;
  const payload = { statusUpdate: { taskId: id, contextId, status } };
  return new TaskEvent(sequence, payload, state, bytes + envelopeBytes(task));
}

/** An artifact, or a chunk of one, that was added to a task last. */
export function artifactEvent(task: TaskSnapshot, input: ArtifactInput): TaskEvent {
  const { id, contextId, state, sequence } = task;
  const { artifact, append, lastChunk, bytes } = input;
  const artifactUpdate = {
    taskId: id,
    contextId,
    artifact,
    ...(append && { append }),
    ...(lastChunk && { lastChunk }),
  };
  return new TaskEvent(sequence, { artifactUpdate }, state, bytes + envelopeBytes(task));
}
