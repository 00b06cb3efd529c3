import type { TaskEventBus } from './events/task-event-bus.js';
import type { AgentExecutions } from './execution/agent-executions.js';
import type { RunScheduler } from './execution/run-scheduler.js';
import type { TaskSessionRegistry } from './execution/task-session.registry.js';
import type { OpenStreams } from './http/host/open-streams.js';
import type { TaskReaders } from './operations/task-readers.js';
import type { PushNotificationSender } from './push/push-notification-sender.js';
import type { PushSubscriptions } from './push/push-subscriptions.js';

/** The live numbers of an agent. Without load every one but those of the replay window is zero. */
export interface A2AGauges {
  /** Executions that hold a slot. */
  readonly runsRunning: number;
  /** Executions that wait for a slot. */
  readonly runsQueued: number;
  /** Executions that are not over: queued, running, detached. */
  readonly runsLive: number;
  /** Tasks that somebody is changing. */
  readonly sessions: number;
  /** Streams over HTTP that are open. */
  readonly openStreams: number;
  /** Streams that follow a task, over any binding. */
  readonly readers: number;
  /** Subscriptions to the event bus. */
  readonly busSubscribers: number;
  /** Tasks of which the bus keeps events. */
  readonly busTasks: number;
  /** Bytes that the bus keeps for readers who come back. */
  readonly replayBytes: number;
  /** Push notification configs of tasks that have not ended, as far as this process follows them. */
  readonly pushConfigs: number;
  /** Push notifications that wait, those under way included. */
  readonly pushQueued: number;
  /** Their bytes. */
  readonly pushBytes: number;
  /** Push notifications under way. */
  readonly pushInFlight: number;
}

/** Where the numbers are read. */
export interface DiagnosticsSources {
  readonly scheduler: RunScheduler;
  readonly executions: AgentExecutions;
  readonly sessions: TaskSessionRegistry;
  readonly openStreams: OpenStreams;
  readonly readers: TaskReaders;
  readonly bus: TaskEventBus;
  readonly push: { readonly subscriptions: PushSubscriptions; readonly sender: PushNotificationSender };
}

/**
 * Reads the live numbers of an agent, for metrics, health checks and tests.
 *
 * @publicApi
 */
export class A2ADiagnostics {
  constructor(private readonly sources: DiagnosticsSources) {}

  gauges(): A2AGauges {
    const { scheduler, executions, sessions, openStreams, readers, bus, push } = this.sources;
    const runs = scheduler.gauges();
    const events = bus.gauges();
    const notifications = push.sender.gauges();
    return {
      runsRunning: runs.running,
      runsQueued: runs.queued,
      runsLive: executions.size,
      sessions: sessions.size,
      openStreams: openStreams.size,
      readers: readers.size,
      busSubscribers: events.subscribers,
      busTasks: events.tasks,
      replayBytes: events.replayBytes,
      pushConfigs: push.subscriptions.size,
      pushQueued: notifications.queued,
      pushBytes: notifications.bytes,
      pushInFlight: notifications.inFlight,
    };
  }
}
