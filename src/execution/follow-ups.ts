import { AsyncResource } from 'node:async_hooks';
import { TaskState, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import { AcceptedMessage } from './accepted-message.js';
import { AgentRun } from './agent-run.js';
import type { ExecutionServices } from './execution-services.js';
import type { FollowUpQueue } from './follow-up-queue.js';
import type { LiveRunRegistry } from './live-run.registry.js';
import type { RunInput } from './run-input.js';
import type { RunStarter } from './run-starter.js';
import type { TaskCancellations } from './task-cancellations.js';
import type { TaskSession } from './task-session.js';

/**
 * The messages for tasks that exist: each gets a run of its own, goes to the live run, or waits until its task is free
 * for a run.
 */
export class FollowUps {
  constructor(
    private readonly services: ExecutionServices,
    private readonly live: LiveRunRegistry,
    private readonly starter: RunStarter,
    private readonly cancellations: TaskCancellations,
    private readonly queue: FollowUpQueue,
  ) {}

  /** As `AgentExecutions.followUp`. */
  async accept(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    this.live.refuseWhileDraining();
    return session.exclusive(async () => {
      try {
        return await this.takeOn(session, input);
      } catch (error) {
        // Another writer may have ended the task: the session knows by now.
        throw error instanceof AgentEmitterError && session.snapshot?.ended ? ended(session.snapshot) : error;
      }
    });
  }

  private async takeOn(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    const { followUps } = this.services.settings;
    const { state } = this.mustTakeMessages(session);
    const { run } = session;
    if (run?.mayEmit && (state === TaskState.AUTH_REQUIRED || followUps === 'steer')) {
      return this.steer(session, run, input);
    }
    // Also when the task is free already: those who wait for it come first.
    if (this.queue.has(session) || (run?.mayEmit && followUps === 'queue')) return this.enqueue(session, input);
    if (run?.mayEmit) throw new UnsupportedOperationError('The task is busy: wait for it, or cancel it');
    return this.starter.claim(session, new AgentRun(true), input);
  }

  private async steer(session: TaskSession, run: AgentRun, input: RunInput): Promise<AcceptedMessage> {
    run.mailbox.reserve();
    const stopsBefore = run.stops;
    const snapshot = await session.acceptMessage(input.message, input.bytes);
    const launch = (next: AgentRun): void =>
      this.starter.launch(session, next, input.later, this.starter.reserve(session.identity));
    run.mailbox.push({ message: input.message, launch: AsyncResource.bind(launch) });
    return new AcceptedMessage(session, run, snapshot, stopsBefore);
  }

  private enqueue(session: TaskSession, input: RunInput): AcceptedMessage {
    const run = new AgentRun(true);
    // The run is the sender's, not that of the one whose end lets it begin.
    this.queue.add(session, { run, claim: AsyncResource.bind(() => this.starter.claim(session, run, input.later)) });
    this.services.sessions.retain(session);
    this.advanceWhenFree(session);
    return new AcceptedMessage(session, run, session.snapshot, 0);
  }

  private advanceWhenFree(session: TaskSession): void {
    const free = session.run?.whenSilenced ?? Promise.resolve();
    void free
      .then(() => this.advance(session))
      .catch((error: unknown) => this.services.log.runFailed(session.identity.key, error));
  }

  /** Starts the next queued follow-up, or refuses all when the task has ended. */
  private async advance(session: TaskSession): Promise<void> {
    if (!this.queue.has(session)) return;
    await session.exclusive(async () => {
      while (!session.run?.mayEmit) {
        const next = this.queue.take(session);
        if (next === undefined) break;
        try {
          this.mustTakeMessages(session);
          await next.claim();
        } catch (error) {
          next.run.silence();
          next.run.stopped({ kind: 'error', error });
        }
        this.services.sessions.release(session);
      }
      if (this.queue.has(session)) this.advanceWhenFree(session);
      else await this.endWithQueue(session);
    });
  }

  /** A run that left the end to those who waited, none of whom could begin, has completed its task after all. */
  private async endWithQueue(session: TaskSession): Promise<void> {
    const { run, snapshot } = session;
    if (!run?.endsWithQueue || run.mayEmit || snapshot?.ended !== false) return;
    await session.force({ state: TaskState.COMPLETED, bytes: 0 });
  }

  /** Asked when a message has its turn, since much can happen while it waits for that. */
  private mustTakeMessages(session: TaskSession): TaskSnapshot {
    this.live.refuseWhileDraining();
    const { snapshot } = session;
    if (snapshot === undefined || snapshot.ended) throw ended(snapshot);
    if (this.cancellations.has(session)) {
      throw new UnsupportedOperationError('The task is being canceled: it takes no more messages');
    }
    return snapshot;
  }
}

function ended(snapshot: TaskSnapshot | undefined): UnsupportedOperationError {
  return new UnsupportedOperationError(`The task is ${snapshot?.state ?? 'gone'}: it takes no more messages`);
}
