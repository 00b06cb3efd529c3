import type { TaskState } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../awaitable.js';
import type { TaskRecord } from './task-record.js';

/** Whose tasks a call may touch. */
export interface TaskScope {
  readonly agent: string;
  readonly tenant: string;
  /** Only tasks of this owner. Absent: of every owner (a `TaskAuthorizationProvider` decides, or the library asks). */
  readonly owner?: string;
}

/** A place in the order of a list: behind this task. */
export interface TaskCursor {
  readonly statusMillis: number;
  readonly id: string;
}

/** Where a search looks: in a scope, or in all tenants of an agent (only the library itself asks that). */
export type TaskSearchScope =
  TaskScope | { readonly agent: string; readonly tenant?: undefined; readonly owner?: undefined };

/** A search. All filters given must match. */
export interface TaskQuery {
  readonly scope: TaskSearchScope;
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Status at or after this time, milliseconds since the epoch. */
  readonly statusFrom?: number;
  /** Status before this time, milliseconds since the epoch. */
  readonly statusBefore?: number;
  /** At most so many records; 0 only counts. */
  readonly limit: number;
  /** Start behind this place. */
  readonly after?: TaskCursor;
}

/** One page of a search. */
export interface TaskPage {
  /** Newest status first; the same instant by id, descending. */
  readonly records: readonly TaskRecord[];
  /** All matches, whatever the page. */
  readonly total: number;
  /** Where the next page starts; absent on the last one. */
  readonly next?: TaskCursor;
}

/** What became of a save. */
export type TaskSaveResult =
  | { readonly saved: true }
  | { readonly saved: false; /** What is stored now. */ readonly current: TaskRecord | undefined };

/**
 * Where tasks are kept. The class is its own injection token; `forRoot({ providers: [{ provide: TaskStore, … }] })`
 * replaces the in-memory one.
 *
 * Every method is safe to call at the same time for different tasks, and for one task `save` decides who wins. What
 * `get` and `list` hand out never changes afterwards. A store without I/O may answer, and throw, at once instead of by a
 * promise: that spares each call some turns of the microtask queue.
 *
 * @publicApi
 */
export abstract class TaskStore {
  /** True when tasks survive a restart: then a shutdown leaves running ones for recovery. Default false. */
  readonly durable: boolean = false;

  /**
   * Stores a new task.
   *
   * @throws UnavailableError when the store is full; nothing is stored then
   * @throws Error when the key exists
   */
  abstract create(record: TaskRecord): Awaitable<void>;

  /** The task, or undefined when there is none in this scope: another owner's does not exist here. */
  abstract get(scope: TaskScope, id: string): Awaitable<TaskRecord | undefined>;

  /**
   * Replaces the stored record if, and only if, its version is `expectedVersion`. An ended task never changes, so its
   * save is refused as well.
   */
  abstract save(record: TaskRecord, expectedVersion: number): Awaitable<TaskSaveResult>;

  /** One page of the tasks that match. */
  abstract list(query: TaskQuery): Awaitable<TaskPage>;

  /** Removes a task. @returns false when there was none in this scope */
  abstract delete(scope: TaskScope, id: string): Awaitable<boolean>;
}
