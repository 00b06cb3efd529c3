import { compareStored, millisOf, type StoredTask } from './stored-task.js';
import { TaskIndex } from './task-index.js';
import type { TaskRecord } from './task-record.js';
import type { TaskPage, TaskQuery } from './task-store.js';

/** The tasks of one agent and tenant, with their indexes. */
export class TaskPartition {
  private readonly tasks = new Map<string, StoredTask>();
  private readonly owners = new Map<string, TaskIndex>();
  // Made at the first search over all owners: most apps never ask one, and it costs as much as all others together.
  private everyone: TaskIndex | undefined;

  get empty(): boolean {
    return this.tasks.size === 0;
  }

  get(id: string): StoredTask | undefined {
    return this.tasks.get(id);
  }

  add(task: StoredTask): void {
    const { owner } = task.record;
    this.tasks.set(task.id, task);
    let index = this.owners.get(owner);
    if (!index) this.owners.set(owner, (index = new TaskIndex()));
    index.add(task);
    this.everyone?.add(task);
  }

  remove(task: StoredTask): void {
    const { owner } = task.record;
    this.tasks.delete(task.id);
    const index = this.owners.get(owner);
    index?.remove(task);
    if (index?.empty) this.owners.delete(owner);
    this.everyone?.remove(task);
    if (this.everyone?.empty) this.everyone = undefined;
  }

  /** Gives a task its next record, and moves it in the indexes as far as it has another place there. */
  replace(task: StoredTask, record: TaskRecord): void {
    const moves = millisOf(record) !== task.statusMillis;
    const changes = record.state !== task.record.state;
    if (!moves && !changes) {
      task.record = record;
      return;
    }
    const indexes = [this.owners.get(record.owner), this.everyone];
    for (const index of indexes) {
      if (moves) index?.leave(task);
      else index?.leaveState(task);
    }
    task.record = record;
    for (const index of indexes) {
      if (moves) index?.add(task);
      else index?.enterState(task);
    }
  }

  list(query: TaskQuery): TaskPage {
    const { owner } = query.scope;
    const index = owner === undefined ? (this.everyone ??= this.indexAll()) : this.owners.get(owner);
    return index ? index.list(query) : { records: [], total: 0 };
  }

  private indexAll(): TaskIndex {
    const index = new TaskIndex();
    // In order, since a sorted list takes items fastest at its end.
    for (const task of [...this.tasks.values()].sort(compareStored)) index.add(task);
    return index;
  }
}
