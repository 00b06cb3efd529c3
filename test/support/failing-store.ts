import { isTerminal } from 'nestjs-a2a/protocol';
import { InMemoryTaskStore } from '../../src/tasks/in-memory-task-store.js';
import type { TaskRecord } from '../../src/tasks/task-record.js';
import type { TaskPage, TaskQuery, TaskSaveResult } from '../../src/tasks/task-store.js';

/** Which calls go wrong, and how. */
export interface StoreFaults {
  /** Whether this save, or creation when `version` is 1, fails. */
  readonly fails?: (record: TaskRecord, attempt: number) => boolean;
  /** Whether this save is carried out, but its answer lost. */
  readonly losesAnswer?: (record: TaskRecord, attempt: number) => boolean;
  readonly error?: Error;
  readonly failsList?: boolean;
}

/** A store whose writes go wrong when a test says so. */
export class FailingStore extends InMemoryTaskStore {
  /** Calls that were to write. */
  attempts = 0;
  /** Those that went wrong. */
  faulty = 0;

  constructor(
    private readonly faults: StoreFaults,
    override readonly durable = false,
  ) {
    super();
  }

  override async create(record: TaskRecord): Promise<void> {
    this.check(record);
    await super.create(record);
    this.lose(record);
  }

  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    this.check(record);
    const result = await super.save(record, expectedVersion);
    this.lose(record);
    return result;
  }

  override async list(query: TaskQuery): Promise<TaskPage> {
    if (this.faults.failsList) throw new Error('list is out of order');
    return super.list(query);
  }

  private check(record: TaskRecord): void {
    this.attempts++;
    if (!this.faults.fails?.(record, this.attempts)) return;
    this.faulty++;
    throw this.faults.error ?? new Error('the disk is full');
  }

  private lose(record: TaskRecord): void {
    if (!this.faults.losesAnswer?.(record, this.attempts)) return;
    this.faulty++;
    throw new Error('the answer was lost');
  }
}

export const never = (): boolean => false;
export const always = (): boolean => true;
export const onlyEnds = (record: TaskRecord): boolean => isTerminal(record.state);
