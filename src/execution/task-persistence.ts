import { setTimeout as delay } from 'node:timers/promises';
import { A2AError } from 'nestjs-a2a/protocol';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import { whenDone, type Awaitable } from '../awaitable.js';
import type { TaskKey, TaskRecord } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskSaveResult, TaskStore } from '../tasks/task-store.js';
import type { SessionServices } from './session-services.js';
import { withRetries, type StoreUser } from './store-retries.js';

const CHECKPOINT_MS = 200;
const CHECKPOINT_BYTES = 256 * 1024;
const RECONCILIATION_POLL_MS = 50;

/** Who is told what becomes of a task in the store. */
export interface PersistenceListener {
  /** Stores what is unsaved, in its turn. */
  drained(): Promise<void>;
  /** Another writer has ended the task. @param sequence the number of that end among the events of this process */
  onEndedElsewhere(snapshot: TaskSnapshot, sequence: number): Promise<void>;
  /** The task can be stored no more. */
  onStoreFailed(error: A2AError): void;
}

/**
 * A task as it is now, and as the store has it: saves changes against the version that is expected there, gathers
 * chunks into checkpoints, and finds out what happened when the store has something else.
 */
export class TaskPersistence implements StoreUser {
  private record: TaskRecord | undefined;
  private live: TaskSnapshot | undefined;
  private broken: A2AError | undefined;
  private unsavedBytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: SessionServices,
    private readonly key: TaskKey,
    private readonly listener: PersistenceListener,
  ) {}

  /** The task as it is now; undefined until it exists. */
  get snapshot(): TaskSnapshot | undefined {
    return this.live;
  }

  /** Why nothing can be stored any more. */
  get failure(): A2AError | undefined {
    return this.broken;
  }

  private get store(): TaskStore {
    return this.services.store;
  }

  /** True while chunks wait for a checkpoint. */
  get unsaved(): boolean {
    return this.unsavedBytes > 0;
  }

  /** What the store has is the task. */
  adopt(record: TaskRecord): void {
    this.record = record;
    this.live = record.snapshot;
    this.unsavedBytes = 0;
  }

  /** Makes the first record, which then is the task once it is adopted. */
  create(record: TaskRecord): Awaitable<void> {
    return withRetries(this, (attempt) => (attempt === 0 ? this.store.create(record) : this.createAgain(record)));
  }

  /** Stores a snapshot, which then is the task. */
  save(next: TaskSnapshot): Awaitable<void> {
    const { record } = this;
    if (record === undefined) throw new Error('A task is saved only after it was created');
    this.stopTimer();
    const following = record.next(next);
    let attempts = 0;
    const result = withRetries(this, (attempt) => {
      attempts = attempt;
      return this.store.save(following, record.version);
    });
    return whenDone(result, (saved) => this.saved(following, saved, attempts));
  }

  private saved(record: TaskRecord, result: TaskSaveResult, attempts: number): Awaitable<void> {
    // A save whose answer was lost and that is tried again finds its own record.
    if (!result.saved && !(attempts > 0 && isSame(result.current, record))) return this.reconcile(result.current);
    this.adopt(record);
  }

  /** A chunk is in the task from now on, and in the store with the next checkpoint. */
  showUnsaved(next: TaskSnapshot): void {
    this.live = next;
  }

  /** Sees to it that so many more bytes are stored soon. @returns a promise when that is to be waited for */
  checkpointAfter(bytes: number): Awaitable<void> {
    this.unsavedBytes += bytes;
    if (this.unsavedBytes > CHECKPOINT_BYTES) return this.checkpoint();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // A checkpoint that fails has been told to the run and the readers already.
      this.listener.drained().catch(() => undefined);
    }, CHECKPOINT_MS).unref();
  }

  /** Stores the chunks that are not yet. */
  checkpoint(): Awaitable<void> {
    const { live } = this;
    if (live !== undefined && this.unsaved && this.broken === undefined) return this.save(live);
  }

  stopTimer(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The end of this task's storing: nothing more is shown that was not stored. */
  fail(cause: unknown): A2AError {
    if (this.broken) return this.broken;
    const error = A2AError.from(cause);
    this.broken = error;
    this.services.storeFailed(this.key, cause);
    this.listener.onStoreFailed(error);
    return error;
  }

  /** A creation whose answer was lost and that is tried again finds its own record. */
  private async createAgain(record: TaskRecord): Promise<void> {
    const { agent, tenant, id } = record.key;
    if (!isSame(await this.store.get({ agent, tenant }, id), record)) await this.store.create(record);
  }

  /** Somebody else changed the task: when it ended there, that end holds; anything else is a fault. */
  private async reconcile(current: TaskRecord | undefined): Promise<never> {
    const { agent, tenant, id } = this.key;
    const end = Date.now() + this.services.settings.reconciliationTimeoutSeconds * 1000;
    let stored = current;
    while (stored !== undefined && !stored.snapshot.ended && Date.now() < end) {
      await delay(RECONCILIATION_POLL_MS);
      stored = await withRetries(this, () => this.store.get({ agent, tenant }, id));
    }
    if (stored?.snapshot.ended) {
      // Our readers may have seen chunks that the other writer knew nothing of: their end comes behind those.
      const seen = this.live?.sequence ?? 0;
      this.adopt(stored);
      await this.listener.onEndedElsewhere(stored.snapshot, Math.max(stored.sequence, seen + 1));
      throw new AgentEmitterError('TASK_ENDED', `The task was ended elsewhere: it is ${stored.state}`);
    }
    throw this.fail(new Error(stored ? 'The task was changed by another writer' : 'The task is gone from the store'));
  }
}

/** Whether a record is ours. Another writer counts versions and events as we do: what they are about tells it. */
function isSame(stored: TaskRecord | undefined, ours: TaskRecord): boolean {
  const about = ({ version, sequence, bytes, snapshot }: TaskRecord): string =>
    JSON.stringify([
      [version, sequence, bytes, snapshot.historyLength],
      [snapshot.state, snapshot.statusMillis, snapshot.status.message?.messageId],
    ]);
  return stored !== undefined && about(stored) === about(ours);
}
