import type { BeforeApplicationShutdown, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { abortable } from 'nestjs-a2a/net';
import { settledWithin, timerMs } from '../client/timing/time-limits.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { WorkflowExecutorOptions } from '../core/workflow-executor.js';
import { messageOf } from '../errors/causes.js';
import { redactDetail } from '../errors/redaction.js';
import { WorkflowBusyError } from '../errors/workflow-busy.error.js';
import { WorkflowArgumentError, WorkflowStateError } from '../errors/workflow.error.js';
import type { ExecutionJournal } from '../journal/execution-journal.js';
import type { Workflow } from '../model/workflow.js';
import { type ExecutorSettings, journaledRun, plainRun, type PrepareRun, resumedRun } from '../runner/prepared-run.js';
import type { PsopObservers, ResumePsopOptions } from '../runner/psop-options.js';
import { WorkflowRun } from '../runner/workflow-run.js';
import type { ControlPointReference, ControlPoints } from './control-points.js';
import type { ClientLease, EngineClients } from './engine-clients.js';
import { KnownRuns } from './known-runs.js';
import type { Observers } from './observers.js';
import type { WorkflowSettings } from './workflow-settings.js';

/** What is decided for one run, and may be left to the module. */
type RunSettings = Pick<WorkflowExecutorOptions, 'maxParallelTasks' | 'maxParallelTasksPerAgent' | 'runningStatus'>;

/**
 * What a run needs besides its workflow.
 *
 * @publicApi
 */
export interface WorkflowRunnerOptions extends PsopObservers, RunSettings {
  /** Decides: a class or a name that the app provides, or an object. */
  readonly controlPoint: ControlPointReference;
  /**
   * What a request-scoped control point is given for `REQUEST`, the HTTP request that started the run for example.
   * Default: an object with the `executionId`.
   */
  readonly request?: object;
  /** Sends the tasks of this run, and is left open. Default: the client that all runs share. */
  readonly engineClient?: WorkflowEngineClient;
}

/**
 * How a {@link WorkflowRunner} goes on with a run.
 *
 * @publicApi
 */
export interface WorkflowResumeRequest extends WorkflowRunnerOptions, Pick<ResumePsopOptions, 'resendUnknown'> {}

/**
 * What a {@link WorkflowRunner} is asked to do.
 *
 * @publicApi
 */
export interface WorkflowRunRequest
  extends WorkflowRunnerOptions, Pick<WorkflowExecutorOptions, 'executionId' | 'lang' | 'runtimeIntent'> {
  readonly psop: Workflow;
}

/** What a runner is made of. */
export interface WorkflowRunnerParts {
  readonly settings: WorkflowSettings;
  readonly clients: EngineClients;
  readonly controlPoints: ControlPoints;
  readonly observers: Observers;
  readonly journal?: ExecutionJournal;
}

/**
 * Runs workflows in a Nest app: with the agents, the settings and the journal of its `WorkflowModule`, and with control
 * points that Nest makes.
 *
 * At the end of the app no run begins any more, and those that are at work are cancelled, with the tasks of agents.
 *
 * @publicApi
 */
export class WorkflowRunner implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly runs: KnownRuns;
  private isClosing = false;

  constructor(private readonly parts: WorkflowRunnerParts) {
    this.runs = new KnownRuns(parts.settings.maxEndedRuns);
  }

  /**
   * Starts a run. It is at work when this returns; await it for its result.
   *
   * @throws WorkflowArgumentError when there is no such control point, or no workflow
   * @throws WorkflowBusyError when `maxConcurrentRuns` are at work
   * @throws WorkflowStateError when the app is shutting down, or a run with this id is at work
   */
  run(request: WorkflowRunRequest): WorkflowRun {
    const { psop: workflow, runtimeIntent, lang = this.parts.settings.lang, executionId } = request;
    if (!workflow) throw new WorkflowArgumentError('psop is required');
    const { journal } = this.parts;
    return this.start(request, executionId, (common) => {
      const settings = { ...common, workflow, runtimeIntent, lang };
      return journal ? journaledRun(settings, journal) : plainRun(settings);
    });
  }

  /**
   * Goes on with a run that the journal has kept, as `resumePsop` does.
   *
   * @throws WorkflowStateError when the module has no journal; else as {@link run}
   */
  resume(executionId: string, request: WorkflowResumeRequest): WorkflowRun {
    const { journal } = this.parts;
    if (journal === undefined) {
      throw new WorkflowStateError('Nothing can be resumed: give WorkflowModule.forRoot() a journal');
    }
    return this.start(request, executionId, (common) =>
      resumedRun(common, { journal, resendUnknown: request.resendUnknown }),
    );
  }

  /** The runs that are at work, oldest first. */
  running(): readonly WorkflowRun[] {
    return this.runs.running;
  }

  /** A run that is at work, or one of the last that have ended (`maxEndedRuns`). */
  find(executionId: string): WorkflowRun | undefined {
    return this.runs.find(executionId);
  }

  onModuleDestroy(): void {
    this.isClosing = true;
    for (const run of this.runs.running) run.cancel();
  }

  /** Servers are still open now: agents that are served here, or that answer to here, can take the cancels. */
  async beforeApplicationShutdown(): Promise<void> {
    this.onModuleDestroy();
    const { settings } = this.parts;
    const stopping = Promise.allSettled(this.runs.running.map(({ result }) => result));
    await settledWithin(stopping, timerMs(settings.shutdownTimeoutSeconds));
    const late = this.runs.running.map(({ executionId }) => executionId);
    if (late.length === 0) return;
    settings.client.log.warn(`Workflow runs did not stop in time: ${late.join(', ')}`);
  }

  onApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    return this.parts.clients.close();
  }

  private start(
    request: WorkflowRunnerOptions,
    executionId: string | undefined,
    kind: (settings: Omit<ExecutorSettings, 'workflow'>) => PrepareRun,
  ): WorkflowRun {
    this.admit(executionId);
    const { settings, observers } = this.parts;
    const { eventCallback, onEvent, onFinish, signal } = request;
    const run = new WorkflowRun({
      eventCallback,
      onEvent,
      onFinish,
      signal,
      onCallbackError: request.onCallbackError ?? this.reportCallback,
      executionId,
      keptEvents: settings.maxKeptEvents,
      prepare: this.prepareWith(request, kind),
    });
    this.runs.add(run);
    observers.watch(run);
    return run;
  }

  private admit(executionId: string | undefined): void {
    const { maxConcurrentRuns } = this.parts.settings;
    if (this.isClosing) throw new WorkflowStateError('The app is shutting down: no workflow run begins any more');
    if (executionId !== undefined && this.runs.isRunning(executionId)) {
      throw new WorkflowStateError(`Execution is already running: ${executionId}`);
    }
    if (this.runs.size < maxConcurrentRuns) return;
    throw new WorkflowBusyError(
      `${maxConcurrentRuns} workflow runs are at work, and no more may be. ` +
        'Try again when one has ended, or raise maxConcurrentRuns of WorkflowModule.forRoot()',
    );
  }

  /** What is known only when the run begins: its control point, and the client for the agents as they are then. */
  private prepareWith(
    request: WorkflowRunnerOptions,
    kind: (settings: Omit<ExecutorSettings, 'workflow'>) => PrepareRun,
  ): PrepareRun {
    const { settings, controlPoints } = this.parts;
    if (!request.controlPoint) throw new WorkflowArgumentError('controlPoint is required');
    const controlPointOf = controlPoints.find(request.controlPoint);
    return async (executionId, signal) => {
      const controlPoint = await abortable(controlPointOf(request.request ?? { executionId }), signal);
      const lease = await this.leaseFor(request, signal);
      try {
        const prepared = await kind({
          controlPoint,
          engineClient: lease.client,
          maxParallelTasks: request.maxParallelTasks ?? settings.maxParallelTasks,
          maxParallelTasksPerAgent: request.maxParallelTasksPerAgent ?? settings.maxParallelTasksPerAgent,
          runningStatus: request.runningStatus ?? settings.runningStatus,
        })(executionId, signal);
        return { ...prepared, end: (result) => prepared.end(result).finally(lease.release) };
      } catch (error) {
        lease.release();
        throw error;
      }
    };
  }

  private leaseFor({ engineClient: client }: WorkflowRunnerOptions, signal: AbortSignal): Promise<ClientLease> {
    if (client === undefined) return this.parts.clients.acquire(signal);
    return Promise.resolve({ client, agents: undefined, release: () => undefined });
  }

  private readonly reportCallback = (error: unknown): void => {
    const { log } = this.parts.settings.client;
    log.warn(`A callback of a workflow run threw: ${redactDetail(messageOf(error))}`);
  };
}
