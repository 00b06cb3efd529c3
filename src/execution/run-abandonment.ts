import { settledWithin } from './deferred.js';
import type { ExecutionServices } from './execution-services.js';
import type { LiveRun } from './live-run.js';
import type { LiveRunRegistry } from './live-run.registry.js';
import type { RunEnding } from './run-ending.js';

/** Does away with runs that were aborted: those that never began, and those whose executor does not stop. */
export class RunAbandonment {
  constructor(
    private readonly services: ExecutionServices,
    private readonly live: LiveRunRegistry,
    private readonly ending: RunEnding,
  ) {}

  /** An aborted execution is given so long to end by itself, whatever it was aborted for. */
  async afterGrace(live: LiveRun): Promise<void> {
    const grace = this.services.settings.cancelGraceSeconds * 1000;
    if (await settledWithin(live.finished.whenOpen, grace)) return;
    // Its agent may have refused to be canceled.
    if (live.run.abortReason !== undefined) await this.cutOff(live);
  }

  /** Ends the task of an execution that does not stop, and waits for it no longer. */
  async cutOff(live: LiveRun): Promise<void> {
    const { session, run } = live;
    await this.ending.conclude(live, undefined);
    if (!this.live.has(live)) return;
    run.silence();
    this.services.log.runAbandoned(session.identity.key);
    live.abandon();
    await live.finished.whenOpen;
  }

  /** Ends the task of a run that was taken out of the scheduler's queue: nobody else will. */
  neverBegun(live: LiveRun): void {
    void this.ending.conclude(live, undefined).finally(() => this.live.finish(live));
  }
}
