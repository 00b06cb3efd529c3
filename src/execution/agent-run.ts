import type { Message } from 'nestjs-a2a/protocol';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import { deferred } from './deferred.js';
import { MessageMailbox } from './message-mailbox.js';

/** Why a run's signal was aborted. */
export type AbortReason = 'canceled' | 'timed-out' | 'shutdown' | 'store-failed';

/** A point at which somebody who waits for a run gets an answer. */
export type RunStop =
  | { readonly kind: 'task'; readonly snapshot: TaskSnapshot }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'error'; readonly error: unknown };

/** Somebody who waits for a run to stop. */
export interface StopWaiter {
  readonly promise: Promise<RunStop>;
  /** Waits no longer. */
  cancel(): void;
}

/**
 * One execution of the agent for one message: what it may still do, and who waits for it. Whether and when it runs is
 * the scheduler's, what it does to the task is the session's.
 */
export class AgentRun {
  readonly mailbox = new MessageMailbox();
  /** The events that the run made. */
  emitted = 0;
  /** The run goes on when `execute()` has returned. */
  detached = false;
  abortReason: AbortReason | undefined;
  /** Set once the run answered with a direct message instead of a task. */
  directMessage: Message | undefined;
  private readonly controller = new AbortController();
  private readonly waiters = new Set<(stop: RunStop) => void>();
  private readonly silenced = deferred<void>();
  private open = true;
  private lastStop: RunStop | undefined;

  constructor(
    /** True when the task existed before this run. */
    readonly followUp: boolean,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** False once the run may emit nothing more: it ended its task, asked for input, answered directly or was cut off. */
  get mayEmit(): boolean {
    return this.open;
  }

  /** Resolves when the run may emit nothing more. */
  get whenSilenced(): Promise<void> {
    return this.silenced.promise;
  }

  abort(reason: AbortReason): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.controller.abort(new DOMException(`The run was aborted: ${reason}`, 'AbortError'));
  }

  /** Takes back that the run was canceled: its agent refused. */
  cancelRefused(): void {
    if (this.abortReason === 'canceled') this.abortReason = undefined;
  }

  /** Takes away the right to emit. */
  silence(): void {
    if (!this.open) return;
    this.open = false;
    this.mailbox.close();
    this.silenced.resolve();
  }

  /** Tells those who wait that there is an answer; more may come only while the run may emit. */
  stopped(stop: RunStop): void {
    this.lastStop = stop;
    for (const wake of this.waiters) wake(stop);
    this.waiters.clear();
  }

  /** The next stop; the last one when the run may emit nothing more. */
  nextStop(): StopWaiter {
    if (!this.open && this.lastStop !== undefined) {
      return { promise: Promise.resolve(this.lastStop), cancel: () => undefined };
    }
    const { promise, resolve } = deferred<RunStop>();
    this.waiters.add(resolve);
    return { promise, cancel: () => this.waiters.delete(resolve) };
  }
}
