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
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import { carryOut } from './agent-outputs.js';
import { AgentRun, type AbortReason } from './agent-run.js';
import { deferred, settledWithin, type Deferred } from './deferred.js';
import type { ExecutionLog } from './execution-log.js';
import type { ExecutorSource } from './executor.source.js';
import { RunContext, type RunContextInput } from './run-context.js';
import { RunEmitter } from './run-emitter.js';
import type { RunScheduler, ScheduledRun } from './run-scheduler.js';
import type { SessionIdentity, StatusInput, TaskSession } from './task-session.js';
import type { TaskSessionRegistry } from './task-session.registry.js';

const MAX_QUEUED_FOLLOW_UPS = 64;
const SHUTDOWN_GRACE_MS = 500;

/** What a message brings along for its run. */
export type RunInput = Omit<RunContextInput, 'run' | 'session' | 'task' | 'store'>;

/** A message that was taken on: its task's session, and the run that works on it. */
export interface AcceptedMessage {
  readonly session: TaskSession;
  readonly run: AgentRun;
  /** The task as the message found it; undefined when it does not exist yet. */
  readonly snapshot: TaskSnapshot | undefined;
}

interface Reservation {
  readonly scheduled: ScheduledRun;
  /** Lets the run begin, as soon as the scheduler does. */
  begin(live: LiveRun): void;
  giveBack(): void;
}

interface LiveRun {
  readonly session: TaskSession;
  readonly run: AgentRun;
  readonly context: RunContext;
  readonly emitter: RunEmitter;
  readonly finished: Deferred<void>;
  /** Resolved when the library waits no longer for an execution that does not stop. */
  readonly abandoned: Deferred<void>;
  readonly scheduled: ScheduledRun;
  /** The executor's own `cancel()`, while a caller cancels. */
  cancelHook: Promise<void>;
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
  private readonly queued = new Map<TaskSession, { readonly input: RunInput; readonly run: AgentRun }[]>();
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
    const reservation = this.reserve(identity);
    const message = belonging(input.message, identity);
    const session = this.services.sessions.create(identity, message, sizeOf(message));
    const run = new AgentRun(false);
    session.run = run;
    reservation.begin(this.prepare(session, run, { ...input, message }, reservation.scheduled));
    return { session, run, snapshot: undefined };
  }

  /**
   * Takes on a message for a task that exists: a new run when it waits, the live run's mailbox or the queue when the
   * options say so.
   *
   * @throws UnsupportedOperationError when the task has ended or is busy
   * @throws UnavailableError as {@link start} does; the task is not changed then
   */
  async followUp(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    this.refuseWhileDraining();
    const message = belonging(input.message, session.identity);
    return session.exclusive(async () => {
      const { run, snapshot } = session;
      if (snapshot === undefined || snapshot.ended) throw ended(snapshot);
      if (run === undefined || !run.mayEmit) return this.claim(session, new AgentRun(true), { ...input, message });
      if (snapshot.state === TaskState.AUTH_REQUIRED || this.services.settings.followUps === 'steer') {
        run.mailbox.reserve();
        const accepted = await session.acceptMessage(message, sizeOf(message));
        run.mailbox.push(message);
        return { session, run, snapshot: accepted };
      }
      if (this.services.settings.followUps === 'queue') return this.enqueue(session, { ...input, message });
      throw new UnsupportedOperationError('The task is busy: wait for it, or cancel it');
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

  /** From now on no message is taken on. */
  drain(): void {
    this.draining = true;
  }

  /** Gives the live runs their time, then aborts them. Ends within `shutdownTimeoutSeconds` and a moment. */
  async shutdown(): Promise<void> {
    this.drain();
    const finished = (): Promise<unknown> => Promise.all([...this.live.values()].map((live) => live.finished.promise));
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
    const context = new RunContext({ ...input, run, session, task, store: this.services.store });
    const live: LiveRun = {
      session,
      run,
      context,
      emitter: new RunEmitter(run, session),
      scheduled,
      finished: deferred<void>(),
      abandoned: deferred<void>(),
      cancelHook: Promise.resolve(),
    };
    this.live.set(run, live);
    return live;
  }

  /** Takes a slot, or a place in the queue, before anything is changed. */
  private reserve({ key, owner }: SessionIdentity): Reservation {
    const ready = deferred<LiveRun | undefined>();
    const scheduled = this.services.scheduler.schedule({
      owner: JSON.stringify([key.tenant, owner]),
      run: async () => {
        const live = await ready.promise;
        if (live !== undefined) await this.execute(live);
      },
    });
    this.tell((observer) => observer.queueDepth?.(this.services.scheduler.gauges().queued));
    const give = (): void => {
      scheduled.cancel();
      ready.resolve(undefined);
    };
    return { scheduled, begin: ready.resolve, giveBack: give };
  }

  /** Inside the session's `exclusive`: a slot first, then the task's change, then the run. */
  private async claim(session: TaskSession, run: AgentRun, input: RunInput): Promise<AcceptedMessage> {
    const reservation = this.reserve(session.identity);
    let snapshot: TaskSnapshot;
    try {
      snapshot = await session.acceptMessage(input.message, sizeOf(input.message));
    } catch (error) {
      reservation.giveBack();
      throw error;
    }
    session.run = run;
    this.services.sessions.retain(session);
    reservation.begin(this.prepare(session, run, input, reservation.scheduled));
    return { session, run, snapshot };
  }

  private enqueue(session: TaskSession, input: RunInput): AcceptedMessage {
    const waiting = this.queued.get(session) ?? [];
    if (waiting.length >= MAX_QUEUED_FOLLOW_UPS) {
      throw new UnavailableError(`${MAX_QUEUED_FOLLOW_UPS} messages wait for this task already`, 1);
    }
    const run = new AgentRun(true);
    waiting.push({ input, run });
    this.queued.set(session, waiting);
    this.services.sessions.retain(session);
    return { session, run, snapshot: session.snapshot };
  }

  private async execute(live: LiveRun): Promise<void> {
    const { session, run } = live;
    const { key } = session.identity;
    const { maxRunSeconds } = this.services.settings;
    const started = performance.now();
    const timer = maxRunSeconds > 0 ? setTimeout(() => void this.expire(live), maxRunSeconds * 1000) : undefined;
    this.tell((observer) => observer.runStarted?.(key));
    try {
      await Promise.race([this.perform(live), live.abandoned.promise]);
    } finally {
      clearTimeout(timer);
      this.finish(live);
      const state = run.directMessage ? undefined : session.snapshot?.state;
      const milliseconds = performance.now() - started;
      this.tell((observer) => observer.runEnded?.({ key, state, milliseconds, events: run.emitted }));
    }
  }

  private async perform(live: LiveRun): Promise<void> {
    const { session, run, context, emitter } = live;
    const { settings, executors } = this.services;
    let failure: { readonly error: unknown } | undefined;
    try {
      const executor = await executors.executorFor(context.call);
      const text = await carryOut(executor.execute(context, emitter), emitter, run.signal);
      if (text !== undefined && run.mayEmit) {
        await emitter.addArtifact(text);
        await emitter.complete();
      }
    } catch (error) {
      failure = { error };
    }
    await settledWithin(session.drained(), settings.consumptionTimeoutSeconds * 1000);
    if (failure === undefined && run.detached) await this.detachedEnd(live);
    await this.conclude(live, failure);
  }

  /** Detached work ends with its task, or at once when it is aborted: `execute()` has returned already. */
  private async detachedEnd({ run, cancelHook }: LiveRun): Promise<void> {
    if (!run.mayEmit) return;
    const aborted = deferred<void>();
    const onAbort = (): void => aborted.resolve();
    if (run.signal.aborted) onAbort();
    run.signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([run.whenSilenced, aborted.promise]);
    run.signal.removeEventListener('abort', onAbort);
    // The caller who cancels sets the hook in the same turn in which the signal aborts.
    await cancelHook;
  }

  /** Gives the task the state that follows from how the execution ended. */
  private async conclude(live: LiveRun, failure: { readonly error: unknown } | undefined): Promise<void> {
    const { session, run } = live;
    const correlationId = failure && run.abortReason === undefined ? this.report(live, failure.error) : undefined;
    try {
      await session.exclusive(async () => {
        if (!run.mayEmit || run.directMessage || session.snapshot?.ended) return;
        const change = this.closingChange(live, correlationId);
        if (change !== undefined) await session.force(change);
        else if (session.snapshot) run.stopped({ kind: 'task', snapshot: session.snapshot });
      });
    } catch (error) {
      // The session has told everybody who waits; here it is only written down.
      this.services.log.runFailed(session.identity.key, error);
      run.stopped({ kind: 'error', error: A2AError.from(error) });
    }
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
    live.finished.resolve();
    const failed = (error: unknown): void => this.services.log.runFailed(session.identity.key, error);
    void this.advance(session)
      .catch(failed)
      .finally(() => this.services.sessions.release(session));
  }

  /** Starts the next queued follow-up, or refuses all when the task has ended. */
  private async advance(session: TaskSession): Promise<void> {
    const waiting = this.queued.get(session);
    if (waiting === undefined) return;
    await session.exclusive(async () => {
      while (waiting.length > 0 && !session.run?.mayEmit) {
        const next = waiting.shift();
        if (next === undefined) break;
        try {
          if (session.snapshot === undefined || session.snapshot.ended) throw ended(session.snapshot);
          await this.claim(session, next.run, next.input);
        } catch (error) {
          next.run.silence();
          next.run.stopped({ kind: 'error', error });
        }
        this.services.sessions.release(session);
      }
    });
    if (waiting.length === 0) this.queued.delete(session);
  }

  private async carryOutCancel(
    session: TaskSession,
    call: ServerCallContext,
    metadata: Struct | undefined,
  ): Promise<void> {
    const live = session.run && this.live.get(session.run);
    if (live?.run.mayEmit && live.scheduled.cancel() !== true) await this.askToStop(live, call, metadata);
    else live?.run.abort('canceled');
    await session.exclusive(async () => {
      if (session.snapshot?.ended === false) await session.force({ state: TaskState.CANCELED, bytes: 0 });
    });
    if (live === undefined) return;
    if (live.scheduled.started === false) this.finish(live);
    else void this.abandonAfterGrace(live);
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
        if (error instanceof TaskNotCancelableError) refusal.resolve(error);
        else this.services.log.runFailed(session.identity.key, error);
      }
    };
    run.abort('canceled');
    live.cancelHook = hook();
    const grace = this.services.settings.cancelGraceSeconds * 1000;
    await settledWithin(Promise.race([live.finished.promise, refusal.promise]), grace);
    const refused = await Promise.race([refusal.promise, Promise.resolve(undefined)]);
    if (refused === undefined) return;
    run.cancelRefused();
    throw refused;
  }

  private async expire(live: LiveRun): Promise<void> {
    live.run.abort('timed-out');
    if (await settledWithin(live.finished.promise, this.services.settings.cancelGraceSeconds * 1000)) return;
    await this.cutOff(live);
  }

  private async abandonAfterGrace(live: LiveRun): Promise<void> {
    const grace = this.services.settings.cancelGraceSeconds * 1000;
    if (!(await settledWithin(live.finished.promise, grace))) await this.cutOff(live);
  }

  /** Ends the task of an execution that does not stop, and waits for it no longer. */
  private async cutOff(live: LiveRun): Promise<void> {
    const { session, run } = live;
    await this.conclude(live, undefined);
    run.silence();
    this.services.log.runAbandoned(session.identity.key);
    live.abandoned.resolve();
    await live.finished.promise;
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

/** The message as the task keeps it: it names its task and its context. */
function belonging(message: Message, { key, contextId }: SessionIdentity): Message {
  return { ...message, contextId, taskId: key.id };
}

function ended(snapshot: TaskSnapshot | undefined): UnsupportedOperationError {
  return new UnsupportedOperationError(`The task is ${snapshot?.state ?? 'gone'}: it takes no more messages`);
}

function statusWith({ identity }: TaskSession, state: TaskState, text: string): StatusInput {
  const { key, contextId } = identity;
  const parts = [{ text }];
  const message: Message = { messageId: randomUUID(), contextId, taskId: key.id, role: Role.AGENT, parts };
  return { state, message, bytes: text.length };
}
