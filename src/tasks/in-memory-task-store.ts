import type { OnApplicationShutdown } from '@nestjs/common';
import { UnavailableError } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../awaitable.js';
import { DueTimer } from './due-timer.js';
import { ScopeMap } from './scope-map.js';
import { SortedList } from './sorted-list.js';
import { comparePlaces, compareStored, StoredTask } from './stored-task.js';
import { TaskPartition } from './task-partition.js';
import type { TaskRecord } from './task-record.js';
import { TaskStore, type TaskPage, type TaskQuery, type TaskSaveResult, type TaskScope } from './task-store.js';

/** The bounds of an {@link InMemoryTaskStore}. */
export interface InMemoryTaskStoreOptions {
  /** How many tasks are kept. Default 10,000. */
  readonly maxTasks?: number;
  /** How long a finished task is kept after its last status; 0 = until its place is needed. Default 86,400. */
  readonly taskTtlSeconds?: number;
  /** How much all tasks may hold, by {@link TaskRecord.bytes}. Default 1 GiB. */
  readonly maxStoreBytes?: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

const RETRY_AFTER_SECONDS = 1;
const GIBIBYTE = 2 ** 30;
const SAVED: TaskSaveResult = { saved: true };

/**
 * Keeps tasks in this process. Bounded by number, bytes and age; only finished tasks ever leave on their own, those
 * with the oldest status first.
 *
 * @publicApi
 */
export class InMemoryTaskStore extends TaskStore implements OnApplicationShutdown {
  private readonly maxTasks: number;
  private readonly maxBytes: number;
  private readonly ttlMillis: number;
  private readonly now: () => number;
  private readonly partitions = new ScopeMap<TaskPartition>();
  private readonly finished = new SortedList<StoredTask>(compareStored);
  private readonly expiry: DueTimer;
  private tasks = 0;
  private bytes = 0;
  private finishedBytes = 0;
  private serial = 0;

  constructor(options: InMemoryTaskStoreOptions = {}) {
    super();
    this.maxTasks = options.maxTasks ?? 10_000;
    this.maxBytes = options.maxStoreBytes ?? GIBIBYTE;
    this.ttlMillis = (options.taskTtlSeconds ?? 86_400) * 1000;
    this.now = options.now ?? Date.now;
    this.expiry = new DueTimer(
      this.now,
      () => this.expire(),
      () => this.nextExpiry(),
    );
  }

  override create(record: TaskRecord): Awaitable<void> {
    this.expire();
    const { agent, tenant, id } = record.key;
    if (this.partitions.get(agent, tenant)?.get(id)) throw new Error(`The task ${id} exists already.`);
    this.makeRoom(record);
    const task = new StoredTask(record, ++this.serial);
    this.partitions.getOrCreate(agent, tenant, newPartition).add(task);
    this.tasks++;
    this.bytes += record.bytes;
    if (record.snapshot.ended) this.finish(task);
  }

  override get(scope: TaskScope, id: string): Awaitable<TaskRecord | undefined> {
    return this.find(scope, id)?.record;
  }

  override save(record: TaskRecord, expectedVersion: number): Awaitable<TaskSaveResult> {
    if (record.version !== expectedVersion + 1) {
      throw new Error(`Version ${record.version} of the task ${record.id} cannot follow version ${expectedVersion}.`);
    }
    const task = this.find(record.key, record.id);
    if (!task) return { saved: false, current: undefined };
    const current = task.record;
    if (current.version !== expectedVersion || current.snapshot.ended) return { saved: false, current };
    if (record.owner !== current.owner || record.contextId !== current.contextId) {
      throw new Error(`The owner and the context of the task ${record.id} cannot change.`);
    }
    const added = record.bytes - current.bytes;
    // Before the task itself can be among the finished ones: its writer and its readers are about to look at it.
    while (this.bytes + added > this.maxBytes && this.evict());
    this.partitions.get(record.key.agent, record.key.tenant)?.replace(task, record);
    this.bytes += added;
    if (record.snapshot.ended) this.finish(task);
    return SAVED;
  }

  override list(query: TaskQuery): Awaitable<TaskPage> {
    this.expire();
    const { agent, tenant } = query.scope;
    if (tenant === undefined) return mergedPage(this.partitions.ofAgent(agent), query);
    return this.partitions.get(agent, tenant)?.list(query) ?? { records: [], total: 0 };
  }

  override delete(scope: TaskScope, id: string): Awaitable<boolean> {
    const task = this.find(scope, id);
    if (!task) return false;
    this.remove(task);
    return true;
  }

  /** How many tasks are kept, and how much they hold. */
  gauges(): { readonly tasks: number; readonly bytes: number } {
    this.expire();
    return { tasks: this.tasks, bytes: this.bytes };
  }

  /** Stops the clock. What is stored stays readable. */
  onApplicationShutdown(): void {
    this.expiry.close();
  }

  private find(scope: TaskScope, id: string): StoredTask | undefined {
    this.expire();
    const task = this.partitions.get(scope.agent, scope.tenant)?.get(id);
    return task && (scope.owner === undefined || scope.owner === task.record.owner) ? task : undefined;
  }

  /** @throws UnavailableError, with everything still in its place, when unfinished tasks alone leave no room */
  private makeRoom(record: TaskRecord): void {
    if (this.tasks - this.finished.length + 1 > this.maxTasks) {
      throw storeFull(`maxTasks (${this.maxTasks}) unfinished tasks are kept`);
    }
    if (this.bytes - this.finishedBytes + record.bytes > this.maxBytes) {
      throw storeFull(`unfinished tasks fill maxStoreBytes (${this.maxBytes})`);
    }
    while (this.tasks + 1 > this.maxTasks || this.bytes + record.bytes > this.maxBytes) {
      if (!this.evict()) return;
    }
  }

  private finish(task: StoredTask): void {
    this.finished.add(task);
    this.finishedBytes += task.record.bytes;
    this.expiry.update();
  }

  private evict(): boolean {
    const oldest = this.finished.first;
    if (!oldest) return false;
    this.remove(oldest);
    return true;
  }

  private remove(task: StoredTask): void {
    const { key, bytes, snapshot } = task.record;
    const partition = this.partitions.get(key.agent, key.tenant);
    partition?.remove(task);
    if (partition?.empty) this.partitions.delete(key.agent, key.tenant);
    this.tasks--;
    this.bytes -= bytes;
    if (snapshot.ended) {
      this.finished.remove(task);
      this.finishedBytes -= bytes;
      if (this.finished.length === 0) this.expiry.update();
    }
    task.forget();
  }

  private expire(): void {
    if (this.ttlMillis === 0 || this.finished.length === 0) return;
    const latest = this.now() - this.ttlMillis;
    for (let task = this.finished.first; task && task.statusMillis <= latest; task = this.finished.first) {
      this.remove(task);
    }
  }

  private nextExpiry(): number | undefined {
    const oldest = this.finished.first;
    return oldest && this.ttlMillis > 0 ? oldest.statusMillis + this.ttlMillis : undefined;
  }
}

function newPartition(): TaskPartition {
  return new TaskPartition();
}

function storeFull(reason: string): UnavailableError {
  return new UnavailableError(`The task store is full: ${reason}.`, RETRY_AFTER_SECONDS);
}

/** One page over several tenants: the first of each one's pages, put in order. */
function mergedPage(partitions: readonly TaskPartition[], query: TaskQuery): TaskPage {
  const pages = partitions.map((partition) => partition.list(query));
  const found = pages.flatMap((page) => page.records);
  const records = found.sort((a, b) => comparePlaces(b, a)).slice(0, query.limit);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  const last = records.at(-1);
  const more = found.length > records.length || pages.some((page) => page.next !== undefined);
  return more && last ? { records, total, next: { statusMillis: last.statusMillis, id: last.id } } : { records, total };
}
