import type { Task, TaskState } from 'nestjs-a2a/protocol';
import { TaskSnapshot } from './task-snapshot.js';

/** What tells one task from every other. */
export interface TaskKey {
  /** The agent's name in this app: its `path`, `''` for the one at the root. */
  readonly agent: string;
  /** `''` where no tenant is named. */
  readonly tenant: string;
  readonly id: string;
}

/** The key in one string, for maps. A tenant may hold any character: its length keeps the parts apart. */
export function taskKeyString({ agent, tenant, id }: TaskKey): string {
  return `${agent}|${tenant.length}|${tenant}${id}`;
}

/** A record as plain JSON, for stores that write it down. */
export interface TaskRecordData {
  readonly key: TaskKey;
  readonly owner: string;
  readonly version: number;
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly statusMessageIndex: number;
  readonly bytes: number;
  readonly task: Task;
}

/**
 * A task as a store keeps it. Immutable: every change makes a new record.
 *
 * @publicApi
 */
export class TaskRecord {
  constructor(
    readonly key: TaskKey,
    /** The id of the user whose task it is, `''` for anonymous callers. An attribute to search by, not to change. */
    readonly owner: string,
    /** Counts the saves of this task, from 1. What {@link TaskStore.save} compares. */
    readonly version: number,
    /** Milliseconds since the epoch. */
    readonly createdAt: number,
    readonly snapshot: TaskSnapshot,
  ) {}

  /** Makes a record from what {@link TaskRecord.toData} gave. */
  static restore(data: TaskRecordData): TaskRecord {
    const snapshot = TaskSnapshot.restore(data.task, data.sequence, data.statusMessageIndex, data.bytes);
    return new TaskRecord(data.key, data.owner, data.version, data.createdAt, snapshot);
  }

  get id(): string {
    return this.key.id;
  }

  get contextId(): string {
    return this.snapshot.contextId;
  }

  get state(): TaskState {
    return this.snapshot.state;
  }

  /** The time of the current status, in milliseconds since the epoch. */
  get statusMillis(): number {
    return this.snapshot.statusMillis;
  }

  /** The number of the task's last event. */
  get sequence(): number {
    return this.snapshot.sequence;
  }

  /** Roughly what the task holds. */
  get bytes(): number {
    return this.snapshot.bytes;
  }

  /** The task in wire form, with everything that it holds. */
  get task(): Task {
    return this.snapshot.toTask();
  }

  /** The record of the next save. */
  next(snapshot: TaskSnapshot): TaskRecord {
    return new TaskRecord(this.key, this.owner, this.version + 1, this.createdAt, snapshot);
  }

  /** The record as plain JSON. */
  toData(): TaskRecordData {
    return {
      key: this.key,
      owner: this.owner,
      version: this.version,
      sequence: this.sequence,
      createdAt: this.createdAt,
      statusMessageIndex: this.snapshot.statusMessageIndex,
      bytes: this.bytes,
      task: this.task,
    };
  }
}
