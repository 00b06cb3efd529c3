import type { FactoryProvider } from '@nestjs/common';
import { A2A_SETTINGS } from '../a2a.constants.js';
import { A2AObserver, SilentObserver } from '../a2a.observer.js';
import type { A2ASettings } from '../a2a.options.js';
import { AgentCardProvider } from '../agent/card/agent-card.provider.js';
import { StaticAgentCardProvider } from '../agent/card/static-agent-card.provider.js';
import { AnyTenantResolver, TenantResolver } from '../authorization/tenant.resolver.js';
import { RequestUserResolver, UserResolver } from '../authorization/user.resolver.js';
import { RxJsTaskEventBus } from '../events/rxjs-task-event-bus.js';
import { TaskEventBus } from '../events/task-event-bus.js';
import { InProcessRunScheduler } from '../execution/in-process-run-scheduler.js';
import { RunScheduler } from '../execution/run-scheduler.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';
import { TaskStore } from '../tasks/task-store.js';

/** The defaults of what a host may replace. */
export function seamProviders(): FactoryProvider[] {
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
