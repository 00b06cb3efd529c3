import { setTimeout as delay } from 'node:timers/promises';
import {
  A2AError,
  canTransition,
  isInterrupted,
  ResourceExhaustedError,
  TaskState,
  UnavailableError,
  type Artifact,
  type Message,
} from 'nestjs-a2a/protocol';
import type { A2ASettings } from '../a2a.options.js';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { TaskEventBus } from '../events/task-event-bus.js';
import { TaskEvent } from '../events/task-event.js';
import { TaskRecord, type TaskKey } from '../tasks/task-record.js';
import { TaskSnapshot, type StatusChange } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import type { AgentRun } from './agent-run.js';
import { deferred, type Deferred } from './deferred.js';
import { withLimit } from './limits.js';
import { BurstGauge } from './loop-yield.js';
import { SerialQueue } from './serial-queue.js';

const MAX_WAITING_EVENTS = 10_000;
const CHECKPOINT_MS = 200;
const CHECKPOINT_BYTES = 256 * 1024;
const STORE_ATTEMPT_MS = 10_000;
const STORE_RETRY_MS = [50, 250, 1_000];
const RECONCILIATION_POLL_MS = 50;

/** What a session needs of its agent. */
export interface SessionServices {
  readonly store: TaskStore;
  readonly bus: TaskEventBus;
  readonly settings: A2ASettings;
  /** Told when a task could not be stored. */
  storeFailed(key: TaskKey, error: unknown): void;
}

/** Which task, and whose. */
export interface SessionIdentity {
  readonly key: TaskKey;
  readonly owner: string;
  readonly contextId: string;
}

/** A change of state before its time is known. */
export type StatusInput = Omit<StatusChange, 'at'>;

/** An artifact, or a chunk of one, from a run. */
export interface ArtifactInput {
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly bytes: number;
}

/**
 * The one writer of one task. Every change goes through here, one at a time: it is applied to the snapshot, stored,
 * numbered and handed to the readers. Chunks of artifacts are handed out first and stored in groups, but always before
 * the next status is seen.
 */
export class TaskSession {
  /** The run that may change the task now, or did so last. */
  run: AgentRun | undefined;
  private readonly queue = new SerialQueue();
  private readonly burst = new BurstGauge();
  private birth: Deferred<TaskSnapshot> | undefined;
  private record: TaskRecord | undefined;
  private live: TaskSnapshot | undefined;
  private unsavedBytes = 0;
  private lastPublished = 0;
  private checkpointTimer: NodeJS.Timeout | undefined;
  private failure: A2AError | undefined;

  private constructor(
    private readonly services: SessionServices,
    readonly identity: SessionIdentity,
    private readonly firstMessage: { readonly message: Message; readonly bytes: number } | undefined,
  ) {}

  /** The session of a task that does not exist yet: its first event makes it. */
  static forNewTask(
    services: SessionServices,
    identity: SessionIdentity,
    message: Message,
    bytes: number,
  ): TaskSession {
    return new TaskSession(services, identity, { message, bytes });
  }

  /** The session of a stored task. */
  static forRecord(services: SessionServices, record: TaskRecord): TaskSession {
    const { key, owner, contextId } = record;
    const session = new TaskSession(services, { key, owner, contextId }, undefined);
    session.adopt(record);
    return session;
  }

  /** The task as its readers have seen it; undefined until it exists. */
  get snapshot(): TaskSnapshot | undefined {
    return this.live;
  }

  /** The number of the last event that readers were given: what is stored may be one ahead. */
  get published(): number {
    return this.lastPublished;
  }

  /** Resolves when the task exists; rejects when it could not be stored. */
  get born(): Promise<TaskSnapshot> {
    if (this.failure) return Promise.reject(this.failure);
    if (this.live) return Promise.resolve(this.live);
    this.birth ??= deferred<TaskSnapshot>();
    return this.birth.promise;
  }

  /** A live run that is not waiting for anybody: the task takes no message now. */
  get busy(): boolean {
    return this.run !== undefined && this.run.mayEmit && !(this.live !== undefined && isInterrupted(this.live.state));
  }

  /** Makes the task exist, if it does not yet; undefined when its run has answered with a direct message instead. */
  async materialise(): Promise<TaskSnapshot | undefined> {
    return this.exclusive(async () => (this.run?.directMessage ? undefined : this.exist()));
  }

  /** As {@link materialise}, inside `exclusive`. */
  async exist(): Promise<TaskSnapshot> {
    return this.live ?? this.bear();
  }

  /** Runs something while nobody else changes the task. */
  exclusive<T>(operation: () => T | Promise<T>): T | Promise<T> {
    return this.queue.run(operation);
  }

  /** True when nothing waits to be applied or stored. */
  get idle(): boolean {
    return this.queue.idle && this.unsavedBytes === 0;
  }

  /** Resolves when every change asked for so far is applied and stored. */
  async drained(): Promise<void> {
    // A turn of its own, and no more: a busy task must not keep a run that is over.
    await this.exclusive(() => (this.unsavedBytes > 0 ? this.checkpoint() : undefined));
  }

  /** A run's change of state. @throws AgentEmitterError */
  emitStatus(run: AgentRun, change: StatusInput): Promise<void> {
    return this.enqueue(() => this.statusOf(run, change));
  }

  /** A run's artifact. Synchronous as long as nothing has to be waited for. @throws AgentEmitterError */
  emitArtifact(run: AgentRun, input: ArtifactInput): void | Promise<void> {
    return this.enqueue(() => {
      const { artifact, append, bytes } = input;
      const replaced = append ? 0 : (this.live?.artifactBytes(artifact.artifactId) ?? 0);
      this.admit(run, bytes - replaced);
      return this.live === undefined ? this.bearWithArtifact(run, input) : this.applyArtifact(run, input);
    });
  }

  /** A run's direct answer. @throws AgentEmitterError */
  emitMessage(run: AgentRun, message: { readonly value: Message; readonly bytes: number }): Promise<void> {
    return this.enqueue(() => this.messageOf(run, message));
  }

  /** The library's own change of state, inside `exclusive`; what the run may emit ends with a terminal state. */
  async force(change: StatusInput): Promise<TaskSnapshot> {
    const snapshot = await this.applyStatus(change);
    if (snapshot.ended) this.settle(this.run, snapshot);
    return snapshot;
  }

  /**
   * Takes a message of the caller into the history, inside `exclusive`. A task that waited for input goes to WORKING
   * in the same change; one that waits for a credential stays as it is.
   */
  async acceptMessage(message: Message, bytes: number): Promise<TaskSnapshot> {
    const { live } = this;
    if (live === undefined) throw new Error('A message cannot be accepted before its task exists');
    if (!this.hasRoomFor(bytes)) throw new ResourceExhaustedError('The task is full: it takes no message of this size');
    if (live.state !== TaskState.INPUT_REQUIRED) {
      await this.save(live.withMessage(message, bytes));
      return this.mustLive();
    }
    const next = live
      .withStatus({ state: TaskState.WORKING, at: this.now(live), bytes: 0 })
      .withMessage(message, bytes);
    await this.save(next);
    await this.publishStatus(next, 0);
    return next;
  }

  /** Stops the checkpoint timer; what is unsaved must have been drained before. */
  close(): void {
    clearTimeout(this.checkpointTimer);
    this.checkpointTimer = undefined;
    if (this.live !== undefined) this.services.bus.release(this.identity.key);
  }

  private enqueue(operation: () => Promise<void>): Promise<void>;
  private enqueue(operation: () => void | Promise<void>): void | Promise<void>;
  private enqueue(operation: () => void | Promise<void>): void | Promise<void> {
    if (this.queue.length < MAX_WAITING_EVENTS) return this.queue.run(operation);
    const text = `${MAX_WAITING_EVENTS} events wait already: await the emitter's calls`;
    throw new AgentEmitterError('TOO_MANY_WAITING', text);
  }

  private async statusOf(run: AgentRun, change: StatusInput): Promise<void> {
    this.admit(run, change.bytes);
    try {
      await this.applyStatus(change, this.services.settings.strictTransitions);
    } catch (error) {
      throw this.toAuthor(error);
    }
    run.emitted++;
    this.afterStatus(run);
    const turn = this.burst.note(change.bytes);
    if (turn) await turn;
  }

  private async messageOf(run: AgentRun, message: { readonly value: Message; readonly bytes: number }): Promise<void> {
    this.admit(run, message.bytes);
    if (run.followUp || run.emitted > 0) {
      const text = 'A direct message is possible only as the first event of a task';
      throw new AgentEmitterError('MESSAGE_NOT_FIRST', text);
    }
    if (this.live === undefined) {
      run.directMessage = message.value;
      run.silence();
      run.stopped({ kind: 'message', message: message.value });
      return;
    }
    const inTask = { ...message.value, taskId: this.identity.key.id };
    try {
      await this.applyStatus({ state: TaskState.COMPLETED, message: inTask, bytes: message.bytes });
    } catch (error) {
      throw this.toAuthor(error);
    }
    run.emitted++;
    this.afterStatus(run);
  }

  private async bearWithArtifact(run: AgentRun, input: ArtifactInput): Promise<void> {
    try {
      await this.bear();
    } catch (error) {
      throw this.toAuthor(error);
    }
    await this.applyArtifact(run, input);
  }

  private toAuthor(error: unknown): unknown {
    return error === this.failure ? this.storeFailed() : error;
  }

  private storeFailed(): AgentEmitterError {
    return new AgentEmitterError('STORE_FAILED', 'The task could not be stored', { cause: this.failure });
  }

  private admit(run: AgentRun, bytes: number): void {
    if (this.failure) throw this.storeFailed();
    if (run.directMessage)
      throw new AgentEmitterError('EVENT_AFTER_MESSAGE', 'The run has answered with a direct message');
    if (this.live?.ended) {
      throw new AgentEmitterError('TASK_ENDED', `The task is ${this.live.state}: nothing can be added to it`);
    }
    if (!run.accepts) {
      throw new AgentEmitterError('RUN_ENDED', 'This run may emit nothing more: it has asked for input or was cut off');
    }
    if (!this.hasRoomFor(bytes)) {
      const { maxTaskBytes } = this.services.settings;
      throw new AgentEmitterError('TASK_TOO_LARGE', `The task would hold more than maxTaskBytes (${maxTaskBytes})`);
    }
  }

  private hasRoomFor(bytes: number): boolean {
    const size = this.live?.bytes ?? this.firstMessage?.bytes ?? 0;
    return size + bytes <= this.services.settings.maxTaskBytes;
  }

  private async applyStatus(change: StatusInput, strict = false): Promise<TaskSnapshot> {
    if (this.live === undefined) return this.bear(change, strict);
    this.checkTransition(this.live, change.state, strict);
    const next = this.sealed(this.live.withStatus({ ...change, at: this.now(this.live) }));
    await this.save(next);
    const published = this.publishStatus(next, change.bytes);
    if (published) await published;
    return next;
  }

  private applyArtifact(run: AgentRun, input: ArtifactInput): void | Promise<void> {
    const live = this.mustLive();
    const { artifact, append, lastChunk, bytes } = input;
    if (append && !live.hasArtifact(artifact.artifactId)) {
      throw new AgentEmitterError('UNKNOWN_ARTIFACT', `There is no artifact '${artifact.artifactId}' to append to`);
    }
    const next = live.withArtifact({ artifact, append, bytes });
    this.live = next;
    run.emitted++;
    const { id, contextId } = next;
    const artifactUpdate = {
      taskId: id,
      contextId,
      artifact,
      ...(append && { append }),
      ...(lastChunk && { lastChunk }),
    };
    const published = this.publish(new TaskEvent(next.sequence, { artifactUpdate }, next.state, bytes));
    this.unsavedBytes += bytes;
    const saved = this.unsavedBytes > CHECKPOINT_BYTES ? this.checkpoint() : this.checkpointLater();
    const turn = this.burst.note(bytes);
    if (published ?? saved ?? turn) return this.settled([published, saved, turn]);
  }

  private async settled(parts: readonly (void | Promise<void>)[]): Promise<void> {
    try {
      await Promise.all(parts);
    } catch (error) {
      throw this.toAuthor(error);
    }
  }

  /** Stores the first snapshot, with the first change in it if there is one, then shows both. */
  private async bear(change?: StatusInput, strict = false): Promise<TaskSnapshot> {
    const { firstMessage } = this;
    const { key, owner, contextId } = this.identity;
    if (firstMessage === undefined) throw new Error('Only a new task can be born');
    const submitted = change?.state === TaskState.SUBMITTED ? change : { state: TaskState.SUBMITTED, bytes: 0 };
    const at = Date.now();
    const first = TaskSnapshot.first(key.id, contextId, firstMessage.message, {
      ...submitted,
      at,
      bytes: firstMessage.bytes + submitted.bytes,
    });
    let next = first;
    if (change !== undefined && change !== submitted) {
      this.checkTransition(first, change.state, strict);
      next = this.sealed(first.withStatus({ ...change, at }));
    }
    const record = new TaskRecord(key, owner, 1, at, next);
    await this.guard((attempt) => this.create(record, attempt));
    this.record = record;
    this.live = next;
    const task = first.toPublicTask(this.services.settings.historyMaxRawBytes);
    const published = this.publish(new TaskEvent(1, { task }, first.state, firstMessage.bytes));
    if (published) await published;
    if (next !== first) await this.publishStatus(next, change?.bytes ?? 0);
    this.birth?.resolve(next);
    return next;
  }

  /** A creation whose answer was lost and that is tried again finds its own record. */
  private create(record: TaskRecord, attempt: number): Promise<void> {
    return attempt === 0 ? this.services.store.create(record) : this.createAgain(record);
  }

  private async createAgain(record: TaskRecord): Promise<void> {
    const { store } = this.services;
    const { agent, tenant, id } = record.key;
    if (!isSame(await store.get({ agent, tenant }, id), record)) await store.create(record);
  }

  private afterStatus(run: AgentRun): void {
    const snapshot = this.mustLive();
    if (snapshot.ended || snapshot.state === TaskState.INPUT_REQUIRED) this.settle(run, snapshot);
    else if (isInterrupted(snapshot.state)) run.stopped({ kind: 'task', snapshot });
  }

  private settle(run: AgentRun | undefined, snapshot: TaskSnapshot): void {
    run?.silence();
    run?.stopped({ kind: 'task', snapshot });
  }

  private checkTransition(from: TaskSnapshot, to: TaskState, strict: boolean): void {
    if (from.ended) throw new AgentEmitterError('TASK_ENDED', `The task is ${from.state}: an end never changes`);
    if (!canTransition(from.state, to, { strict })) {
      throw new AgentEmitterError('TRANSITION_NOT_ALLOWED', `A task cannot go from ${from.state} to ${to}`);
    }
  }

  /** An ended task is kept without large files. */
  private sealed(snapshot: TaskSnapshot): TaskSnapshot {
    return snapshot.ended ? snapshot.withoutLargeRaw(this.services.settings.historyMaxRawBytes) : snapshot;
  }

  /** The clock may be set back; a task's status times never go back. */
  private now(live: TaskSnapshot): number {
    return Math.max(Date.now(), live.statusMillis);
  }

  private publishStatus(snapshot: TaskSnapshot, bytes: number): void | Promise<void> {
    const { id, contextId, status } = snapshot;
    const payload = { statusUpdate: { taskId: id, contextId, status } };
    return this.publish(new TaskEvent(snapshot.sequence, payload, snapshot.state, bytes + 100));
  }

  private publish(event: TaskEvent): void | Promise<void> {
    this.lastPublished = event.sequence;
    return this.services.bus.publish(this.identity.key, event);
  }

  private checkpointLater(): undefined {
    this.checkpointTimer ??= setTimeout(() => {
      this.checkpointTimer = undefined;
      // A checkpoint that fails has been told to the run and the readers already.
      this.drained().catch(() => undefined);
    }, CHECKPOINT_MS).unref();
    return undefined;
  }

  private async checkpoint(): Promise<void> {
    if (this.unsavedBytes > 0 && this.failure === undefined) await this.save(this.mustLive());
  }

  /** Stores a snapshot, which then is the task. */
  private async save(next: TaskSnapshot): Promise<void> {
    const { record } = this;
    if (record === undefined) throw new Error('A task is saved only after it was created');
    clearTimeout(this.checkpointTimer);
    this.checkpointTimer = undefined;
    const following = record.next(next);
    let attempts = 0;
    const result = await this.guard((attempt) => {
      attempts = attempt;
      return this.services.store.save(following, record.version);
    });
    if (result.saved || (attempts > 0 && isSame(result.current, following))) {
      this.adopt(following);
      return;
    }
    await this.reconcile(result.current);
  }

  /** Somebody else changed the task: when it ended there, that end holds; anything else is a fault. */
  private async reconcile(current: TaskRecord | undefined): Promise<never> {
    const { store, settings } = this.services;
    const { agent, tenant, id } = this.identity.key;
    const end = Date.now() + settings.reconciliationTimeoutSeconds * 1000;
    let stored = current;
    while (stored !== undefined && !stored.snapshot.ended && Date.now() < end) {
      await delay(RECONCILIATION_POLL_MS);
      stored = await this.guard(() => store.get({ agent, tenant }, id));
    }
    if (stored?.snapshot.ended) {
      await this.adoptEnd(stored);
      throw new AgentEmitterError('TASK_ENDED', `The task was ended elsewhere: it is ${stored.state}`);
    }
    throw this.fail(new Error(stored ? 'The task was changed by another writer' : 'The task is gone from the store'));
  }

  /** Our readers may have seen chunks that the other writer knew nothing of: their end comes behind those. */
  private async adoptEnd(record: TaskRecord): Promise<void> {
    const seen = this.live?.sequence ?? 0;
    this.adopt(record);
    this.settle(this.run, record.snapshot);
    const { id, contextId, status, state, sequence } = record.snapshot;
    const payload = { statusUpdate: { taskId: id, contextId, status } };
    await this.publish(new TaskEvent(Math.max(sequence, seen + 1), payload, state, 100));
  }

  private adopt(record: TaskRecord): void {
    this.record = record;
    this.live = record.snapshot;
    this.unsavedBytes = 0;
  }

  /** Calls the store with a limit, and again after a while when that fails. */
  private async guard<T>(call: (attempt: number) => Promise<T>): Promise<T> {
    if (this.failure) throw this.failure;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = call(attempt);
        if (this.services.store.immediate) return await answer;
        return await withLimit(answer, STORE_ATTEMPT_MS, 'The task store did not answer');
      } catch (error) {
        const pause = STORE_RETRY_MS[attempt];
        if (error instanceof UnavailableError || pause === undefined) throw this.fail(error);
        await delay(pause);
      }
    }
  }

  /** The end of this session: nothing more is shown that was not stored. */
  private fail(cause: unknown): A2AError {
    if (this.failure) return this.failure;
    const error = A2AError.from(cause);
    this.failure = error;
    this.services.storeFailed(this.identity.key, cause);
    this.run?.abort('store-failed');
    this.run?.silence();
    this.run?.stopped({ kind: 'error', error });
    this.birth?.reject(error);
    this.services.bus.fail(this.identity.key, error);
    return error;
  }

  private mustLive(): TaskSnapshot {
    if (this.live === undefined) throw new Error('The task does not exist yet');
    return this.live;
  }
}

/** A save whose answer was lost and that is tried again finds its own record. */
function isSame(stored: TaskRecord | undefined, ours: TaskRecord): boolean {
  // Another writer counts versions and events as we do: what they were about tells the two apart.
  const about = ({ version, sequence, bytes, snapshot }: TaskRecord): string =>
    JSON.stringify([
      [version, sequence, bytes, snapshot.historyLength],
      [snapshot.state, snapshot.statusMillis, snapshot.status.message?.messageId],
    ]);
  return stored !== undefined && about(stored) === about(ours);
}
