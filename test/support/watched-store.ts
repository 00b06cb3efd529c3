import { EventEmitter, once } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { A2A_SETTINGS, InMemoryTaskStore, type A2ASettings, type TaskRecord, type TaskSaveResult } from 'nestjs-a2a';

/** Tells of what is stored, and fails when it is told to. */
@Injectable()
export class WatchedStore extends InMemoryTaskStore {
  readonly created: TaskRecord[] = [];
  failing = false;
  private readonly events = new EventEmitter();

  constructor(@Inject(A2A_SETTINGS) settings: A2ASettings) {
    super(settings);
  }

  override async create(record: TaskRecord): Promise<void> {
    await super.create(record);
    this.created.push(record);
    this.events.emit('created');
  }

  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    if (this.failing) throw new Error('secret of the store');
    return super.save(record, expectedVersion);
  }

  /** Resolves as soon as so many tasks were created. */
  async createdCount(count: number): Promise<void> {
    while (this.created.length < count) await once(this.events, 'created');
  }
}
