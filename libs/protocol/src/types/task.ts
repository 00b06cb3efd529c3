import type { TaskState } from './enums.js';
import type { Struct } from './json.js';
import type { Message } from './message.js';
import type { Part } from './part.js';

/**
 * Where a task stands.
 *
 * @see A2A 1.0, section 4.1.2
 */
export interface TaskStatus {
  /** The state. */
  state: TaskState;
  /** What the agent says about it. */
  message?: Message;
  /** When the state was entered: RFC 3339, UTC, milliseconds. */
  timestamp?: string;
}

/**
 * Something a task produced.
 *
 * @see A2A 1.0, section 4.1.7
 */
export interface Artifact {
  /** Unique in its task. */
  artifactId: string;
  /** Name for people. */
  name?: string;
  /** Description for people. */
  description?: string;
  /** The content, at least one part. */
  parts: Part[];
  /** Free data. */
  metadata?: Struct;
  /** URIs of the extensions that contributed. */
  extensions?: string[];
}

/**
 * A unit of work.
 *
 * @see A2A 1.0, section 4.1.1
 */
export interface Task {
  /** Made by the server. */
  id: string;
  /** The conversation the task is part of. */
  contextId?: string;
  /** Where it stands now. */
  status: TaskStatus;
  /** What it produced. */
  artifacts?: Artifact[];
  /** Messages so far, oldest first. */
  history?: Message[];
  /** Free data. */
  metadata?: Struct;
}
