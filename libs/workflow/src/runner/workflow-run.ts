import { randomUUID } from 'node:crypto';
import { abortable } from 'nestjs-a2a/net';
import type { Observable } from 'rxjs';
import { callSafely } from '../call-safely.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { WorkflowEvent } from '../control/event-data.js';
import { WorkflowExecutor } from '../core/workflow-executor.js';
import { CancellationException } from '../errors/workflow.error.js';
import type { ExecutionResult } from '../model/execution-result.js';
import { CANCELLED, type ExecutorSettings, type PreparedRun, type PrepareRun } from './prepared-run.js';
import type { NumberedEvent } from './event-feed.js';
import type { PsopObservers } from './psop-options.js';
import { RunEvents } from './run-events.js';

const CANCELLED_RESULT: ExecutionResult = Object.freeze({
  success: false,
  history: Object.freeze([]),
  stepOutputs: Object.freeze({}),
  error: CANCELLED,
});

/** What a run is made of. */
export interface WorkflowRunParts extends PsopObservers {
  /** Default: a fresh UUID. */
  executionId?: string;
  prepare: PrepareRun;
  /** Is of this run alone, and is closed with it. */
  ownClient?: WorkflowEngineClient;
  /** So many of the last events are told to readers who come late. Default: none. */
  keptEvents?: number;
}

/**
 * A run of a workflow: await it for its result, read its events, cancel it. It begins when the code that started it has
 * come to its next `await`, so that whoever subscribes at once misses nothing.
 *
 * @publicApi
 */
export class WorkflowRun implements PromiseLike<ExecutionResult> {
  /**
   * How the run ends. A failed workflow resolves, with `success: false`.
   *
   * Rejects with CancellationException when the run is cancelled, and with WorkflowArgumentError when the workflow is none.
   */
  readonly result: Promise<ExecutionResult>;
  /** Of this run; in the events of its executor. */
  readonly executionId: string;
  private readonly events: RunEvents;
  private readonly over = new AbortController();

  constructor(private readonly parts: WorkflowRunParts) {
    const { eventCallback, onEvent, onFinish, onCallbackError = () => undefined, signal } = parts;
    this.events = new RunEvents({
      eventCallback,
      onEvent,
      keep: onFinish !== undefined,
      keptForReaders: parts.keptEvents,
      onError: onCallbackError,
    });
    this.executionId = parts.executionId ?? randomUUID();
    const cancel = (): void => this.cancel();
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    this.result = Promise.resolve()
      .then(() => this.drive())
      .finally(() => {
        signal?.removeEventListener('abort', cancel);
        this.events.feed.complete();
      });
    // Who reads the events only must not be struck down by the result.
    this.result.catch(() => undefined);
  }

  /**
   * The events from now on, typed and unchanged by `onEvent`. Completes with the run, also when that fails. A run of a
   * `WorkflowRunner` tells late readers what was before as well.
   */
  get events$(): Observable<WorkflowEvent> {
    return this.events.feed.events$;
  }

  /** The same, each event with its number. */
  get numberedEvents$(): Observable<NumberedEvent> {
    return this.events.feed.numbered$;
  }

  /**
   * The same to iterate over. A reader that falls 10,000 events behind is thrown an error; nobody else notices.
   */
  readEvents(): AsyncIterableIterator<WorkflowEvent> {
    return this.events.feed.events();
  }

  /** Ends the run: the host's callbacks are told by their signals, and the agents' tasks are cancelled. */
  cancel(): void {
    this.over.abort(new CancellationException(CANCELLED));
  }

  // To be awaited is what it is for.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = ExecutionResult, B = never>(
    resolved?: ((result: ExecutionResult) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.result.then(resolved, rejected);
  }

  private async drive(): Promise<ExecutionResult> {
    const preparing = this.parts.prepare(this.executionId, this.over.signal);
    const running = preparing.then((prepared) => this.begin(prepared));
    running.catch(() => undefined);
    let result: ExecutionResult | undefined;
    try {
      result = await this.outcome(running);
      await this.finish(result);
      this.over.signal.throwIfAborted();
      return result;
    } finally {
      this.events.emit('close', {});
      // What the run sent is called back before the client goes.
      await running.catch(() => undefined);
      await this.close(await preparing.catch(() => undefined), result);
    }
  }

  private begin({ settings }: PreparedRun): Promise<ExecutionResult> {
    this.over.signal.throwIfAborted();
    const { workflow } = settings;
    const executor = this.executor(settings);
    this.events.emit('start', { workflow: workflow.name, steps: workflow.steps.length });
    return executor.run(this.over.signal);
  }

  private async close(prepared: PreparedRun | undefined, result: ExecutionResult = CANCELLED_RESULT): Promise<void> {
    try {
      await prepared?.end(result);
    } catch (error) {
      // The run is done, and a resume gives its result again: no reason to keep it from who waits.
      callSafely(() => this.parts.onCallbackError?.(error), ignore);
    } finally {
      await this.parts.ownClient?.close();
    }
  }

  private executor(settings: ExecutorSettings): WorkflowExecutor {
    const { onCallbackError } = this.parts;
    const { executionId } = this;
    const eventCallback = { onEvent: this.events.emit };
    return new WorkflowExecutor({ ...settings, executionId, eventCallback, onCallbackError });
  }

  /** Waits for the end and tells it. */
  private async outcome(running: Promise<ExecutionResult>): Promise<ExecutionResult> {
    const result = await abortable(running, this.over.signal).catch((error: unknown) => {
      if (!this.over.signal.aborted) throw error;
      return CANCELLED_RESULT;
    });
    const { success, history, stepOutputs: step_outputs } = result;
    if (success) this.events.emit('complete', { history, step_outputs });
    else this.events.emit('error', { error: result.error ?? 'Execution failed', history, step_outputs });
    return result;
  }

  private async finish(result: ExecutionResult): Promise<void> {
    const { onFinish, onCallbackError } = this.parts;
    try {
      const finishing = Promise.resolve(onFinish?.(result, this.events.snapshot));
      await abortable(finishing, this.over.signal);
    } catch (error) {
      if (this.over.signal.aborted && error === this.over.signal.reason) return;
      callSafely(
        () => onCallbackError?.(error),
        () => undefined,
      );
    }
  }
}

function ignore(): void {
  // Nobody is left to be told.
}
