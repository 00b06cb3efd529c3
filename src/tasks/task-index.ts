import type { TaskState } from 'nestjs-a2a/protocol';
import { SortedList } from './sorted-list.js';
import { comparePlaces, compareStored, type StoredTask } from './stored-task.js';
import type { TaskRecord } from './task-record.js';
import type { TaskCursor, TaskPage, TaskQuery } from './task-store.js';

type TaskList = SortedList<StoredTask>;

/** A list, and which ranks of it lie in the times that a query asks for. */
interface Range {
  readonly list: TaskList;
  readonly low: number;
  readonly high: number;
}

const NO_TASKS: TaskPage = { records: [], total: 0 };

/**
 * The tasks of one owner, or of all: in order, and by context and by state once somebody has searched so. Most apps
 * never do, and each list costs as much as the first.
 */
export class TaskIndex {
  private readonly all: TaskList = new SortedList(compareStored);
  private contexts: Map<string, TaskList> | undefined;
  // Not cleared one by one: there are few states, and the index itself goes with its last task.
  private states: Map<TaskState, TaskList> | undefined;

  get empty(): boolean {
    return this.all.length === 0;
  }

  add(task: StoredTask): void {
    this.all.add(task);
    if (this.contexts) listOf(this.contexts, task.record.contextId).add(task);
    this.enterState(task);
  }

  /** Takes a task out that is about to be added again: what it leaves empty is kept for it. */
  leave(task: StoredTask): void {
    this.all.remove(task);
    this.contexts?.get(task.record.contextId)?.remove(task);
    this.leaveState(task);
  }

  remove(task: StoredTask): void {
    this.leave(task);
    const { contextId } = task.record;
    if (this.contexts?.get(contextId)?.length === 0) this.contexts.delete(contextId);
  }

  enterState(task: StoredTask): void {
    if (this.states) listOf(this.states, task.record.state).add(task);
  }

  leaveState(task: StoredTask): void {
    this.states?.get(task.record.state)?.remove(task);
  }

  list(query: TaskQuery): TaskPage {
    const lists = this.listsFor(query);
    if (lists === undefined) return NO_TASKS;
    const ranges = lists.map((list) => rangeOf(list, query));
    const range = ranges.reduce((best, other) => (size(other) < size(best) ? other : best));
    const { after } = query;
    const top = after ? range.list.countBelow((task) => comparePlaces(task, after) < 0) : range.high;
    return ranges.length === 1
      ? slicePage(range, Math.min(top, range.high), query.limit)
      : scanPage(range, top, query.limit, (record) => matches(record, query));
  }

  /** The lists that each hold all matches; undefined when there are none. */
  private listsFor({ contextId, state }: TaskQuery): TaskList[] | undefined {
    if (contextId === undefined && state === undefined) return [this.all];
    const lists: TaskList[] = [];
    if (contextId !== undefined) {
      this.contexts ??= this.listsBy((task) => task.record.contextId);
      const list = this.contexts.get(contextId);
      if (!list) return undefined;
      lists.push(list);
    }
    if (state !== undefined) {
      this.states ??= this.listsBy((task) => task.record.state);
      const list = this.states.get(state);
      if (!list) return undefined;
      lists.push(list);
    }
    return lists;
  }

  private listsBy<K>(keyOf: (task: StoredTask) => K): Map<K, TaskList> {
    const lists = new Map<K, TaskList>();
    const tasks: StoredTask[] = [];
    this.all.descend(this.all.length, 0, (task) => tasks.push(task) > 0);
    // From the oldest on: a sorted list takes items fastest at its end.
    for (const task of tasks.reverse()) listOf(lists, keyOf(task)).add(task);
    return lists;
  }
}

function listOf<K>(lists: Map<K, TaskList>, key: K): TaskList {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = new SortedList(compareStored)));
  return list;
}

function rangeOf(list: TaskList, { statusFrom, statusBefore }: TaskQuery): Range {
  return {
    list,
    low: statusFrom === undefined ? 0 : list.countBelow((task) => task.statusMillis < statusFrom),
    high: statusBefore === undefined ? list.length : list.countBelow((task) => task.statusMillis < statusBefore),
  };
}

function size({ low, high }: Range): number {
  return Math.max(0, high - low);
}

function matches(record: TaskRecord, { contextId, state }: TaskQuery): boolean {
  return record.contextId === contextId && record.state === state;
}

/** The page when every task of the range matches: nothing outside of the page is looked at. */
function slicePage(range: Range, top: number, limit: number): TaskPage {
  const tasks: StoredTask[] = [];
  const low = Math.max(range.low, top - limit);
  range.list.descend(top, low, (task) => tasks.push(task) > 0);
  return pageOf(tasks, size(range), low > range.low);
}

/** The page when only some tasks of the range match: all have to be looked at, since they have to be counted. */
function scanPage(range: Range, top: number, limit: number, match: (record: TaskRecord) => boolean): TaskPage {
  const tasks: StoredTask[] = [];
  let total = 0;
  let more = false;
  range.list.descend(range.high, range.low, (task, rank) => {
    if (!match(task.record)) return true;
    total++;
    if (rank < top) {
      if (tasks.length < limit) tasks.push(task);
      else more = true;
    }
    return true;
  });
  return pageOf(tasks, total, more);
}

function pageOf(tasks: readonly StoredTask[], total: number, more: boolean): TaskPage {
  const records = tasks.map((task) => task.record);
  if (!more || tasks.length === 0) return { records, total };
  const { statusMillis, id } = tasks[tasks.length - 1];
  const next: TaskCursor = { statusMillis, id };
  return { records, total, next };
}
