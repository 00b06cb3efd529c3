import { Logger, type FactoryProvider, type InjectionToken, type LoggerService, type Provider } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { A2A_AGENT_PATH, A2A_LOGGER, A2A_OPTIONS, A2A_SETTINGS } from './a2a.constants.js';
import { A2ADiagnostics } from './a2a.diagnostics.js';
import type { A2AModuleExtras } from './a2a.extras.js';
import { A2ALifecycle } from './a2a.lifecycle.js';
import { A2AObserver, SilentObserver } from './a2a.observer.js';
import type { A2AModuleOptions, A2ASettings } from './a2a.options.js';
import { AgentExecutor } from './agent/agent-executor.js';
import { AgentParts } from './agent/agent-parts.js';
import { AgentCardProvider } from './agent/card/agent-card.provider.js';
import { StaticAgentCardProvider } from './agent/card/static-agent-card.provider.js';
import { AnyTenantResolver, TenantResolver } from './authorization/tenant.resolver.js';
import { RequestUserResolver, UserResolver } from './authorization/user.resolver.js';
import { startupSettings } from './config/startup-settings.js';
import { RxJsTaskEventBus } from './events/rxjs-task-event-bus.js';
import { TaskEventBus } from './events/task-event-bus.js';
import { AgentExecutions } from './execution/agent-executions.js';
import { ExecutionLog } from './execution/execution-log.js';
import { InProcessRunScheduler } from './execution/in-process-run-scheduler.js';
import { RunScheduler } from './execution/run-scheduler.js';
import { TaskSessionRegistry } from './execution/task-session.registry.js';
import { WaitingTasksSweeper } from './execution/waiting-tasks.sweeper.js';
import type { AgentControllers } from './http/agent-controllers.types.js';
import type { BindingServices } from './http/binding.handler.js';
import { CallReader } from './http/call-reader.js';
import { AgentCardService } from './http/card/agent-card.service.js';
import { CardHandler } from './http/card/card.handler.js';
import { OpenStreams } from './http/host/open-streams.js';
import { FailureReporter } from './http/http-failure.js';
import { HttpMount } from './http/http-mount.js';
import { JsonRpcHandler } from './http/json-rpc/json-rpc.handler.js';
import { RestHandler } from './http/rest/rest.handler.js';
import { DefaultRequestHandler } from './operations/default-request-handler.js';
import { OperationGate } from './operations/operation.gate.js';
import { RequestHandler } from './operations/request-handler.js';
import { TaskAccess } from './operations/task-access.js';
import { TaskStreams } from './operations/task-streams.js';
import { InMemoryTaskStore } from './tasks/in-memory-task-store.js';
import { TaskStore } from './tasks/task-store.js';

/** What the providers of one agent depend on. */
export interface ProviderInput {
  readonly agentPath: string;
  readonly executor: A2AModuleExtras['executor'];
  readonly controllers: AgentControllers;
  /** The host's own; one for a token of ours stands in its place. */
  readonly providers: readonly Provider[];
}

/** The seams and services that an importing module may inject. */
const EXPORTED: readonly InjectionToken[] = [
  A2A_SETTINGS,
  A2ADiagnostics,
  AgentCardService,
  CardHandler,
  JsonRpcHandler,
  RequestHandler,
  RestHandler,
  TaskEventBus,
  TaskStore,
];

/** The tokens that the module exports: its own, and those of the providers it was given. */
export function exportedTokens(providers: readonly Provider[]): InjectionToken[] {
  return [...new Set([...EXPORTED, ...providers.map(tokenOf)])];
}

/** Everything that one agent is made of; what the host provides itself stands in the place of the default. */
export function a2aProviders({ agentPath, executor, controllers, providers }: ProviderInput): Provider[] {
  const given = new Set(providers.map(tokenOf));
  const defaults = [
    { provide: A2A_AGENT_PATH, useValue: agentPath },
    { provide: A2A_LOGGER, useValue: new Logger(agentPath === '' ? 'A2A' : `A2A ${agentPath}`) },
    settingsProvider(!given.has(AgentCardProvider)),
    ...seamProviders(),
    ...coreProviders(),
    ...httpProviders(controllers),
    lifecycleProvider(),
  ].filter((provider) => !given.has(tokenOf(provider)));
  return [...(executor === undefined ? [] : [executorProvider(executor)]), ...defaults, ...providers];
}

function executorProvider(executor: NonNullable<A2AModuleExtras['executor']>): Provider {
  return typeof executor === 'function'
    ? { provide: AgentExecutor, useClass: executor }
    : { provide: AgentExecutor, ...executor };
}

function settingsProvider(cardFromOptions: boolean): FactoryProvider {
  return {
    provide: A2A_SETTINGS,
    inject: [A2A_OPTIONS],
    useFactory: (options: A2AModuleOptions) => startupSettings(options, cardFromOptions),
  };
}

function seamProviders(): FactoryProvider[] {
  const inject = [A2A_SETTINGS];
  return [
    { provide: TaskStore, inject, useFactory: (settings: A2ASettings) => new InMemoryTaskStore(settings) },
    { provide: TaskEventBus, inject, useFactory: (settings: A2ASettings) => new RxJsTaskEventBus(settings) },
    {
      provide: AgentCardProvider,
      inject,
      useFactory: ({ agentCard }: A2ASettings) => new StaticAgentCardProvider(agentCard),
    },
    {
      provide: RunScheduler,
      inject,
      useFactory: ({ executorMaxSize, executorQueueCapacity, maxRunsPerOwner }: A2ASettings) =>
        new InProcessRunScheduler({
          maxRunning: executorMaxSize,
          maxQueued: executorQueueCapacity,
          maxPerOwner: maxRunsPerOwner,
        }),
    },
    { provide: UserResolver, useFactory: () => new RequestUserResolver() },
    { provide: TenantResolver, useFactory: () => new AnyTenantResolver() },
    { provide: A2AObserver, useFactory: () => new SilentObserver() },
  ];
}

function coreProviders(): FactoryProvider[] {
  return [
    {
      provide: AgentParts,
      inject: [ModuleRef, DiscoveryService],
      useFactory: (moduleRef: ModuleRef, discovery: DiscoveryService) => new AgentParts(moduleRef, discovery),
    },
    { provide: ExecutionLog, inject: [A2A_LOGGER], useFactory: (logger: LoggerService) => new ExecutionLog(logger) },
    {
      provide: TaskSessionRegistry,
      inject: [TaskStore, TaskEventBus, A2A_SETTINGS, ExecutionLog],
      useFactory: (store: TaskStore, bus: TaskEventBus, settings: A2ASettings, log: ExecutionLog) =>
        new TaskSessionRegistry({ store, bus, settings, storeFailed: (key, error) => log.storeFailed(key, error) }),
    },
    {
      provide: AgentExecutions,
      inject: [TaskSessionRegistry, TaskStore, A2A_SETTINGS, RunScheduler, AgentParts, A2AObserver, ExecutionLog],
      useFactory: (
        sessions: TaskSessionRegistry,
        store: TaskStore,
        settings: A2ASettings,
        scheduler: RunScheduler,
        executors: AgentParts,
        observer: A2AObserver,
        log: ExecutionLog,
      ) => new AgentExecutions({ sessions, store, settings, scheduler, executors, observer, log }),
    },
    {
      provide: WaitingTasksSweeper,
      inject: [A2A_AGENT_PATH, A2A_SETTINGS, TaskStore, TaskSessionRegistry, ExecutionLog],
      useFactory: (
        agent: string,
        { waitingTtlSeconds }: A2ASettings,
        store: TaskStore,
        sessions: TaskSessionRegistry,
        log: ExecutionLog,
      ) => new WaitingTasksSweeper({ agent, waitingTtlSeconds, store, sessions, log }),
    },
    {
      provide: TaskAccess,
      inject: [A2A_AGENT_PATH, AgentParts],
      useFactory: (agent: string, parts: AgentParts) => new TaskAccess(agent, parts),
    },
    {
      provide: TaskStreams,
      inject: [TaskEventBus, A2A_SETTINGS],
      useFactory: (bus: TaskEventBus, settings: A2ASettings) => new TaskStreams(bus, settings),
    },
    {
      provide: RequestHandler,
      inject: [
        A2A_AGENT_PATH,
        A2A_SETTINGS,
        TaskStore,
        TaskSessionRegistry,
        AgentExecutions,
        TaskStreams,
        TaskAccess,
        AgentCardService,
      ],
      useFactory: (
        agent: string,
        settings: A2ASettings,
        store: TaskStore,
        sessions: TaskSessionRegistry,
        executions: AgentExecutions,
        streams: TaskStreams,
        access: TaskAccess,
        cards: AgentCardService,
      ) =>
        new DefaultRequestHandler({
          agent,
          settings,
          store,
          sessions,
          executions,
          streams,
          access,
          profile: () => cards.profile,
          extendedCard: (call) => cards.extendedCard(call),
        }),
    },
    {
      provide: OperationGate,
      inject: [RequestHandler, TenantResolver, AgentCardService],
      useFactory: (handler: RequestHandler, tenants: TenantResolver, cards: AgentCardService) =>
        new OperationGate({ handler, tenants, profile: () => cards.profile }),
    },
    {
      provide: A2ADiagnostics,
      inject: [RunScheduler, AgentExecutions, TaskSessionRegistry, OpenStreams, TaskStreams, TaskEventBus],
      useFactory: (
        scheduler: RunScheduler,
        executions: AgentExecutions,
        sessions: TaskSessionRegistry,
        openStreams: OpenStreams,
        { readers }: TaskStreams,
        bus: TaskEventBus,
      ) => new A2ADiagnostics({ scheduler, executions, sessions, openStreams, readers, bus }),
    },
  ];
}

const BINDING_SERVICES = Symbol('nestjs-a2a.binding-services');

function httpProviders(controllers: AgentControllers): FactoryProvider[] {
  return [
    { provide: OpenStreams, useFactory: () => new OpenStreams() },
    {
      provide: HttpMount,
      inject: [HttpAdapterHost, ApplicationConfig, A2A_SETTINGS, A2A_AGENT_PATH],
      useFactory: (host: HttpAdapterHost, app: ApplicationConfig, settings: A2ASettings, agentPath: string) =>
        new HttpMount(host, app, controllers, settings, agentPath),
    },
    {
      provide: AgentCardService,
      inject: [AgentCardProvider, HttpMount, A2A_LOGGER],
      useFactory: (provider: AgentCardProvider, mount: HttpMount, logger: LoggerService) =>
        new AgentCardService({
          provider,
          logger,
          interfaces: (baseUrl) => mount.interfaces(baseUrl),
          defaultBaseUrl: () => mount.baseUrl(),
        }),
    },
    {
      provide: CardHandler,
      inject: [AgentCardService, HttpMount],
      useFactory: (cards: AgentCardService, mount: HttpMount) => new CardHandler(cards, mount),
    },
    {
      provide: BINDING_SERVICES,
      inject: [A2A_SETTINGS, OperationGate, UserResolver, A2A_LOGGER, OpenStreams, A2AObserver],
      useFactory: (
        settings: A2ASettings,
        gate: OperationGate,
        users: UserResolver,
        logger: LoggerService,
        openStreams: OpenStreams,
        observer: A2AObserver,
      ): BindingServices => ({
        settings,
        gate,
        openStreams,
        observer,
        calls: new CallReader(users),
        failures: new FailureReporter(logger),
      }),
    },
    {
      provide: JsonRpcHandler,
      inject: [BINDING_SERVICES],
      useFactory: (services: BindingServices) => new JsonRpcHandler(services),
    },
    {
      provide: RestHandler,
      inject: [BINDING_SERVICES],
      useFactory: (services: BindingServices) => new RestHandler(services),
    },
  ];
}

function lifecycleProvider(): FactoryProvider {
  return {
    provide: A2ALifecycle,
    inject: [
      A2A_AGENT_PATH,
      A2A_SETTINGS,
      A2A_LOGGER,
      AgentParts,
      AgentCardService,
      HttpMount,
      AgentExecutions,
      OpenStreams,
      WaitingTasksSweeper,
    ],
    useFactory: (
      agentPath: string,
      settings: A2ASettings,
      logger: LoggerService,
      parts: AgentParts,
      cards: AgentCardService,
      mount: HttpMount,
      executions: AgentExecutions,
      openStreams: OpenStreams,
      sweeper: WaitingTasksSweeper,
    ) => new A2ALifecycle({ agentPath, settings, logger, parts, cards, mount, executions, openStreams, sweeper }),
  };
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}
