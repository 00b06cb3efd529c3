import type { ObserverReports } from '../a2a.observer-reports.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import { AcceptedMessage } from './accepted-message.js';
import { AgentRun } from './agent-run.js';
import type { ExecutionServices } from './execution-services.js';
import { LiveRun } from './live-run.js';
import type { LiveRunRegistry } from './live-run.registry.js';
import type { RunAbandonment } from './run-abandonment.js';
import { RunContext } from './run-context.js';
import { RunEmitter } from './run-emitter.js';
import type { RunInput } from './run-input.js';
import type { RunPerformer } from './run-performer.js';
import { RunReservation } from './run-reservation.js';
import type { ScheduledRun } from './run-scheduler.js';
import type { SessionIdentity } from './session-identity.js';
import type { TaskSession } from './task-session.js';

/** A slot, or a place in the queue, that nothing runs in yet. */
export class ReservedSlot {
  constructor(
    readonly job: RunReservation<LiveRun>,
    readonly scheduled: ScheduledRun,
  ) {}
}

/** Starts runs: a slot of the scheduler first, then the task's change, then the run. */
export class RunStarter {
  constructor(
    private readonly services: ExecutionServices,
    private readonly live: LiveRunRegistry,
    private readonly performer: RunPerformer,
    private readonly abandonment: RunAbandonment,
    private readonly reports: ObserverReports,
  ) {}

  /** Takes a slot, or a place in the queue, before anything is changed. @throws UnavailableError */
  reserve({ key, owner }: SessionIdentity): ReservedSlot {
    const job = new RunReservation<LiveRun>(`${key.tenant.length}|${key.tenant}${owner}`, (live) =>
      this.performer.execute(live),
    );
    const scheduled = this.services.scheduler.schedule(job);
    this.reports.tell((observer) => observer.queueDepth?.(this.services.scheduler.gauges().queued));
    return new ReservedSlot(job, scheduled);
  }

  giveBack({ job, scheduled }: ReservedSlot): void {
    scheduled.cancel();
    job.giveBack();
  }

  /** The first run of a new task. */
  startNew(slot: ReservedSlot, identity: SessionIdentity, input: RunInput): AcceptedMessage {
    const session = this.services.sessions.create(identity, input.message, input.bytes);
    const run = new AgentRun(false);
    this.begin(session, run, input, slot);
    return new AcceptedMessage(session, run, undefined, 0);
  }

  /** A run for a task that waits. Inside the session's `exclusive`. */
  async claim(session: TaskSession, run: AgentRun, input: RunInput): Promise<AcceptedMessage> {
    const slot = this.reserve(session.identity);
    let snapshot: TaskSnapshot;
    try {
      snapshot = await session.acceptMessage(input.message, input.bytes);
    } catch (error) {
      this.giveBack(slot);
      throw error;
    }
    this.launch(session, run, input, slot);
    return new AcceptedMessage(session, run, snapshot, 0);
  }

  /** A run whose message the task has taken in already. */
  launch(session: TaskSession, run: AgentRun, input: RunInput, slot: ReservedSlot): void {
    this.services.sessions.retain(session);
    this.begin(session, run, input, slot);
  }

  private begin(session: TaskSession, run: AgentRun, input: RunInput, { job, scheduled }: ReservedSlot): void {
    session.run = run;
    if (input.followed) session.keepEvents();
    // Whoever is to be notified of a task has to find one: before its agent can answer without.
    if (input.details.configuration.taskPushNotificationConfig) void session.materialise().catch(() => undefined);
    job.begin(this.prepare(session, run, input, scheduled));
  }

  private prepare(session: TaskSession, run: AgentRun, input: RunInput, scheduled: ScheduledRun): LiveRun {
    const task = run.followUp ? session.snapshot?.toTask() : undefined;
    const context = new RunContext(input, run, session, task, this.services.store);
    const live = new LiveRun(session, run, context, new RunEmitter(run, session), scheduled);
    run.onAbort = () => {
      // One in the queue is taken out of it by whoever aborts it.
      if (scheduled.started) void this.abandonment.afterGrace(live);
    };
    this.live.add(live);
    return live;
  }
}
