import type {
  ClassProvider,
  ExistingProvider,
  FactoryProvider,
  ModuleMetadata,
  Provider,
  Type,
  ValueProvider,
} from '@nestjs/common';
import type { AgentCard } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../awaitable.js';
import type { WorkflowEngineClientOptions } from '../client/workflow-engine-client.config.js';
import type { ControlPoint } from '../control/control-point.js';
import type { ExecutionJournal } from '../journal/execution-journal.js';
import type { WorkflowObserver } from './workflow.observer.js';

/**
 * Options of `WorkflowModule.forRoot`.
 *
 * @publicApi
 */
export interface WorkflowModuleOptions {
  /**
   * The agents: their cards, or a function that gives them, a registry's for example. A function is asked at the first
   * run, and again when its answer is old. Default: an `AgentCardSource` among the providers, else none.
   */
  readonly agentCards?: readonly AgentCard[] | (() => Awaitable<Iterable<AgentCard>>);
  /** How old the answer of such a function may be. In seconds; 0 asks for every run. Default: 300. */
  readonly agentCardsMaxAgeSeconds?: number;
  /** Settings of the engine's client: time limits, credentials, TLS. `log` is Nest's logger unless it is given. */
  readonly client?: WorkflowEngineClientOptions;
  /** Keeps every run, so that it can be resumed. Default: an `ExecutionJournal` among the providers, else none. */
  readonly journal?: ExecutionJournal;
  /** How many runs may be at work at the same time; one more is refused with `WorkflowBusyError`. Default: 100. */
  readonly maxConcurrentRuns?: number;
  /** How many runs that have ended can still be found, with their events. Default: 20. */
  readonly maxEndedRuns?: number;
  /** How many of a run's last events are kept for readers who come late. Default: 1,000. */
  readonly maxKeptEvents?: number;
  /** How long the app waits at its end for runs to stop and call back what they have sent. Default: 10. */
  readonly shutdownTimeoutSeconds?: number;
  /** Of every run that says nothing else: how many subtasks may be at work at the same time. Default: no limit. */
  readonly maxParallelTasks?: number;
  /** The same for each agent. */
  readonly maxParallelTasksPerAgent?: number;
  /** Tell also when a subtask starts, in every run that says nothing else. Default: false. */
  readonly runningStatus?: boolean;
  /** Of every run that says nothing else. Default: `zh`. */
  readonly lang?: string;
}

/**
 * What shapes the module itself, and so is given at once, also with `forRootAsync`.
 *
 * @publicApi
 */
export interface WorkflowModuleExtras {
  /** Whether every module of the app can inject the runner. Default: true. */
  readonly isGlobal?: boolean;
  /** Modules with what the providers and observers inject. */
  readonly imports?: ModuleMetadata['imports'];
  /**
   * In the place of a part of the engine: `AgentCardSource`, `ExecutionJournal`, `WorkflowEngineClient`, `A2ARuntime`,
   * `AgentAuthenticator`. And whatever these inject.
   */
  readonly providers?: Provider[];
  /** Told of every run. */
  readonly observers?: readonly Type<WorkflowObserver>[];
}

/**
 * A control point with the name by which a run asks for it.
 *
 * @publicApi
 */
export type NamedControlPoint = { readonly name: string } & (
  | Omit<ClassProvider<ControlPoint>, 'provide'>
  | Omit<FactoryProvider<ControlPoint>, 'provide'>
  | Omit<ValueProvider<ControlPoint>, 'provide'>
  | Omit<ExistingProvider<ControlPoint>, 'provide'>
);

/**
 * Options of `WorkflowModule.forFeature`.
 *
 * @publicApi
 */
export interface WorkflowFeatureOptions {
  /** Classes, asked for by themselves; or with a name. */
  readonly controlPoints: readonly (Type<ControlPoint> | NamedControlPoint)[];
  /** Modules with what the control points inject. */
  readonly imports?: ModuleMetadata['imports'];
  /** What the control points inject besides. */
  readonly providers?: Provider[];
}
