import { randomUUID } from 'node:crypto';
import { A2AError, TaskState } from 'nestjs-a2a/protocol';
import { AgentRun, type AbortReason } from './agent-run.js';
import type { ExecutionServices } from './execution-services.js';
import type { FollowUpQueue } from './follow-up-queue.js';
import { libraryStatus } from './library-status.js';
import type { LiveRun } from './live-run.js';
import type { LiveRunRegistry } from './live-run.registry.js';
import type { SessionIdentity } from './session-identity.js';
import type { StatusInput } from './task-change.js';

/** What an execution threw. Anything can be thrown, so it is wrapped. */
export interface RunFailure {
  readonly error: unknown;
}

/** Gives the task the state that follows from how its run ended, or leaves it open when others go on with it. */
export class RunEnding {
  constructor(
    private readonly services: ExecutionServices,
    private readonly live: LiveRunRegistry,
    private readonly queue: FollowUpQueue,
  ) {}

  async conclude(live: LiveRun, failure: RunFailure | undefined): Promise<void> {
    const { session, run } = live;
    if (failure === undefined && !run.mayEmit) return;
    try {
      const correlationId = failure && run.abortReason === undefined ? this.report(live, failure.error) : undefined;
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
  private async leaveOpen({ session, run }: LiveRun): Promise<void> {
    const snapshot = await session.exist();
    const waits = snapshot.state === TaskState.AUTH_REQUIRED;
    if (run.abortReason === undefined && waits && this.takeUpUnread(run)) return;
    run.endsWithQueue = run.abortReason === undefined && !waits;
    run.silence();
    run.stopped({ kind: 'task', snapshot });
  }

  /** What a caller has sent to a waiting run, and the run has not read, gets a run of its own. */
  private takeUpUnread(run: AgentRun): boolean {
    const [first, ...others] = run.mailbox.takeUnread();
    if (first === undefined || this.live.draining) return false;
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

  /** @returns undefined when the task stays open */
  private closingChange({ session, run }: LiveRun, correlationId: string | undefined): StatusInput | undefined {
    const { identity, snapshot } = session;
    if (run.abortReason !== undefined) return this.abortChange(identity, run.abortReason);
    if (correlationId !== undefined) {
      return libraryStatus(identity, TaskState.FAILED, `The agent failed (correlation id ${correlationId})`);
    }
    if (snapshot?.state === TaskState.AUTH_REQUIRED && run.emitted > 0) return undefined;
    if (run.emitted === 0) return libraryStatus(identity, TaskState.FAILED, 'The agent ended without an answer');
    if (this.queue.has(session)) return undefined;
    return { state: TaskState.COMPLETED, bytes: 0 };
  }

  private abortChange(identity: SessionIdentity, reason: AbortReason): StatusInput | undefined {
    const { settings, store } = this.services;
    switch (reason) {
      case 'canceled':
        return { state: TaskState.CANCELED, bytes: 0 };
      case 'timed-out':
        return libraryStatus(
          identity,
          TaskState.FAILED,
          `The agent took longer than ${settings.maxRunSeconds} seconds`,
        );
      case 'shutdown':
        // A durable store keeps the task as it stands, for whoever recovers it.
        return store.durable ? undefined : libraryStatus(identity, TaskState.FAILED, 'The server stopped');
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
}
