import type { AgentCard } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../awaitable.js';
import type { A2ARuntime } from '../client/a2a-runtime.js';
import type { WorkflowEngineClientOptions } from '../client/workflow-engine-client.config.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { ControlPoint } from '../control/control-point.js';
import type { WorkflowExecutorOptions } from '../core/workflow-executor.js';
import type { ExecutionJournal } from '../journal/execution-journal.js';
import type { ExecutionResult } from '../model/execution-result.js';
import type { Workflow } from '../model/workflow.js';
import type { EventHook } from './event-hook.js';
import type { PlainEvent } from './plain-event.js';
import type { PlainEventCallback } from './run-events.js';

/**
 * Who watches a run, and who may end it.
 *
 * @publicApi
 */
export interface PsopObservers {
  /** Told of each event as it happens. */
  eventCallback?: PlainEventCallback;
  /** Changes the events that callback and `onFinish` are given. */
  onEvent?: EventHook;
  /**
   * Given the result and the events until then, and waited for before the run closes. At most 10,000 events are kept:
   * of more, the oldest streamed updates of agents are left out.
   */
  onFinish?: (result: ExecutionResult, events: readonly PlainEvent[]) => Awaitable<unknown>;
  /** Told what a callback threw, and that the journal could not note the end. Default: nobody. */
  onCallbackError?: (error: unknown) => void;
  /** Cancels the run. */
  signal?: AbortSignal;
}

/**
 * How the engine client of one run is made. Not together with a client of your own.
 *
 * @publicApi
 */
export interface PsopClientOptions {
  /** Of the agents in the workflow. */
  agentCards?: readonly AgentCard[];
  /** Path of a credentials file. */
  credentialsConfigPath?: string;
  /** Whether the certificates of agents are checked. Default: true. Host names are checked in any case. */
  sslVerify?: boolean;
  /** Path of a file with certificate authorities, in PEM. */
  caCertsPath?: string;
  /** Reaches the agents in a way of its own. It is closed with the run. */
  a2aClientRuntime?: A2ARuntime;
  /** All other settings of the client: time limits, credentials, the client's own certificate. */
  clientOptions?: WorkflowEngineClientOptions;
}

/**
 * What a run needs besides its workflow.
 *
 * @publicApi
 */
export interface PsopRunOptions
  extends
    PsopObservers,
    PsopClientOptions,
    Pick<WorkflowExecutorOptions, 'maxParallelTasks' | 'maxParallelTasksPerAgent' | 'runningStatus'> {
  /** Decides in place of the host. */
  controlPoint: ControlPoint;
  /** Sends the tasks, and is left open. Default: a client of this run alone, made of the options for clients. */
  engineClient?: WorkflowEngineClient;
}

/**
 * Options of {@link executePsop}.
 *
 * @publicApi
 */
export interface ExecutePsopOptions
  extends PsopRunOptions, Pick<WorkflowExecutorOptions, 'executionId' | 'lang' | 'runtimeIntent'> {
  /** The workflow. */
  psop: Workflow;
  /** Keeps the run, so that {@link resumePsop} can go on with it. Default: nothing is kept. */
  journal?: ExecutionJournal;
}

/**
 * Options of {@link resumePsop}.
 *
 * @publicApi
 */
export interface ResumePsopOptions extends PsopRunOptions {
  /** Of the run that is to go on. */
  executionId: string;
  /** That has kept it. */
  journal: ExecutionJournal;
  /**
   * Sends a message again when nobody knows whether it had arrived, and its agent lists no task of it: what it asks for
   * may then be done twice. Default: false; the subtask fails with `workflow.outcome_unknown`.
   */
  resendUnknown?: boolean;
}
