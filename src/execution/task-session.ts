import { isInterrupted, TaskState, type A2AError, type Message } from 'nestjs-a2a/protocol';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { TaskRecord } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { AgentRun } from './agent-run.js';
import { checkMessageFirst, checkRun } from './event-admission.js';
import { BurstGauge } from './loop-yield.js';
import { SerialQueue } from './serial-queue.js';
import type { SessionIdentity } from './session-identity.js';
import type { SessionServices } from './session-services.js';
import type { ArtifactInput, StatusInput } from './task-change.js';
import { TaskPersistence, type PersistenceListener } from './task-persistence.js';
import { TaskWriter, type FirstMessage } from './task-writer.js';

const MAX_WAITING_EVENTS = 10_000;

/**
 * The one writer of one task. Every change goes through here, one at a time: it is applied to the snapshot, stored,
 * numbered and handed to the readers. Chunks of artifacts are handed out first and stored in groups, but always before
 * the next status is seen.
 */
export class TaskSession implements PersistenceListener {
  /** The run that may change the task now, or did so last. */
  run: AgentRun | undefined;
  private readonly queue = new SerialQueue();
  private readonly burst = new BurstGauge();
  private readonly stored: TaskPersistence;
  private readonly writer: TaskWriter;

  private constructor(
    private readonly services: SessionServices,
    readonly identity: SessionIdentity,
    firstMessage: FirstMessage | undefined,
  ) {
    this.stored = new TaskPersistence(services, identity.key, this);
    this.writer = new TaskWriter(services, identity, this.stored, firstMessage);
  }

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
    session.stored.adopt(record);
    return session;
  }

  /** The task as its readers have seen it; undefined until it exists. */
  get snapshot(): TaskSnapshot | undefined {
    return this.stored.snapshot;
  }

  /** The number of the last event that readers were given: what is stored may be one ahead. */
  get published(): number {
    return this.writer.published;
  }

  /** Resolves when the task exists; rejects when it could not be stored. */
  get born(): Promise<TaskSnapshot> {
    return this.writer.born;
  }

  /** Makes the task exist, if it does not yet; undefined when its run has answered with a direct message instead. */
  async materialise(): Promise<TaskSnapshot | undefined> {
    return this.exclusive(async () => (this.run?.directMessage ? undefined : this.exist()));
  }

  /** As {@link materialise}, inside `exclusive`. */
  async exist(): Promise<TaskSnapshot> {
    return this.snapshot ?? this.writer.bear();
  }

  /** Runs something while nobody else changes the task. */
  exclusive<T>(operation: () => T | Promise<T>): T | Promise<T> {
    return this.queue.run(operation);
  }

  /** True when nothing waits to be applied or stored. */
  get idle(): boolean {
    return this.queue.idle && !this.stored.unsaved;
  }

  /** Resolves when every change asked for so far is applied and stored. */
  async drained(): Promise<void> {
    // A turn of its own, and no more: a busy task must not keep a run that is over.
    await this.exclusive(() => (this.stored.unsaved ? this.stored.checkpoint() : undefined));
  }

  /** A run's change of state. @throws AgentEmitterError */
  emitStatus(run: AgentRun, change: StatusInput): Promise<void> {
    return this.enqueue(() => this.statusOf(run, change));
  }

  /** A run's artifact. Synchronous as long as nothing has to be waited for. @throws AgentEmitterError */
  emitArtifact(run: AgentRun, input: ArtifactInput): void | Promise<void> {
    return this.enqueue(() => {
      const { artifact, append, bytes } = input;
      const replaced = append ? 0 : (this.snapshot?.artifactBytes(artifact.artifactId) ?? 0);
      this.admit(run, bytes - replaced);
      return this.snapshot === undefined ? this.bearWithArtifact(run, input) : this.artifactOf(run, input);
    });
  }

  /** A run's direct answer. @throws AgentEmitterError */
  emitMessage(run: AgentRun, message: { readonly value: Message; readonly bytes: number }): Promise<void> {
    return this.enqueue(() => this.messageOf(run, message));
  }

  /** The library's own change of state, inside `exclusive`; what the run may emit ends with a terminal state. */
  async force(change: StatusInput): Promise<TaskSnapshot> {
    const snapshot = await this.writer.applyStatus(change);
    if (snapshot.ended) settle(this.run, snapshot);
    return snapshot;
  }

  /**
   * Takes a message of the caller into the history, inside `exclusive`. A task that waited for input goes to WORKING
   * in the same change; one that waits for a credential stays as it is.
   */
  acceptMessage(message: Message, bytes: number): Promise<TaskSnapshot> {
    return this.writer.acceptMessage(message, bytes);
  }

  /** Stops the checkpoint timer; what is unsaved must have been drained before. */
  close(): void {
    this.stored.stopTimer();
    if (this.snapshot !== undefined) this.services.bus.release(this.identity.key);
  }

  /** For its persistence. */
  async onEndedElsewhere(snapshot: TaskSnapshot, sequence: number): Promise<void> {
    settle(this.run, snapshot);
    await this.writer.publishEnd(snapshot, sequence);
  }

  /** For its persistence. */
  onStoreFailed(error: A2AError): void {
    this.run?.abort('store-failed');
    this.run?.silence();
    this.run?.stopped({ kind: 'error', error });
    this.writer.fail(error);
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
    let snapshot: TaskSnapshot;
    try {
      snapshot = await this.writer.applyStatus(change, this.services.settings.strictTransitions);
    } catch (error) {
      throw this.toAuthor(error);
    }
    run.emitted++;
    afterStatus(run, snapshot);
    const turn = this.burst.note(change.bytes);
    if (turn) await turn;
  }

  private async messageOf(run: AgentRun, message: { readonly value: Message; readonly bytes: number }): Promise<void> {
    this.admit(run, message.bytes);
    checkMessageFirst(run);
    if (this.snapshot === undefined) {
      run.directMessage = message.value;
      run.silence();
      run.stopped({ kind: 'message', message: message.value });
      return;
    }
    const inTask = { ...message.value, taskId: this.identity.key.id };
    let snapshot: TaskSnapshot;
    try {
      snapshot = await this.writer.applyStatus({ state: TaskState.COMPLETED, message: inTask, bytes: message.bytes });
    } catch (error) {
      throw this.toAuthor(error);
    }
    run.emitted++;
    afterStatus(run, snapshot);
  }

  private async bearWithArtifact(run: AgentRun, input: ArtifactInput): Promise<void> {
    try {
      await this.writer.bear();
    } catch (error) {
      throw this.toAuthor(error);
    }
    await this.artifactOf(run, input);
  }

  private artifactOf(run: AgentRun, input: ArtifactInput): void | Promise<void> {
    const applied = this.writer.applyArtifact(input);
    run.emitted++;
    const turn = this.burst.note(input.bytes);
    if (applied ?? turn) return this.settled(applied, turn);
  }

  private async settled(...parts: (void | Promise<unknown>)[]): Promise<void> {
    try {
      await Promise.all(parts);
    } catch (error) {
      throw this.toAuthor(error);
    }
  }

  /** Whether a run may add so many bytes now. @throws AgentEmitterError */
  private admit(run: AgentRun, bytes: number): void {
    if (this.stored.failure) throw storeFailed(this.stored.failure);
    checkRun(run, this.snapshot);
    if (this.writer.hasRoomFor(bytes)) return;
    const { maxTaskBytes } = this.services.settings;
    throw new AgentEmitterError('TASK_TOO_LARGE', `The task would hold more than maxTaskBytes (${maxTaskBytes})`);
  }

  /** Authors know the emitter's errors, not the protocol's. */
  private toAuthor(error: unknown): unknown {
    const { failure } = this.stored;
    return failure !== undefined && error === failure ? storeFailed(failure) : error;
  }
}

function storeFailed(cause: A2AError): AgentEmitterError {
  return new AgentEmitterError('STORE_FAILED', 'The task could not be stored', { cause });
}

function afterStatus(run: AgentRun, snapshot: TaskSnapshot): void {
  if (snapshot.ended || snapshot.state === TaskState.INPUT_REQUIRED) settle(run, snapshot);
  else if (isInterrupted(snapshot.state)) run.stopped({ kind: 'task', snapshot });
}

/** The run may emit nothing more, and those who wait for it have their answer. */
function settle(run: AgentRun | undefined, snapshot: TaskSnapshot): void {
  run?.silence();
  run?.stopped({ kind: 'task', snapshot });
}
