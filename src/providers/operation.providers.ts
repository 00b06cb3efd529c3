import type { FactoryProvider } from '@nestjs/common';
import { A2A_AGENT_PATH, A2A_SETTINGS } from '../a2a.constants.js';
import type { A2ASettings } from '../a2a.options.js';
import { AgentParts } from '../agent/agent-parts.js';
import { TenantResolver } from '../authorization/tenant.resolver.js';
import { TaskEventBus } from '../events/task-event-bus.js';
import { AgentExecutions } from '../execution/agent-executions.js';
import { TaskSessionRegistry } from '../execution/task-session.registry.js';
import { AgentCardService } from '../http/card/agent-card.service.js';
import { DefaultRequestHandler } from '../operations/default-request-handler.js';
import { OperationGate } from '../operations/operation.gate.js';
import { RequestHandler } from '../operations/request-handler.js';
import { TaskAccess } from '../operations/task-access.js';
import { TaskStreams } from '../operations/task-streams.js';
import { PushNotificationOperations } from '../push/push-notification.operations.js';
import { TaskStore } from '../tasks/task-store.js';

/** What the protocol's operations are made of, and the one gate before them. */
export function operationProviders(): FactoryProvider[] {
  return [
    {
      provide: TaskAccess,
      inject: [A2A_AGENT_PATH, AgentParts, A2A_SETTINGS],
      useFactory: (agent: string, parts: AgentParts, { agentTimeoutSeconds }: A2ASettings) =>
        new TaskAccess(agent, parts, agentTimeoutSeconds * 1000),
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
        PushNotificationOperations,
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
        push: PushNotificationOperations,
      ) =>
        new DefaultRequestHandler({
          agent,
          settings,
          store,
          sessions,
          executions,
          streams,
          access,
          push,
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
  ];
}
