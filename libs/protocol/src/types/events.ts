import type { Struct } from './json.js';
import type { Message } from './message.js';
import type { Artifact, Task, TaskStatus } from './task.js';

/**
 * A task changed its status.
 *
 * @see A2A 1.0, section 4.2.1
 */
export interface TaskStatusUpdateEvent {
  /** The task. */
  taskId: string;
  /** Its conversation. */
  contextId: string;
  /** The new status. */
  status: TaskStatus;
  /** Free data. */
  metadata?: Struct;
}

/**
 * A task made an artifact, or more of one.
 *
 * @see A2A 1.0, section 4.2.2
 */
export interface TaskArtifactUpdateEvent {
  /** The task. */
  taskId: string;
  /** Its conversation. */
  contextId: string;
  /** The artifact, or the parts to add to it. */
  artifact: Artifact;
  /** `true`: add these parts to the artifact of this id; else create or replace it. */
  append?: boolean;
  /** `true`: nothing more will be added. */
  lastChunk?: boolean;
  /** Free data. */
  metadata?: Struct;
}

/**
 * One frame of a stream, and the body of a push notification. Narrow it with `'task' in frame`.
 *
 * @see A2A 1.0, section 3.2.3
 */
export type StreamResponse =
  | { task: Task }
  | { message: Message }
  | { statusUpdate: TaskStatusUpdateEvent }
  | { artifactUpdate: TaskArtifactUpdateEvent };

/**
 * The answer to a message: a task, or directly a message.
 *
 * @see A2A 1.0, section 3.1.1
 */
export type SendMessageResponse = { task: Task } | { message: Message };
