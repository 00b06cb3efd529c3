import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { callSafely } from '../call-safely.js';
import { settledWithin, timerMs } from '../client/timing/time-limits.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { ControlPoint } from '../control/control-point.js';
import type { EmitEvent, EventCallback } from '../control/event-callback.js';
import { textOf } from '../errors/causes.js';
import { CancellationException, WorkflowDefinitionError, WorkflowStateError } from '../errors/workflow.error.js';
import { type ExecutionRecorder, NO_RECORDER } from '../journal/execution-recorder.js';
import type { ExecutionResult } from '../model/execution-result.js';
import type { Workflow } from '../model/workflow.js';
import type { ExecutionContext } from './execution-context.js';
import { ExecutionRecord } from './execution-record.js';
import { STEP_FAILED } from './run-step.js';
import { runWaves } from './run-waves.js';
import { checkLimits, RunSlots } from './slots.js';
import { copySteps, type StepDefinition } from './step-definition.js';
import { WorkflowGraph } from './workflow-graph.js';

// A client that does not stop when it is told to is not waited for any longer.
const STOPPING_MS = 10_000;

/**
 * Options of {@link WorkflowExecutor}.
 *
 * @publicApi
 */
export interface WorkflowExecutorOptions {
  workflow: Workflow;
  controlPoint: ControlPoint;
  /** Sends the subtasks. It is not closed. */
  engineClient: WorkflowEngineClient;
  /** Told of the events of the executor, and of the client on its behalf. */
  eventCallback?: EventCallback;
  /** Told what a callback threw. Default: nobody. */
  onCallbackError?: (error: unknown) => void;
  /** What the run is for. Default: empty. */
  runtimeIntent?: string;
  /** Passed on to the host. Default: `zh`. */
  lang?: string;
  /** Default: a fresh UUID. */
  executionId?: string;
  /** Tell also when a subtask starts (`task_status_changed` with `running`). Default: false. */
  runningStatus?: boolean;
  /** How many subtasks may be at work at the same time, at least 1. Default: no limit. */
  maxParallelTasks?: number;
  /** The same for each agent. Default: no limit. */
  maxParallelTasksPerAgent?: number;
  /** Keeps the run, so that it can be resumed. Default: it is not kept. */
  recorder?: ExecutionRecorder;
}

/**
 * Walks through a workflow: starts what is ready, brings the results together, and asks the host where to go on. It works
 * on a copy of the workflow, and runs once.
 *
 * @publicApi
 */
export class WorkflowExecutor {
  readonly executionId: string;
  private readonly steps: readonly StepDefinition[];
  private readonly record = new ExecutionRecord();
  private readonly over = new AbortController();
  private readonly tracked = new Set<Promise<unknown>>();
  private started = false;

  /** @throws WorkflowArgumentError when the workflow is none, or a limit of subtasks is below 1 */
  constructor(private readonly options: WorkflowExecutorOptions) {
    checkLimits(options);
    this.steps = copySteps(options.workflow);
    // Each step, question and send of the run listens.
    setMaxListeners(0, this.over.signal);
    this.executionId = options.executionId ?? randomUUID();
  }

  /**
   * Runs the workflow.
   *
   * @param signal cancels the run: what is at work is told to stop, and the agents' tasks are cancelled. The promise
   *   settles when that is done, or 10 seconds later
   * @returns a failure of the workflow as well
   * @throws CancellationException when it was cancelled
   * @throws WorkflowStateError `WorkflowExecutor is single-use`
   */
  async run(signal?: AbortSignal): Promise<ExecutionResult> {
    if (this.started) throw new WorkflowStateError('WorkflowExecutor is single-use');
    this.started = true;
    const cancel = (): void => this.over.abort(new CancellationException('Workflow execution cancelled'));
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await this.traverse();
    } finally {
      signal?.removeEventListener('abort', cancel);
      // Whatever is still open belongs to nobody any more.
      this.over.abort(new CancellationException('The workflow has ended'));
      await this.untilStopped();
    }
  }

  private async traverse(): Promise<ExecutionResult> {
    const { executionId } = this;
    try {
      this.over.signal.throwIfAborted();
      const success = await runWaves(this.contextOf(WorkflowGraph.of(this.steps)));
      this.over.signal.throwIfAborted();
      this.emit('workflow_complete', { executionId, success });
      return this.result(success ? null : STEP_FAILED);
    } catch (error) {
      if (this.over.signal.aborted) throw this.over.signal.reason;
      const text = error instanceof WorkflowDefinitionError ? error.message : textOf(error);
      this.emit('error', { executionId, error: text });
      return this.result(text, error instanceof WorkflowDefinitionError);
    }
  }

  private result(error: string | null, isEmpty = false): ExecutionResult {
    const { history, stepOutputs } = isEmpty ? new ExecutionRecord() : this.record;
    return Object.freeze({ success: error === null, history, stepOutputs, error });
  }

  private contextOf(graph: WorkflowGraph): ExecutionContext {
    const { controlPoint, engineClient, runtimeIntent, lang, runningStatus, recorder } = this.options;
    const { maxParallelTasks = Infinity, maxParallelTasksPerAgent = Infinity } = this.options;
    return {
      executionId: this.executionId,
      graph,
      controlPoint,
      engineClient,
      runtimeIntent: runtimeIntent ?? '',
      language: lang ?? 'zh',
      runningStatus: runningStatus ?? false,
      callbackTimeoutMs: timerMs(engineClient.callbackTimeoutSeconds()),
      slots: new RunSlots(maxParallelTasks, maxParallelTasksPerAgent),
      record: this.record,
      recorder: recorder ?? NO_RECORDER,
      track: this.track,
      emit: this.emit,
      signal: this.over.signal,
    };
  }

  private readonly track = (work: Promise<unknown>): void => {
    this.tracked.add(work);
    const forget = (): boolean => this.tracked.delete(work);
    work.then(forget, forget);
  };

  private async untilStopped(): Promise<void> {
    if (this.tracked.size > 0) await settledWithin(Promise.allSettled(this.tracked), STOPPING_MS);
  }

  private readonly emit: EmitEvent = (type, data) => {
    if (this.over.signal.aborted) return;
    callSafely(
      () => this.options.eventCallback?.onEvent(type, data),
      (error) => this.options.onCallbackError?.(error),
    );
  };
}
