import { setTimeout as delay } from 'node:timers/promises';
import { InMemoryTaskStore } from '../../src/tasks/in-memory-task-store.js';
import { TaskRecord, type TaskRecordData } from '../../src/tasks/task-record.js';
import {
  TaskStore,
  type TaskPage,
  type TaskQuery,
  type TaskSaveResult,
  type TaskScope,
} from '../../src/tasks/task-store.js';

/** Writes tasks down as JSON and reads them back, each call taking its time, as a store behind a network does. */
export class CopyingStore extends TaskStore {
  override readonly durable: boolean;
  private readonly inner = new InMemoryTaskStore();

  constructor(
    private readonly milliseconds: number,
    durable = false,
  ) {
    super();
    this.durable = durable;
  }

  override async create(record: TaskRecord): Promise<void> {
    const copy = copyOf(record);
    await this.pause();
    await this.inner.create(copy);
  }

  override async get(scope: TaskScope, id: string): Promise<TaskRecord | undefined> {
    const found = await this.inner.get(scope, id);
    await this.pause();
    return found && copyOf(found);
  }

  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    const copy = copyOf(record);
    await this.pause();
    const result = await this.inner.save(copy, expectedVersion);
    return result.saved || result.current === undefined ? result : { saved: false, current: copyOf(result.current) };
  }

  override async list(query: TaskQuery): Promise<TaskPage> {
    await this.pause();
    const page = await this.inner.list(query);
    return { ...page, records: page.records.map(copyOf) };
  }

  override async delete(scope: TaskScope, id: string): Promise<boolean> {
    await this.pause();
    return this.inner.delete(scope, id);
  }

  private async pause(): Promise<void> {
    if (this.milliseconds > 0) await delay(this.milliseconds);
    else await Promise.resolve();
  }
}

function copyOf(record: TaskRecord): TaskRecord {
  const data: TaskRecordData = JSON.parse(JSON.stringify(record.toData()));
  return TaskRecord.restore(data);
}
