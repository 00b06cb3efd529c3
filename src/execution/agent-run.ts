import type { Message } from 'nestjs-a2a/protocol';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import { deferred } from './deferred.js';
import { Latch } from './latch.js';
import { MessageMailbox } from './message-mailbox.js';

/** Why a run's signal was aborted. */
export type AbortReason = 'canceled' | 'timed-out' | 'shutdown' | 'store-failed';

/** Starts another run. */
type Launch = (run: AgentRun) => void;

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
  /** Where the registry of live runs keeps it; it alone may change that. -1: nowhere. */
  place = -1;
  /** The events that the run made. */
  emitted = 0;
  /** The run goes on when `execute()` has returned. */
  detached = false;
  /** The run returned without an end while messages waited for its task: the last of them ends it. */
  endsWithQueue = false;
  abortReason: AbortReason | undefined;
  /** Told whenever the run is aborted, also again after a refused cancel. */
  onAbort: (() => void) | undefined;
  /** How often somebody who waits got an answer; {@link nextStop} can be asked for those after one of them. */
  stops = 0;
  /** Set once the run answered with a direct message instead of a task. */
  directMessage: Message | undefined;
  // Most executors never look at it, and a signal is dear to make.
  private controller: AbortController | undefined;
  private letters: MessageMailbox<Launch> | undefined;
  // Nearly always there is one, and a list for it would outlive the call: see docs/decisions/006.
  private waiter: ((stop: RunStop) => void) | undefined;
  private others: ((stop: RunStop) => void)[] | undefined;
  private readonly silenced = new Latch();
  private aborted = new Latch();
  private signalled: DOMException | undefined;
  private open = true;
  private cutShort = false;
  private stopping = false;
  private lastStop: RunStop | undefined;
  private successor: AgentRun | undefined;

  constructor(
    /** True when the task existed before this run. */
    readonly followUp: boolean,
  ) {}

  /** The follow-up messages that the run is given while it lives. */
  get mailbox(): MessageMailbox<Launch> {
    if (this.letters === undefined) {
      this.letters = new MessageMailbox();
      if (!this.open) this.letters.close();
      if (this.stopping) this.letters.interrupt();
    }
    return this.letters;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.signalled) this.controller.abort(this.signalled);
    }
    return this.controller.signal;
  }

  /** False once the run may emit nothing more: it ended its task, asked for input, answered directly or was cut off. */
  get mayEmit(): boolean {
    return this.open;
  }

  /** Resolves when the run may emit nothing more. */
  get whenSilenced(): Promise<void> {
    return this.silenced.whenOpen;
  }

  /** True until the library takes no more of what the executor emits, whatever it still has to say about the task. */
  get accepts(): boolean {
    return this.open && !this.cutShort;
  }

  /** Resolves when the run is aborted, or aborted again after a refused cancel. */
  get whenAborted(): Promise<void> {
    return this.aborted.whenOpen;
  }

  /** Refuses what the executor emitted and what still waits for its turn. */
  cutEmits(): void {
    this.cutShort = true;
  }

  abort(reason: AbortReason): void {
    if (this.abortReason !== undefined) return;
    this.abortReason = reason;
    this.aborted.open();
    // A signal cannot be taken back: once given it stays, also when a cancel was refused.
    this.signalled ??= new DOMException(`The run was aborted: ${reason}`, 'AbortError');
    this.controller?.abort(this.signalled);
    // A cancel may yet be refused, and then the run goes on reading.
    if (reason !== 'canceled') this.stopReading();
    this.onAbort?.();
  }

  /** Ends the agent's reading of follow-up messages: the run is to stop, and nobody has refused that. */
  stopReading(): void {
    this.stopping = true;
    this.letters?.interrupt();
  }

  /** Takes back that the run was canceled: its agent refused. */
  cancelRefused(): void {
    if (this.abortReason !== 'canceled') return;
    this.abortReason = undefined;
    this.aborted = new Latch();
  }

  /** Takes away the right to emit. */
  silence(): void {
    if (!this.open) return;
    this.open = false;
    this.letters?.close();
    this.silenced.open();
  }

  /** Tells those who wait that there is an answer; more may come only while the run may emit. */
  stopped(stop: RunStop): void {
    this.lastStop = stop;
    this.stops++;
    this.takeWaiters((wake) => wake(stop));
  }

  /** Those who wait go on waiting for another run, which takes up what this one left undone. */
  handOver(next: AgentRun): void {
    this.takeWaiters((wake) => next.await(wake));
    this.successor = next;
  }

  /**
   * Calls back at the first stop after so many, at once if it has been; with the last one when the run may emit nothing
   * more.
   *
   * @param after the {@link stops} at the time from which on the caller is interested
   * @returns waits no longer
   */
  onNextStop(after: number, wake: (stop: RunStop) => void): () => void {
    if (this.successor !== undefined) return this.successor.onNextStop(0, wake);
    if (this.lastStop !== undefined && (!this.open || this.stops > after)) {
      wake(this.lastStop);
      return ignore;
    }
    this.await(wake);
    return () => this.forget(wake);
  }

  /** As {@link onNextStop}, as a promise. */
  nextStop(after: number): StopWaiter {
    const { promise, resolve } = deferred<RunStop>();
    return { promise, cancel: this.onNextStop(after, resolve) };
  }

  private takeWaiters(take: (wake: (stop: RunStop) => void) => void): void {
    const { waiter, others } = this;
    this.waiter = undefined;
    this.others = undefined;
    if (waiter !== undefined) take(waiter);
    if (others !== undefined) for (const wake of others) take(wake);
  }

  private await(wake: (stop: RunStop) => void): void {
    if (this.waiter === undefined) this.waiter = wake;
    else (this.others ??= []).push(wake);
  }

  private forget(wake: (stop: RunStop) => void): void {
    if (this.waiter === wake) this.waiter = undefined;
    else this.others = this.others?.filter((other) => other !== wake);
    this.successor?.forget(wake);
  }
}

function ignore(): void {}
