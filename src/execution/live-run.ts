import type { AgentRun } from './agent-run.js';
import { Latch } from './latch.js';
import type { RunContext } from './run-context.js';
import type { RunEmitter } from './run-emitter.js';
import type { ScheduledRun } from './run-scheduler.js';
import type { TaskSession } from './task-session.js';

/** A run with everything that belongs to it while it is queued, runs, or goes on detached. */
export class LiveRun {
  readonly finished = new Latch();
  /** The executor's own `cancel()`, while a caller cancels. */
  cancelHook: Promise<void> | undefined;
  /** Waits no longer for an execution that does not stop. */
  abandon: () => void = nothingToAbandon;

  constructor(
    readonly session: TaskSession,
    readonly run: AgentRun,
    readonly context: RunContext,
    readonly emitter: RunEmitter,
    readonly scheduled: ScheduledRun,
  ) {}
}

function nothingToAbandon(): void {}
