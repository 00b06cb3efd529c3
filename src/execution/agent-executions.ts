import type { Struct } from 'nestjs-a2a/protocol';
import { ObserverReports } from '../a2a.observer-reports.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { AcceptedMessage } from './accepted-message.js';
import { settledWithin } from './deferred.js';
import type { ExecutionServices } from './execution-services.js';
import { FollowUpQueue } from './follow-up-queue.js';
import { FollowUps } from './follow-ups.js';
import { LiveRunRegistry } from './live-run.registry.js';
import { RunAbandonment } from './run-abandonment.js';
import { RunEnding } from './run-ending.js';
import type { RunInput } from './run-input.js';
import { RunPerformer } from './run-performer.js';
import { RunStarter } from './run-starter.js';
import type { SessionIdentity } from './session-identity.js';
import { TaskCancellations } from './task-cancellations.js';
import type { TaskSession } from './task-session.js';

const SHUTDOWN_GRACE_MS = 500;

/**
 * The executions of one agent: starts a run for a message, sees it to its end whatever the executor does, cancels it,
 * limits it in time, and ends it when the server stops.
 */
export class AgentExecutions {
  private readonly live: LiveRunRegistry;
  private readonly abandonment: RunAbandonment;
  private readonly cancellations: TaskCancellations;
  private readonly starter: RunStarter;
  private readonly followUps: FollowUps;

  constructor(private readonly services: ExecutionServices) {
    const queue = new FollowUpQueue();
    const reports = new ObserverReports(services.observer, services.log);
    const live = new LiveRunRegistry(services.sessions);
    const ending = new RunEnding(services, live, queue);
    const performer = new RunPerformer(services, live, ending, reports);
    this.live = live;
    this.abandonment = new RunAbandonment(services, live, ending);
    this.cancellations = new TaskCancellations(services, live);
    this.starter = new RunStarter(services, live, performer, this.abandonment, reports);
    this.followUps = new FollowUps(services, live, this.starter, this.cancellations, queue);
  }

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
    this.live.refuseWhileDraining();
    return this.starter.startNew(this.starter.reserve(identity), identity, input);
  }

  /** As {@link start}, with something to be done once there is room for the run, and before it begins. */
  async startAfter(identity: SessionIdentity, input: RunInput, before: () => Promise<void>): Promise<AcceptedMessage> {
    this.live.refuseWhileDraining();
    const slot = this.starter.reserve(identity);
    try {
      await before();
      // Nobody waits any more for a run that begins behind the shutdown's back.
      this.live.refuseWhileDraining();
    } catch (error) {
      this.starter.giveBack(slot);
      throw error;
    }
    return this.starter.startNew(slot, identity, input);
  }

  /**
   * Takes on a message for a task that exists: a new run when it waits, the live run's mailbox or the queue when the
   * options say so.
   *
   * @throws UnsupportedOperationError when the task has ended or is busy
   * @throws UnavailableError as {@link start} does; the task is not changed then
   * @throws ResourceExhaustedError when the task or the live run's mailbox has no room for it
   */
  followUp(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    return this.followUps.accept(session, input);
  }

  /**
   * Cancels a task.
   *
   * @throws TaskNotCancelableError when it has ended otherwise, or its agent refuses
   */
  cancel(session: TaskSession, call: ServerCallContext, metadata: Struct | undefined): Promise<TaskSnapshot> {
    return this.cancellations.cancel(session, call, metadata);
  }

  /** From now on no message is taken on. */
  drain(): void {
    this.live.drain();
  }

  /** Gives the live runs their time, then aborts them. Ends within `shutdownTimeoutSeconds` and a moment. */
  async shutdown(): Promise<void> {
    this.drain();
    if (await settledWithin(this.live.whenEmpty(), this.services.settings.shutdownTimeoutSeconds * 1000)) return;
    for (const live of this.live.all()) {
      live.run.abort('shutdown');
      if (live.scheduled.cancel()) this.abandonment.neverBegun(live);
    }
    if (await settledWithin(this.live.whenEmpty(), SHUTDOWN_GRACE_MS)) return;
    await settledWithin(Promise.all(this.live.all().map((live) => this.abandonment.cutOff(live))), SHUTDOWN_GRACE_MS);
  }
}
