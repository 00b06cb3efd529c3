import type { FactoryProvider, LoggerService } from '@nestjs/common';
import { A2A_AGENT_PATH, A2A_LOGGER, A2A_SETTINGS } from '../a2a.constants.js';
import { A2ADiagnostics } from '../a2a.diagnostics.js';
import { A2ALifecycle } from '../a2a.lifecycle.js';
import type { A2ASettings } from '../a2a.options.js';
import { AgentParts } from '../agent/agent-parts.js';
import { TaskEventBus } from '../events/task-event-bus.js';
import { AgentExecutions } from '../execution/agent-executions.js';
import { RunScheduler } from '../execution/run-scheduler.js';
import { TaskSessionRegistry } from '../execution/task-session.registry.js';
import { WaitingTasksSweeper } from '../execution/waiting-tasks.sweeper.js';
import { AgentCardService } from '../http/card/agent-card.service.js';
import { OpenStreams } from '../http/host/open-streams.js';
import { HttpMount } from '../http/http-mount.js';
import { TaskStreams } from '../operations/task-streams.js';
import { PushNotificationSender } from '../push/push-notification-sender.js';
import { PushSubscriptions } from '../push/push-subscriptions.js';

/** What the host app sees of the agent: its coming and going, and its live numbers. */
export function hostProviders(): FactoryProvider[] {
  return [
    {
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
        PushNotificationSender,
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
        push: PushNotificationSender,
      ) =>
        new A2ALifecycle({ agentPath, settings, logger, parts, cards, mount, executions, openStreams, sweeper, push }),
    },
    {
      provide: A2ADiagnostics,
      inject: [
        RunScheduler,
        AgentExecutions,
        TaskSessionRegistry,
        OpenStreams,
        TaskStreams,
        TaskEventBus,
        PushSubscriptions,
        PushNotificationSender,
      ],
      useFactory: (
        scheduler: RunScheduler,
        executions: AgentExecutions,
        sessions: TaskSessionRegistry,
        openStreams: OpenStreams,
        { readers }: TaskStreams,
        bus: TaskEventBus,
        subscriptions: PushSubscriptions,
        sender: PushNotificationSender,
      ) =>
        new A2ADiagnostics({
          scheduler,
          executions,
          sessions,
          openStreams,
          readers,
          bus,
          push: { subscriptions, sender },
        }),
    },
  ];
}
