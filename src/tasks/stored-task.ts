import type { TaskCursor } from './task-store.js';
import type { TaskRecord } from './task-record.js';

/** The place of one task in the in-memory store: what the indexes hold, while its record is replaced at each save. */
export class StoredTask implements TaskCursor {
  readonly id: string;
  private current: TaskRecord | undefined;
  private millis: number;

  constructor(
    record: TaskRecord,
    /** Tells tasks apart that have the same id under different agents or tenants. */
    readonly serial: number,
  ) {
    this.id = record.id;
    this.current = record;
    this.millis = millisOf(record);
  }

  get record(): TaskRecord {
    if (this.current === undefined) throw new Error(`The task ${this.id} has left the store`);
    return this.current;
  }

  /** To be set only while no index holds the task under what changes with the record. */
  set record(record: TaskRecord) {
    this.current = record;
    this.millis = millisOf(record);
  }

  /**
   * Lets go of the record of a task that has left the store: the outgrown tables of the Maps that held it may keep this
   * object alive until the next full collection.
   */
  forget(): void {
    this.current = undefined;
  }

  get statusMillis(): number {
    return this.millis;
  }
}

/** Oldest status first; the same instant by id, ascending: a page is read from the end. */
export function compareStored(a: StoredTask, b: StoredTask): number {
  return comparePlaces(a, b) || a.serial - b.serial;
}

/** As {@link compareStored}, for a place that need not be a task's. */
export function comparePlaces(a: TaskCursor, b: TaskCursor): number {
  if (a.statusMillis !== b.statusMillis) return a.statusMillis - b.statusMillis;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The time of the record's status, as the indexes order it. */
export function millisOf(record: TaskRecord): number {
  // One task without a time must not unsettle the order of all others.
  return Number.isNaN(record.statusMillis) ? 0 : record.statusMillis;
}
