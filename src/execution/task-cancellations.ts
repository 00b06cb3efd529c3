import { TaskNotCancelableError, TaskState, type Struct } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import { deferred, settledWithin } from './deferred.js';
import type { ExecutionServices } from './execution-services.js';
import type { LiveRun } from './live-run.js';
import type { LiveRunRegistry } from './live-run.registry.js';
import type { TaskSession } from './task-session.js';

/** Cancels tasks for their callers: asks the agent to stop, and ends the task. One cancellation a task at a time. */
export class TaskCancellations {
  private readonly underWay = new Map<TaskSession, Promise<void>>();

  constructor(
    private readonly services: ExecutionServices,
    private readonly live: LiveRunRegistry,
  ) {}

  /** Whether a task is being canceled now. */
  has(session: TaskSession): boolean {
    return this.underWay.has(session);
  }

  /** As `AgentExecutions.cancel`. Those who cancel a task at the same time share one cancellation, and its end. */
  async cancel(session: TaskSession, call: ServerCallContext, metadata: Struct | undefined): Promise<TaskSnapshot> {
    const { id } = session.identity.key;
    if (session.snapshot?.ended !== true) {
      let cancellation = this.underWay.get(session);
      if (cancellation === undefined) {
        cancellation = this.carryOut(session, call, metadata).finally(() => this.underWay.delete(session));
        this.underWay.set(session, cancellation);
      }
      await cancellation;
    }
    const { snapshot } = session;
    if (snapshot?.state !== TaskState.CANCELED) throw new TaskNotCancelableError(id);
    return snapshot;
  }

  private async carryOut(session: TaskSession, call: ServerCallContext, metadata: Struct | undefined): Promise<void> {
    const live = this.live.of(session);
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
      if (live?.scheduled.started === false) this.live.finish(live);
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
          return;
        }
        this.services.log.runFailed(session.identity.key, error);
      }
      run.stopReading();
    };
    run.abort('canceled');
    live.cancelHook = hook();
    const grace = this.services.settings.cancelGraceSeconds * 1000;
    await settledWithin(Promise.race([live.finished.whenOpen, refusal.promise]), grace);
    const refused = await Promise.race([refusal.promise, Promise.resolve(undefined)]);
    if (refused !== undefined) throw refused;
  }
}
