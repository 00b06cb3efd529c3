import { TaskState } from 'nestjs-a2a/protocol';
import type { ObserverReports } from '../a2a.observer-reports.js';
import { emitAll, isSequence, type StopSign } from './agent-outputs.js';
import { settledWithin } from './deferred.js';
import type { ExecutionServices } from './execution-services.js';
import type { LiveRun } from './live-run.js';
import type { LiveRunRegistry } from './live-run.registry.js';
import type { RunEnding, RunFailure } from './run-ending.js';

/** Carries out a run that has its slot: calls the executor, and sees the run to its end whatever the executor does. */
export class RunPerformer {
  constructor(
    private readonly services: ExecutionServices,
    private readonly live: LiveRunRegistry,
    private readonly ending: RunEnding,
    private readonly reports: ObserverReports,
  ) {}

  /** @returns a promise for the end of the run, or for its being abandoned; it never rejects */
  execute(live: LiveRun): Promise<void> {
    const { session, run } = live;
    const { key } = session.identity;
    const { maxRunSeconds } = this.services.settings;
    const started = performance.now();
    const timer = maxRunSeconds > 0 ? setTimeout(() => run.abort('timed-out'), maxRunSeconds * 1000) : undefined;
    this.reports.tell((observer) => observer.runStarted?.(key));
    return new Promise((resolve) => {
      let over = false;
      const end = (): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        this.live.finish(live);
        const state = run.directMessage ? undefined : session.snapshot?.state;
        const milliseconds = performance.now() - started;
        this.reports.tell((observer) => observer.runEnded?.({ key, state, milliseconds, events: run.emitted }));
        resolve();
      };
      live.abandon = end;
      // A task may end while its run is in the queue.
      if (run.mayEmit) this.perform(live).then(end, end);
      else end();
    });
  }

  private async perform(live: LiveRun): Promise<void> {
    const { session, run, context, emitter } = live;
    const { settings, executors } = this.services;
    let failure: RunFailure | undefined;
    try {
      const found = executors.executorFor(context.call);
      const executor = found instanceof Promise ? await found : found;
      const execution = executor.execute(context, emitter);
      // A generator is not a promise; an async method may well return one.
      const outcome: unknown = isSequence(execution) ? execution : await execution;
      if (isSequence(outcome)) await emitAll(outcome, emitter, stopSignOf(live));
      if (typeof outcome === 'string' && run.mayEmit) {
        await emitter.addArtifact(outcome);
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
    if (failure !== undefined || run.mayEmit) await this.ending.conclude(live, failure);
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
