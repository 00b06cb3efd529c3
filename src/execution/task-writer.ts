import { A2AError, ResourceExhaustedError, TaskState, type Message } from 'nestjs-a2a/protocol';
import { isPending, whenDone, type Awaitable } from '../awaitable.js';
import type { TaskEvent } from '../events/task-event.js';
import { TaskRecord } from '../tasks/task-record.js';
import { TaskSnapshot } from '../tasks/task-snapshot.js';
import { withFields } from '../with-fields.js';
import { deferred, type Deferred } from './deferred.js';
import { checkAppend, checkTransition } from './event-admission.js';
import type { SessionIdentity } from './session-identity.js';
import type { SessionServices } from './session-services.js';
import type { ArtifactInput, StatusInput } from './task-change.js';
import { artifactEvent, statusEvent, taskEvent } from './task-events.js';
import type { TaskPersistence } from './task-persistence.js';

/** The message that a task begins with. */
export interface FirstMessage {
  readonly message: Message;
  readonly bytes: number;
}

/**
 * Applies changes to a task: makes the next snapshot, stores it, and hands its event to the readers, in this order for
 * a status. Chunks of artifacts are handed out first. Whoever calls sees to it that one change follows the other.
 */
export class TaskWriter {
  /** Set once somebody reads the task's events, or is about to. */
  watched = false;
  private birth: Deferred<TaskSnapshot> | undefined;
  private lastPublished = 0;
  private busFailed = false;

  constructor(
    private readonly services: SessionServices,
    private readonly identity: SessionIdentity,
    private readonly stored: TaskPersistence,
    private readonly firstMessage: FirstMessage | undefined,
  ) {}

  /** The number of the last event that readers were given. */
  get published(): number {
    return this.lastPublished;
  }

  /** Resolves when the task exists; rejects when it could not be stored. */
  get born(): Promise<TaskSnapshot> {
    const { failure, snapshot } = this.stored;
    if (failure) return Promise.reject(failure);
    if (snapshot) return Promise.resolve(snapshot);
    this.birth ??= deferred<TaskSnapshot>();
    return this.birth.promise;
  }

  hasRoomFor(bytes: number): boolean {
    const size = this.stored.snapshot?.bytes ?? this.firstMessage?.bytes ?? 0;
    return size + bytes <= this.services.settings.maxTaskBytes;
  }

  /** Stores the first snapshot, with the first change in it if there is one, then shows both. */
  bear(change?: StatusInput, strict = false): Awaitable<TaskSnapshot> {
    const { firstMessage } = this;
    const { key, owner, contextId } = this.identity;
    if (firstMessage === undefined) throw new Error('Only a new task can be born');
    const submitted = change?.state === TaskState.SUBMITTED ? change : { state: TaskState.SUBMITTED, bytes: 0 };
    const at = Date.now();
    const bytes = firstMessage.bytes + submitted.bytes;
    const first = TaskSnapshot.first(key.id, contextId, firstMessage.message, withFields(submitted, { at, bytes }));
    let next = first;
    if (change !== undefined && change !== submitted) {
      checkTransition(first, change.state, strict);
      next = this.sealed(first.withStatus(withFields(change, { at })));
    }
    const record = new TaskRecord(key, owner, 1, at, next);
    return whenDone(this.stored.create(record), () => {
      this.stored.adopt(record);
      const { historyMaxRawBytes } = this.services.settings;
      const born = this.publish(1, () => taskEvent(first, firstMessage.bytes, historyMaxRawBytes));
      const told = next === first ? born : whenDone(born, () => this.tell(next, next.sequence, change?.bytes ?? 0));
      return whenDone(told, () => {
        this.birth?.resolve(next);
        return next;
      });
    });
  }

  applyStatus(change: StatusInput, strict = false): Awaitable<TaskSnapshot> {
    const { snapshot } = this.stored;
    if (snapshot === undefined) return this.bear(change, strict);
    checkTransition(snapshot, change.state, strict);
    const next = this.sealed(snapshot.withStatus(withFields(change, { at: nowFor(snapshot) })));
    return this.saveAndTell(next, change.bytes);
  }

  /** Synchronous as long as nothing has to be waited for. */
  applyArtifact(input: ArtifactInput): Awaitable<unknown> {
    const { artifact, append, bytes } = input;
    const snapshot = this.mustExist();
    if (append) checkAppend(snapshot, artifact.artifactId);
    const next = snapshot.withArtifact({ artifact, append, bytes });
    this.stored.showUnsaved(next);
    const published = this.publish(next.sequence, () => artifactEvent(next, input));
    const saved = this.stored.checkpointAfter(bytes);
    return isPending(published) && isPending(saved) ? Promise.all([published, saved]) : (published ?? saved);
  }

  /** As `TaskSession.acceptMessage`. */
  acceptMessage(message: Message, bytes: number): Awaitable<TaskSnapshot> {
    const snapshot = this.mustExist();
    if (!this.hasRoomFor(bytes)) throw new ResourceExhaustedError('The task is full: it takes no message of this size');
    if (snapshot.state !== TaskState.INPUT_REQUIRED) {
      const next = snapshot.withMessage(message, bytes);
      return whenDone(this.stored.save(next), () => next);
    }
    const next = snapshot
      .withStatus({ state: TaskState.WORKING, at: nowFor(snapshot), bytes: 0 })
      .withMessage(message, bytes);
    return this.saveAndTell(next, 0);
  }

  /** Shows an end that another writer has stored. */
  publishEnd(snapshot: TaskSnapshot, sequence: number): Awaitable<void> {
    return this.tell(snapshot, sequence, 0);
  }

  /** Tells the readers, and those who wait for the task, that it can be stored no more. */
  fail(error: A2AError): void {
    this.birth?.reject(error);
    this.services.bus.fail(this.identity.key, error);
  }

  private saveAndTell(next: TaskSnapshot, bytes: number): Awaitable<TaskSnapshot> {
    return whenDone(this.stored.save(next), () => whenDone(this.tell(next, next.sequence, bytes), () => next));
  }

  private tell(snapshot: TaskSnapshot, sequence: number, bytes: number): Awaitable<void> {
    return this.publish(sequence, () => statusEvent(snapshot, sequence, bytes));
  }

  /** Makes the event only when somebody may want it: nobody does of most tasks. */
  private publish(sequence: number, eventOf: () => TaskEvent): Awaitable<void> {
    this.lastPublished = sequence;
    const { bus } = this.services;
    const { key } = this.identity;
    try {
      this.watched ||= bus.awaits(key);
      if (!this.watched) return;
      const published = bus.publish(key, eventOf());
      if (isPending(published)) return Promise.resolve(published).catch((error: unknown) => this.readersFail(error));
    } catch (error) {
      this.readersFail(error);
    }
  }

  /** What is stored holds, whether or not it can be told: readers get an error in place of a gap. */
  private readersFail(cause: unknown): void {
    const { services, identity } = this;
    // Once is enough: every chunk may fail.
    if (!this.busFailed) services.busFailed(identity.key, cause);
    this.busFailed = true;
    try {
      services.bus.fail(identity.key, A2AError.from(cause));
    } catch {
      // It is broken altogether, as was said.
    }
  }

  /** An ended task is kept without large files. */
  private sealed(snapshot: TaskSnapshot): TaskSnapshot {
    return snapshot.ended ? snapshot.withoutLargeRaw(this.services.settings.historyMaxRawBytes) : snapshot;
  }

  private mustExist(): TaskSnapshot {
    const { snapshot } = this.stored;
    if (snapshot === undefined) throw new Error('The task does not exist yet');
    return snapshot;
  }
}

/** The clock may be set back; a task's status times never go back. */
function nowFor({ statusMillis }: TaskSnapshot): number {
  return Math.max(Date.now(), statusMillis);
}
