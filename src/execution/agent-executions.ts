import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  A2AError,
  Role,
  TaskNotCancelableError,
  TaskState,
  UnavailableError,
  UnsupportedOperationError,
  type Message,
  type Struct,
} from 'nestjs-a2a/protocol';
import type { A2AObserver } from '../a2a.observer.js';
import type { A2ASettings } from '../a2a.options.js';
import { sizeOf } from '../agent/agent-content.js';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import { emitAll, isSequence, type StopSign } from './agent-outputs.js';
import { AgentRun, type AbortReason } from './agent-run.js';
import { deferred, settledWithin } from './deferred.js';
import type { ExecutionLog } from './execution-log.js';
import type { ExecutorSource } from './executor.source.js';
import { FollowUpQueue } from './follow-up-queue.js';
import { Latch } from './latch.js';
import { RunReservation } from './run-reservation.js';
import { RunContext, type RunInput } from './run-context.js';
import { RunEmitter } from './run-emitter.js';
import type { RunScheduler, ScheduledRun } from './run-scheduler.js';
import type { SessionIdentity, StatusInput, TaskSession } from './task-session.js';
import type { TaskSessionRegistry } from './task-session.registry.js';

const SHUTDOWN_GRACE_MS = 500;

/** A message that was taken on: its task's session, and the run that works on it. */
export interface AcceptedMessage {
  readonly session: TaskSession;
  readonly run: AgentRun;
  /** The task as the message found it; undefined when it does not exist yet. */
  readonly snapshot: TaskSnapshot | undefined;
  /** The stops of the run that are older than the message. */
  readonly stopsBefore: number;
}

interface Reservation {
  readonly job: RunReservation<LiveRun>;
  readonly scheduled: ScheduledRun;
}

interface LiveRun {
  readonly session: TaskSession;
  readonly run: AgentRun;
  readonly context: RunContext;
  readonly emitter: RunEmitter;
  readonly finished: Latch;
  /** Waits no longer for an execution that does not stop. */
  abandon: () => void;
  readonly scheduled: ScheduledRun;
  /** The executor's own `cancel()`, while a caller cancels. */
  cancelHook: Promise<void> | undefined;
}

/** What executions need of their agent. */
export interface ExecutionServices {
  readonly store: TaskStore;
  readonly settings: A2ASettings;
  readonly sessions: TaskSessionRegistry;
  readonly scheduler: RunScheduler;
  readonly executors: ExecutorSource;
  readonly observer: A2AObserver;
  readonly log: ExecutionLog;
}

/**
 * The executions of one agent: starts a run for a message, sees it to its end whatever the executor does, cancels it,
 * limits it in time, and ends it when the server stops.
 */
export class AgentExecutions {
  private readonly live = new Map<AgentRun, LiveRun>();
  private readonly queued = new FollowUpQueue();
  private readonly cancellations = new Map<TaskSession, Promise<void>>();
  private draining = false;

  constructor(private readonly services: ExecutionServices) {}

  /** Live executions: queued, running and detached ones. */
  get size(): number {
    return this.live.size;
  }

  /**
   * Takes on a message for a new task. Nothing exists yet but the run.
   *
   * @throws UnavailableError when no slot is free and the queue is full, or the server is stopping
   */
  start(identity: SessionIdentity, input: RunInput): AcceptedMessage {
    this.refuseWhileDraining();
    return this.startIn(this.reserve(identity), identity, input);
  }

  /** As {@link start}, with something to be done once there is room for the run, and before it begins. */
  async startAfter(identity: SessionIdentity, input: RunInput, before: () => Promise<void>): Promise<AcceptedMessage> {
    this.refuseWhileDraining();
    const reservation = this.reserve(identity);
    try {
      await before();
    } catch (error) {
      giveBack(reservation);
      throw error;
    }
    return this.startIn(reservation, identity, input);
  }

  /**
   * Takes on a message for a task that exists: a new run when it waits, the live run's mailbox or the queue when the
   * options say so.
   *
   * @throws UnsupportedOperationError when the task has ended or is busy
   * @throws UnavailableError as {@link start} does; the task is not changed then
   * @throws ResourceExhaustedError when the task or the live run's mailbox has no room for it
   */
  async followUp(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    this.refuseWhileDraining();
    const message = belonging(input.message, session.identity);
    return session.exclusive(async () => {
      try {
        return await this.takeOn(session, { ...input, message });
      } catch (error) {
        // Another writer may have ended the task: the session knows by now.
        throw error instanceof AgentEmitterError && session.snapshot?.ended ? ended(session.snapshot) : error;
      }
    });
  }

  /**
   * Cancels a task.
   *
   * @throws TaskNotCancelableError when it has ended otherwise, or its agent refuses
   */
  async cancel(session: TaskSession, call: ServerCallContext, metadata: Struct | undefined): Promise<TaskSnapshot> {
    const { id } = session.identity.key;
    if (session.snapshot?.ended !== true) {
      let cancellation = this.cancellations.get(session);
      if (cancellation === undefined) {
        cancellation = this.carryOutCancel(session, call, metadata).finally(() => this.cancellations.delete(session));
        this.cancellations.set(session, cancellation);
      }
      await cancellation;
    }
    const { snapshot } = session;
    if (snapshot?.state !== TaskState.CANCELED) throw new TaskNotCancelableError(id);
    return snapshot;
  }

  private startIn(reservation: Reservation, identity: SessionIdentity, input: RunInput): AcceptedMessage {
    const message = belonging(input.message, identity);
    const session = this.services.sessions.create(identity, message, sizeOf(message));
    const run = new AgentRun(false);
    session.run = run;
    reservation.job.begin(this.prepare(session, run, { ...input, message }, reservation.scheduled));
    return { session, run, snapshot: undefined, stopsBefore: 0 };
  }

  private async takeOn(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    const { run, snapshot } = session;
    const { followUps } = this.services.settings;
    if (snapshot === undefined || snapshot.ended) throw ended(snapshot);
    if (this.cancellations.has(session)) throw beingCanceled();
    if (run?.mayEmit && (snapshot.state === TaskState.AUTH_REQUIRED || followUps === 'steer')) {
      return this.steer(session, run, input);
    }
    // Also when the task is free already: those who wait for it come first.
    if (this.queued.has(session) || (run?.mayEmit && followUps === 'queue')) return this.enqueue(session, input);
    if (run?.mayEmit) throw new UnsupportedOperationError('The task is busy: wait for it, or cancel it');
    return this.claim(session, new AgentRun(true), input);
  }

  private async steer(session: TaskSession, run: AgentRun, input: RunInput): Promise<AcceptedMessage> {
    const { message } = input;
    run.mailbox.reserve();
    const stopsBefore = run.stops;
    const snapshot = await session.acceptMessage(message, sizeOf(message));
    const launch = (next: AgentRun): void => this.launch(session, next, input, this.reserve(session.identity));
    run.mailbox.push({ message, launch: AsyncResource.bind(launch) });
    return { session, run, snapshot, stopsBefore };
  }

  /** From now on no message is taken on. */
  drain(): void {
    this.draining = true;
  }

  /** Gives the live runs their time, then aborts them. Ends within `shutdownTimeoutSeconds` and a moment. */
  async shutdown(): Promise<void> {
    this.drain();
    const finished = async (): Promise<void> => {
      while (this.live.size > 0) await Promise.all([...this.live.values()].map((live) => live.finished.whenOpen));
    };
    if (await settledWithin(finished(), this.services.settings.shutdownTimeoutSeconds * 1000)) return;
    for (const live of this.live.values()) {
      live.run.abort('shutdown');
      if (live.scheduled.cancel()) this.runCanceledInQueue(live);
    }
    if (await settledWithin(finished(), SHUTDOWN_GRACE_MS)) return;
    await settledWithin(Promise.all([...this.live.values()].map((live) => this.cutOff(live))), SHUTDOWN_GRACE_MS);
  }

  private refuseWhileDraining(): void {
    if (this.draining) throw new UnavailableError('The server is stopping', 1);
  }

  private prepare(session: TaskSession, run: AgentRun, input: RunInput, scheduled: ScheduledRun): LiveRun {
    const task = run.followUp ? session.snapshot?.toTask() : undefined;
    const context = new RunContext(input, { run, session, task, store: this.services.store });
    const live: LiveRun = {
      session,
      run,
      context,
      emitter: new RunEmitter(run, session),
      scheduled,
      finished: new Latch(),
      abandon: () => undefined,
      cancelHook: undefined,
    };
    run.onAbort = () => {
      // One in the queue is taken out of it by whoever aborts it.
      if (scheduled.started) void this.abandonAfterGrace(live);
    };
    this.live.set(run, live);
    return live;
  }

  /** Takes a slot, or a place in the queue, before anything is changed. */
  private reserve({ key, owner }: SessionIdentity): Reservation {
    const job = new RunReservation<LiveRun>(`${key.tenant.length}|${key.tenant}${owner}`, (live) => this.execute(live));
    const scheduled = this.services.scheduler.schedule(job);
    this.tell((observer) => observer.queueDepth?.(this.services.scheduler.gauges().queued));
    return { job, scheduled };
  }

  /** Inside the session's `exclusive`: a slot first, then the task's change, then the run. */
  private async claim(session: TaskSession, run: AgentRun, input: RunInput): Promise<AcceptedMessage> {
    const reservation = this.reserve(session.identity);
    let snapshot: TaskSnapshot;
    try {
      snapshot = await session.acceptMessage(input.message, sizeOf(input.message));
    } catch (error) {
      giveBack(reservation);
      throw error;
    }
    this.launch(session, run, input, reservation);
    return { session, run, snapshot, stopsBefore: 0 };
  }

  private launch(session: TaskSession, run: AgentRun, input: RunInput, reservation: Reservation): void {
    session.run = run;
    this.services.sessions.retain(session);
    reservation.job.begin(this.prepare(session, run, input, reservation.scheduled));
  }

  private enqueue(session: TaskSession, input: RunInput): AcceptedMessage {
    const run = new AgentRun(true);
    // The run is the sender's, not that of the one whose end lets it begin.
    this.queued.add(session, { run, claim: AsyncResource.bind(() => this.claim(session, run, input)) });
    this.services.sessions.retain(session);
    this.advanceWhenFree(session);
    return { session, run, snapshot: session.snapshot, stopsBefore: 0 };
  }

  private advanceWhenFree(session: TaskSession): void {
    const free = session.run?.whenSilenced ?? Promise.resolve();
    void free
      .then(() => this.advance(session))
      .catch((error: unknown) => this.services.log.runFailed(session.identity.key, error));
  }

  private async execute(live: LiveRun): Promise<void> {
    const { session, run } = live;
    const { key } = session.identity;
    const { maxRunSeconds } = this.services.settings;
    const started = performance.now();
    const timer = maxRunSeconds > 0 ? setTimeout(() => run.abort('timed-out'), maxRunSeconds * 1000) : undefined;
    this.tell((observer) => observer.runStarted?.(key));
    try {
      // A task may end while its run is in the queue.
      if (run.mayEmit) await this.performOrAbandon(live);
    } finally {
      clearTimeout(timer);
      this.finish(live);
      const state = run.directMessage ? undefined : session.snapshot?.state;
      const milliseconds = performance.now() - started;
      this.tell((observer) => observer.runEnded?.({ key, state, milliseconds, events: run.emitted }));
    }
  }

  private performOrAbandon(live: LiveRun): Promise<void> {
    return new Promise((resolve, reject) => {
      live.abandon = resolve;
      this.perform(live).then(resolve, reject);
    });
  }

  private async perform(live: LiveRun): Promise<void> {
    const { session, run, context, emitter } = live;
    const { settings, executors } = this.services;
    let failure: { readonly error: unknown } | undefined;
    try {
      const found = executors.executorFor(context.call);
      const executor = found instanceof Promise ? await found : found;
      const execution = executor.execute(context, emitter);
      const text = await (isSequence(execution) ? emitAll(execution, emitter, stopSignOf(live)) : execution);
      if (typeof text === 'string' && run.mayEmit) {
        await emitter.addArtifact(text);
        // The library's own step: what a strict table demands of authors does not bind it.
        await session.exclusive(() => this.complete(live));
      }
    } catch (error) {
      failure = { error };
    }
    // A hook may still have something to say, and its refusal decides what the run's end means.
    if (live.cancelHook) await live.cancelHook;
    const consumptionMs = settings.consumptionTimeoutSeconds * 1000;
    const consumed = session.idle || (await settledWithin(session.drained(), consumptionMs));
    if (!consumed && !run.detached) {
      run.cutEmits();
      failure ??= { error: new Error('Events were not stored within consumptionTimeoutSeconds: they are dropped') };
    }
    if (failure === undefined && run.detached) await this.detachedEnd(live);
    await this.conclude(live, failure);
  }

  private async complete({ session, run }: LiveRun): Promise<void> {
    if (run.accepts) await session.force({ state: TaskState.COMPLETED, bytes: 0 });
  }

  /** Detached work ends with its task, or at once when it is aborted: `execute()` has returned already. */
  private async detachedEnd(live: LiveRun): Promise<void> {
    const { run } = live;
    while (run.mayEmit) {
      await Promise.race([run.whenSilenced, run.whenAborted]);
      // The caller who cancels sets the hook in the same turn in which the signal aborts; it may refuse.
      await live.cancelHook;
      if (run.abortReason !== undefined) return;
    }
  }

  /** Gives the task the state that follows from how the execution ended. */
  private async conclude(live: LiveRun, failure: { readonly error: unknown } | undefined): Promise<void> {
    const { session, run } = live;
    if (failure === undefined && !run.mayEmit) return;
    const correlationId = failure && run.abortReason === undefined ? this.report(live, failure.error) : undefined;
    try {
      await session.exclusive(async () => {
        if (!run.mayEmit || run.directMessage || session.snapshot?.ended) return;
        const change = this.closingChange(live, correlationId);
        if (change !== undefined) await session.force(change);
        else await this.leaveOpen(live);
      });
    } catch (error) {
      // Another writer has ended the task, which the session has told everybody.
      if (session.snapshot?.ended) return;
      // The session has told everybody who waits; here it is only written down.
      this.services.log.runFailed(session.identity.key, error);
      run.stopped({ kind: 'error', error: A2AError.from(error) });
    }
  }

  /** Inside `exclusive`: the run is over, its task is not. */
  private async leaveOpen(live: LiveRun): Promise<void> {
    const { session, run } = live;
    const snapshot = await session.exist();
    const waits = snapshot.state === TaskState.AUTH_REQUIRED;
    if (run.abortReason === undefined && waits && this.takeUpUnread(live)) return;
    run.endsWithQueue = run.abortReason === undefined && !waits;
    run.silence();
    run.stopped({ kind: 'task', snapshot });
  }

  /** What a caller has sent to a waiting run, and the run has not read, gets a run of its own. */
  private takeUpUnread({ run }: LiveRun): boolean {
    const [first, ...others] = run.mailbox.takeUnread();
    if (first === undefined || this.draining) return false;
    const next = new AgentRun(true);
    run.silence();
    try {
      first.launch(next);
      for (const unread of others) next.mailbox.push(unread);
      run.handOver(next);
    } catch (error) {
      run.stopped({ kind: 'error', error });
    }
    return true;
  }

  private closingChange(live: LiveRun, correlationId: string | undefined): StatusInput | undefined {
    const { session, run } = live;
    if (run.abortReason !== undefined) return this.abortChange(live, run.abortReason);
    if (correlationId !== undefined) {
      return statusWith(session, TaskState.FAILED, `The agent failed (correlation id ${correlationId})`);
    }
    if (session.snapshot?.state === TaskState.AUTH_REQUIRED && run.emitted > 0) return undefined;
    if (run.emitted === 0) return statusWith(session, TaskState.FAILED, 'The agent ended without an answer');
    if (this.queued.has(session)) return undefined;
    return { state: TaskState.COMPLETED, bytes: 0 };
  }

  private abortChange({ session }: LiveRun, reason: AbortReason): StatusInput | undefined {
    const { settings, store } = this.services;
    switch (reason) {
      case 'canceled':
        return { state: TaskState.CANCELED, bytes: 0 };
      case 'timed-out':
        return statusWith(session, TaskState.FAILED, `The agent took longer than ${settings.maxRunSeconds} seconds`);
      case 'shutdown':
        // A durable store keeps the task as it stands, for whoever recovers it.
        return store.durable ? undefined : statusWith(session, TaskState.FAILED, 'The server stopped');
      case 'store-failed':
        return undefined;
    }
  }

  /** Logs what an executor threw. @returns the correlation id that callers see */
  private report({ session, run }: LiveRun, error: unknown): string | undefined {
    if (!run.mayEmit) {
      this.services.log.failedAfterEnd(session.identity.key, error);
      return undefined;
    }
    const correlationId = randomUUID();
    this.services.log.executorFailed(session.identity.key, error, correlationId);
    return correlationId;
  }

  private finish(live: LiveRun): void {
    const { session, run } = live;
    if (!this.live.delete(run)) return;
    run.silence();
    live.finished.open();
    this.services.sessions.release(session);
  }

  /** Starts the next queued follow-up, or refuses all when the task has ended. */
  private async advance(session: TaskSession): Promise<void> {
    if (!this.queued.has(session)) return;
    await session.exclusive(async () => {
      while (!session.run?.mayEmit) {
        const next = this.queued.take(session);
        if (next === undefined) break;
        try {
          this.refuseWhileDraining();
          if (session.snapshot === undefined || session.snapshot.ended) throw ended(session.snapshot);
          if (this.cancellations.has(session)) throw beingCanceled();
          await next.claim();
        } catch (error) {
          next.run.silence();
          next.run.stopped({ kind: 'error', error });
        }
        this.services.sessions.release(session);
      }
      if (this.queued.has(session)) this.advanceWhenFree(session);
      else await this.endWithQueue(session);
    });
  }

  /** A run that left the end to those who waited, none of whom could begin, has completed its task after all. */
  private async endWithQueue(session: TaskSession): Promise<void> {
    const { run, snapshot } = session;
    if (!run?.endsWithQueue || run.mayEmit || snapshot?.ended !== false) return;
    await session.force({ state: TaskState.COMPLETED, bytes: 0 });
  }

  private async carryOutCancel(
    session: TaskSession,
    call: ServerCallContext,
    metadata: Struct | undefined,
  ): Promise<void> {
    const live = session.run && this.live.get(session.run);
    if (live?.run.mayEmit && live.scheduled.cancel() !== true) await this.askToStop(live, call, metadata);
    else live?.run.abort('canceled');
    try {
      await session.exclusive(async () => {
        if (session.snapshot?.ended === false) await session.force({ state: TaskState.CANCELED, bytes: 0 });
      });
    } catch (error) {
      // Another writer's end is as good as an end here.
      if (!session.snapshot?.ended) throw error;
    } finally {
      if (live?.scheduled.started === false) this.finish(live);
    }
  }

  /** Aborts a running execution and waits until it has ended, at most `cancelGraceSeconds`. */
  private async askToStop(live: LiveRun, call: ServerCallContext, metadata: Struct | undefined): Promise<void> {
    const { run, session, emitter } = live;
    const refusal = deferred<TaskNotCancelableError>();
    const context = live.context.forCall(call, metadata);
    const hook = async (): Promise<void> => {
      try {
        const executor = await this.services.executors.executorFor(live.context.call);
        await executor.cancel?.(context, emitter);
      } catch (error) {
        if (error instanceof TaskNotCancelableError) {
          run.cancelRefused();
          refusal.resolve(error);
        } else this.services.log.runFailed(session.identity.key, error);
      }
    };
    run.abort('canceled');
    live.cancelHook = hook();
    const grace = this.services.settings.cancelGraceSeconds * 1000;
    await settledWithin(Promise.race([live.finished.whenOpen, refusal.promise]), grace);
    const refused = await Promise.race([refusal.promise, Promise.resolve(undefined)]);
    if (refused !== undefined) throw refused;
  }

  /** An aborted execution is given so long to end by itself, whatever it was aborted for. */
  private async abandonAfterGrace(live: LiveRun): Promise<void> {
    const grace = this.services.settings.cancelGraceSeconds * 1000;
    if (await settledWithin(live.finished.whenOpen, grace)) return;
    // Its agent may have refused to be canceled.
    if (live.run.abortReason !== undefined) await this.cutOff(live);
  }

  /** Ends the task of an execution that does not stop, and waits for it no longer. */
  private async cutOff(live: LiveRun): Promise<void> {
    const { session, run } = live;
    await this.conclude(live, undefined);
    if (!this.live.has(run)) return;
    run.silence();
    this.services.log.runAbandoned(session.identity.key);
    live.abandon();
    await live.finished.whenOpen;
  }

  private runCanceledInQueue(live: LiveRun): void {
    void this.conclude(live, undefined).finally(() => this.finish(live));
  }

  private tell(report: (observer: A2AObserver) => void): void {
    try {
      report(this.services.observer);
    } catch (error) {
      this.services.log.observerFailed(error);
    }
  }
}

function stopSignOf(live: LiveRun): StopSign {
  return {
    signal: live.run.signal,
    stopping: async () => {
      await live.cancelHook;
      return live.run.abortReason !== undefined;
    },
  };
}

function giveBack({ job, scheduled }: Reservation): void {
  scheduled.cancel();
  job.giveBack();
}

/** The message as the task keeps it: it names its task and its context. */
function belonging(message: Message, { key, contextId }: SessionIdentity): Message {
  return { ...message, contextId, taskId: key.id };
}

function ended(snapshot: TaskSnapshot | undefined): UnsupportedOperationError {
  return new UnsupportedOperationError(`The task is ${snapshot?.state ?? 'gone'}: it takes no more messages`);
}

function beingCanceled(): UnsupportedOperationError {
  return new UnsupportedOperationError('The task is being canceled: it takes no more messages');
}

function statusWith({ identity }: TaskSession, state: TaskState, text: string): StatusInput {
  const { key, contextId } = identity;
  const parts = [{ text }];
  const message: Message = { messageId: randomUUID(), contextId, taskId: key.id, role: Role.AGENT, parts };
  return { state, message, bytes: text.length };
}
