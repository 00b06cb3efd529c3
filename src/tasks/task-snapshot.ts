import {
  isTerminal,
  toTimestamp,
  type Artifact,
  type Message,
  type Part,
  type Struct,
  type Task,
  type TaskState,
  type TaskStatus,
} from 'nestjs-a2a/protocol';
import { withFields } from '../with-fields.js';
import { AppendList } from './append-list.js';
import { elideRaw } from './raw-elision.js';

interface ArtifactEntry {
  readonly head: Omit<Artifact, 'parts'>;
  readonly parts: AppendList<Part>;
  /** What it has added to the size of the task; 0 when it came from a store, which keeps only the sum. */
  readonly bytes: number;
}

interface SnapshotFields {
  readonly id: string;
  readonly contextId: string;
  readonly sequence: number;
  readonly status: TaskStatus;
  readonly statusMillis: number;
  /** Where the current status message belongs in the history once a newer status arrives. */
  readonly statusMessageIndex: number;
  readonly history: AppendList<Message>;
  readonly artifacts: readonly ArtifactEntry[];
  readonly metadata: Struct | undefined;
  readonly bytes: number;
}

/** A change of state. */
export interface StatusChange {
  readonly state: TaskState;
  readonly message?: Message;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The size of the change, for `maxTaskBytes`. */
  readonly bytes: number;
}

/** An artifact, or a chunk of one. */
export interface ArtifactChange {
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly bytes: number;
}

/**
 * One state of one task, for ever: each change makes a new snapshot that shares with the old one whatever did not
 * change. A chunk costs what the chunk holds, however long the task already is. The wire form is made only when asked
 * for, and then kept.
 */
export class TaskSnapshot {
  readonly id: string;
  readonly contextId: string;
  /** The number of the task's last event. */
  readonly sequence: number;
  readonly status: TaskStatus;
  readonly statusMillis: number;
  readonly statusMessageIndex: number;
  readonly metadata: Struct | undefined;
  /** Roughly what the task holds: its texts, data and base64 characters. */
  readonly bytes: number;
  private readonly history: AppendList<Message>;
  private readonly artifacts: readonly ArtifactEntry[];
  private wire: Task | undefined;
  private publicWire: Task | undefined;

  private constructor(fields: SnapshotFields) {
    this.id = fields.id;
    this.contextId = fields.contextId;
    this.sequence = fields.sequence;
    this.status = fields.status;
    this.statusMillis = fields.statusMillis;
    this.statusMessageIndex = fields.statusMessageIndex;
    this.history = fields.history;
    this.artifacts = fields.artifacts;
    this.metadata = fields.metadata;
    this.bytes = fields.bytes;
  }

  /** The first snapshot of a task: number 1. */
  static first(id: string, contextId: string, message: Message, change: StatusChange): TaskSnapshot {
    return new TaskSnapshot({
      id,
      contextId,
      sequence: 1,
      status: statusOf(change),
      statusMillis: change.at,
      statusMessageIndex: 1,
      history: AppendList.of([message]),
      artifacts: [],
      metadata: undefined,
      bytes: change.bytes,
    });
  }

  /** Makes a snapshot from what a store kept. */
  static restore(task: Task, sequence: number, statusMessageIndex: number, bytes: number): TaskSnapshot {
    return new TaskSnapshot({
      id: task.id,
      contextId: task.contextId ?? '',
      sequence,
      status: task.status,
      statusMillis: Date.parse(task.status.timestamp ?? '') || 0,
      statusMessageIndex,
      history: AppendList.of(task.history ?? []),
      artifacts: (task.artifacts ?? []).map(({ parts, ...head }) => ({ head, parts: AppendList.of(parts), bytes: 0 })),
      metadata: task.metadata,
      bytes,
    });
  }

  get state(): TaskState {
    return this.status.state;
  }

  get ended(): boolean {
    return isTerminal(this.status.state);
  }

  get historyLength(): number {
    return this.history.length;
  }

  hasArtifact(artifactId: string): boolean {
    return this.artifacts.some(({ head }) => head.artifactId === artifactId);
  }

  /** The size of an artifact, which falls away when another one takes its place; 0 when there is none. */
  artifactBytes(artifactId: string): number {
    return this.artifacts.find(({ head }) => head.artifactId === artifactId)?.bytes ?? 0;
  }

  /** The next snapshot, with a new status; the old status message goes into the history. */
  withStatus(change: StatusChange): TaskSnapshot {
    const history = this.settledHistory();
    return this.next({
      sequence: this.sequence + 1,
      status: statusOf(change),
      statusMillis: change.at,
      statusMessageIndex: history.length,
      history,
      bytes: this.bytes + change.bytes,
    });
  }

  /** The next snapshot, with a new or replaced artifact, or a chunk at the end of one. */
  withArtifact(change: ArtifactChange): TaskSnapshot {
    const { parts, ...head } = change.artifact;
    const index = this.artifacts.findIndex((entry) => entry.head.artifactId === head.artifactId);
    const old = this.artifacts[index];
    const entry: ArtifactEntry =
      change.append && old
        ? {
            head: Object.keys(head).length > 1 ? { ...old.head, ...head } : old.head,
            parts: old.parts.append(parts),
            bytes: old.bytes + change.bytes,
          }
        : { head, parts: AppendList.of(parts), bytes: change.bytes };
    const artifacts = [...this.artifacts];
    artifacts[index < 0 ? artifacts.length : index] = entry;
    return this.next({ sequence: this.sequence + 1, artifacts, bytes: this.bytes + entry.bytes - (old?.bytes ?? 0) });
  }

  /** The same event number with one more message of the caller: a follow-up is no event of its own. */
  withMessage(message: Message, bytes: number): TaskSnapshot {
    return this.next({ history: this.history.append([message]), bytes: this.bytes + bytes });
  }

  /** The same event number with large file parts left out of the history: how an ended task is kept. */
  withoutLargeRaw(maxBytes: number): TaskSnapshot {
    if (this.bytes <= maxBytes) return this;
    let saved = 0;
    const history = this.history.map((message) => {
      const short = elideRaw(message, maxBytes);
      if (short !== message) saved += rawLength(message) - rawLength(short);
      return short;
    });
    return saved === 0 ? this : this.next({ history, bytes: Math.max(0, this.bytes - saved) });
  }

  /** The task in wire form with everything that it holds. Do not change it. */
  toTask(): Task {
    return (this.wire ??= this.render(this.history.toArray()));
  }

  /**
   * The task in wire form as callers may see it: file parts of the history over `maxRawBytes` are left out. Do not
   * change it.
   */
  toPublicTask(maxRawBytes: number): Task {
    return (this.publicWire ??= this.renderPublic(maxRawBytes));
  }

  private renderPublic(maxRawBytes: number): Task {
    if (this.bytes <= maxRawBytes) return this.toTask();
    const full = this.history.toArray();
    const short = full.map((message) => elideRaw(message, maxRawBytes));
    return short.every((message, index) => message === full[index]) ? this.toTask() : this.render(short);
  }

  private render(history: Message[]): Task {
    const task: Task = { id: this.id, contextId: this.contextId, status: this.status };
    if (this.artifacts.length > 0) {
      task.artifacts = this.artifacts.map(({ head, parts }) => withFields(head, { parts: parts.toArray() }));
    }
    if (history.length > 0) task.history = history;
    if (this.metadata !== undefined) task.metadata = this.metadata;
    return task;
  }

  private settledHistory(): AppendList<Message> {
    const { message } = this.status;
    return message === undefined ? this.history : this.history.insert(this.statusMessageIndex, message);
  }

  private next(changes: Partial<SnapshotFields>): TaskSnapshot {
    // Field by field: a spread costs more than all the rest of a change.
    return new TaskSnapshot({
      id: this.id,
      contextId: this.contextId,
      sequence: changes.sequence ?? this.sequence,
      status: changes.status ?? this.status,
      statusMillis: changes.statusMillis ?? this.statusMillis,
      statusMessageIndex: changes.statusMessageIndex ?? this.statusMessageIndex,
      history: changes.history ?? this.history,
      artifacts: changes.artifacts ?? this.artifacts,
      metadata: this.metadata,
      bytes: changes.bytes ?? this.bytes,
    });
  }
}

function statusOf(change: StatusChange): TaskStatus {
  const timestamp = toTimestamp(change.at);
  return change.message === undefined
    ? { state: change.state, timestamp }
    : { state: change.state, message: change.message, timestamp };
}

function rawLength(message: Message): number {
  return message.parts.reduce((sum, part) => sum + ('raw' in part ? part.raw.length : 0), 0);
}
