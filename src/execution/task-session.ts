import { isInterrupted, TaskState, type A2AError, type Message } from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import { isPending, whenDone, type Awaitable } from '../awaitable.js';
import { EarlyEvents } from '../events/early-events.js';
import type { TaskEvent } from '../events/task-event.js';
import { taskKeyString, type TaskRecord } from '../tasks/task-record.js';
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
  /** The key as text. */
  readonly name: string;
  private readonly queue = new SerialQueue();
  private readonly burst = new BurstGauge();
  private readonly stored: TaskPersistence;
  private readonly writer: TaskWriter;
  private early: EarlyEvents | undefined;

  private constructor(
    private readonly services: SessionServices,
    readonly identity: SessionIdentity,
    firstMessage: FirstMessage | undefined,
  ) {
    this.name = taskKeyString(identity.key);
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
  exist(): Awaitable<TaskSnapshot> {
    return this.snapshot ?? this.writer.bear();
  }

  /** Runs something while nobody else changes the task. */
  exclusive<T>(operation: () => Awaitable<T>): Awaitable<T> {
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

  /** A run's change of state. Synchronous as long as nothing has to be waited for. @throws AgentEmitterError */
  emitStatus(run: AgentRun, change: StatusInput): Awaitable<void> {
    return this.enqueue(() => this.statusOf(run, change));
  }

  /** A run's artifact. Synchronous as long as nothing has to be waited for. @throws AgentEmitterError */
  emitArtifact(run: AgentRun, input: ArtifactInput): Awaitable<void> {
    return this.enqueue(() => {
      const { artifact, append, bytes } = input;
      const replaced = append ? 0 : (this.snapshot?.artifactBytes(artifact.artifactId) ?? 0);
      this.admit(run, bytes - replaced);
      if (this.snapshot !== undefined) return this.artifactOf(run, input);
      return whenDone(
        this.forAuthor(() => this.writer.bear()),
        () => this.artifactOf(run, input),
      );
    });
  }

  /** A run's direct answer. @throws AgentEmitterError */
  emitMessage(run: AgentRun, message: { readonly value: Message; readonly bytes: number }): Awaitable<void> {
    return this.enqueue(() => this.messageOf(run, message));
  }

  /** The library's own change of state, inside `exclusive`; what the run may emit ends with a terminal state. */
  force(change: StatusInput): Awaitable<TaskSnapshot> {
    return whenDone(this.writer.applyStatus(change), (snapshot) => {
      if (snapshot.ended) settle(this.run, snapshot);
      return snapshot;
    });
  }

  /**
   * Takes a message of the caller into the history, inside `exclusive`. A task that waited for input goes to WORKING
   * in the same change; one that waits for a credential stays as it is.
   */
  acceptMessage(message: Message, bytes: number): Awaitable<TaskSnapshot> {
    return this.writer.acceptMessage(message, bytes);
  }

  /** Somebody reads the task's events, or is about to: from now on each goes to the bus. */
  watch(): void {
    this.writer.watched = true;
  }

  /** Keeps the events from now on for a reader who is about to come. */
  keepEvents(): void {
    this.watch();
    this.early?.close();
    this.early = new EarlyEvents(this.services.bus.subscribe(this.identity.key, this.published));
  }

  /** What was kept for a reader, who then is the only one to have it; undefined when nothing was, or not all of it. */
  takeEvents(): Observable<TaskEvent> | undefined {
    const { early } = this;
    this.early = undefined;
    return early?.complete === true ? early.events : undefined;
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

  private enqueue(operation: () => Awaitable<void>): Awaitable<void> {
    if (this.queue.length < MAX_WAITING_EVENTS) return this.queue.run(operation);
    const text = `${MAX_WAITING_EVENTS} events wait already: await the emitter's calls`;
    throw new AgentEmitterError('TOO_MANY_WAITING', text);
  }

  private statusOf(run: AgentRun, change: StatusInput): Awaitable<void> {
    this.admit(run, change.bytes);
    const { strictTransitions } = this.services.settings;
    const applied = this.forAuthor(() => this.writer.applyStatus(change, strictTransitions));
    return whenDone(applied, (snapshot) => {
      run.emitted++;
      afterStatus(run, snapshot);
      return this.burst.note(change.bytes);
    });
  }

  private messageOf(run: AgentRun, message: { readonly value: Message; readonly bytes: number }): Awaitable<void> {
    this.admit(run, message.bytes);
    checkMessageFirst(run);
    if (this.snapshot === undefined) {
      run.directMessage = message.value;
      run.silence();
      run.stopped({ kind: 'message', message: message.value });
      return;
    }
    const inTask = { ...message.value, taskId: this.identity.key.id };
    const change = { state: TaskState.COMPLETED, message: inTask, bytes: message.bytes };
    return whenDone(
      this.forAuthor(() => this.writer.applyStatus(change)),
      (snapshot) => {
        run.emitted++;
        afterStatus(run, snapshot);
      },
    );
  }

  private artifactOf(run: AgentRun, input: ArtifactInput): Awaitable<void> {
    const applied = this.forAuthor(() => this.writer.applyArtifact(input));
    run.emitted++;
    const turn = this.burst.note(input.bytes);
    if (!isPending(applied)) return turn;
    // Both at once: the turn goes by while the store works.
    return Promise.all([applied, turn]).then(() => undefined);
  }

  /** Makes a change whose failures the agent's author is to understand. */
  private forAuthor<T>(change: () => Awaitable<T>): Awaitable<T> {
    const refuse = (error: unknown): never => {
      throw this.toAuthor(error);
    };
    try {
      const made = change();
      return isPending(made) ? made.catch(refuse) : made;
    } catch (error) {
      return refuse(error);
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
