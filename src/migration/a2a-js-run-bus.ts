import type { LoggerService } from '@nestjs/common';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import { textOfThrown } from '../thrown-value.js';
import type { A2AJsEventBus } from './a2a-js-executor.types.js';
import type { A2AJsLine, RunIds } from './a2a-js-line.js';
import type { A2AJsPublisher } from './a2a-js-publisher.js';

type EventName = 'event' | 'finished';
type Listener = (event: unknown) => void;

/** What comes too late, and is no fault: there too it is dropped. */
const LATE: ReadonlySet<string> = new Set(['TASK_ENDED', 'RUN_ENDED', 'EVENT_AFTER_MESSAGE', 'TRANSITION_NOT_ALLOWED']);

/** What a bus tells the run that it is of. */
export interface RunBusListener {
  /** Nothing more is to come. */
  over(): void;
  /** The executor has made a mistake. */
  failed(error: unknown): void;
}

/**
 * The bus of one run. `publish` gives a promise, which their types do not tell: who awaits it is slowed as the store
 * and the readers need.
 */
export class A2AJsRunBus implements A2AJsEventBus {
  listener: RunBusListener | undefined;
  /** Whether `finished()` was called. */
  finishedByExecutor = false;
  /** Whether a caller is canceling: then the task's end is the run's end, whatever the executor still does. */
  canceling = false;
  private failure: { readonly error: unknown } | undefined;
  private hasWarned = false;
  private accepted: Promise<void> = Promise.resolve();
  private readonly listeners: Record<EventName, { readonly listener: Listener; readonly once: boolean }[]> = {
    event: [],
    finished: [],
  };

  constructor(
    private readonly ids: RunIds,
    private readonly line: A2AJsLine,
    private readonly publisher: A2AJsPublisher,
    private readonly logger: LoggerService,
  ) {}

  /** Whether nothing more is to come. */
  get over(): boolean {
    return this.finishedByExecutor || this.publisher.over || this.failure !== undefined;
  }

  /** Whether the executor may have left the task to whoever brings the credential. */
  get waits(): boolean {
    return this.publisher.waits;
  }

  // Never throws: it may be called from a timer, where nobody would catch it.
  publish(event: unknown): Promise<void> {
    this.tell('event', event);
    if (this.finishedByExecutor) return this.late('finished() was called');
    if (this.failure !== undefined) return Promise.resolve();
    let accepted: Promise<void>;
    try {
      accepted = this.publisher.emit(this.line.eventOf(event, this.ids)).catch((error: unknown) => this.refused(error));
    } catch (error) {
      this.fail(error);
      return Promise.resolve();
    }
    this.accepted = this.accepted.then(() => accepted);
    if (this.publisher.over) this.listener?.over();
    return accepted;
  }

  finished(): void {
    if (this.finishedByExecutor) return;
    this.finishedByExecutor = true;
    this.tell('finished', undefined);
    this.listener?.over();
  }

  /** Resolves when everything published is accepted. @throws what the executor did wrong */
  async settled(): Promise<void> {
    await this.accepted;
    if (this.failure !== undefined) throw this.failure.error;
  }

  on(eventName: EventName, listener: Listener): this {
    this.listeners[eventName].push({ listener, once: false });
    return this;
  }

  once(eventName: EventName, listener: Listener): this {
    this.listeners[eventName].push({ listener, once: true });
    return this;
  }

  off(eventName: EventName, listener: Listener): this {
    const index = this.listeners[eventName].findIndex((entry) => entry.listener === listener);
    if (index >= 0) this.listeners[eventName].splice(index, 1);
    return this;
  }

  removeAllListeners(eventName?: EventName): this {
    for (const name of eventName === undefined ? (['event', 'finished'] as const) : [eventName]) {
      this.listeners[name] = [];
    }
    return this;
  }

  private tell(eventName: EventName, event: unknown): void {
    for (const entry of this.listeners[eventName].slice()) {
      if (entry.once) this.off(eventName, entry.listener);
      try {
        entry.listener(event);
      } catch (error) {
        this.logger.warn(`Task ${this.ids.taskId}: a listener on the executor's bus failed: ${textOfThrown(error)}`);
      }
    }
  }

  private refused(error: unknown): Promise<void> {
    if (error instanceof AgentEmitterError && LATE.has(error.code)) {
      // Somebody else may have ended the task.
      if (error.code !== 'TRANSITION_NOT_ALLOWED') this.publisher.over = true;
      if (this.over) this.listener?.over();
      return this.late(error.message);
    }
    this.fail(error);
    return Promise.resolve();
  }

  /** Once for each run: an executor that goes on may go on for long. */
  private late(why: string): Promise<void> {
    if (!this.hasWarned) this.logger.warn(`Task ${this.ids.taskId}: what the executor publishes is dropped. ${why}`);
    this.hasWarned = true;
    return Promise.resolve();
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.listener?.failed(error);
  }
}
