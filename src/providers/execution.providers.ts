import type { FactoryProvider, LoggerService } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { A2A_AGENT_PATH, A2A_LOGGER, A2A_SETTINGS } from '../a2a.constants.js';
import { A2AObserver } from '../a2a.observer.js';
import type { A2ASettings } from '../a2a.options.js';
import { AgentParts } from '../agent/agent-parts.js';
import { TaskEventBus } from '../events/task-event-bus.js';
import { AgentExecutions } from '../execution/agent-executions.js';
import { ExecutionLog } from '../execution/execution-log.js';
import { RunScheduler } from '../execution/run-scheduler.js';
import { TaskSessionRegistry } from '../execution/task-session.registry.js';
import { WaitingTasksSweeper } from '../execution/waiting-tasks.sweeper.js';
import { TaskStore } from '../tasks/task-store.js';

/** What runs the agent: its parts, the sessions of its tasks, and its executions. */
export function executionProviders(): FactoryProvider[] {
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
        new TaskSessionRegistry({
          store,
          bus,
          settings,
          storeFailed: (key, error) => log.storeFailed(key, error),
          busFailed: (key, error) => log.busFailed(key, error),
        }),
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
  ];
}
