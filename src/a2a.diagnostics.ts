import type { TaskEventBus } from './events/task-event-bus.js';
import type { AgentExecutions } from './execution/agent-executions.js';
import type { RunScheduler } from './execution/run-scheduler.js';
import type { TaskSessionRegistry } from './execution/task-session.registry.js';
import type { OpenStreams } from './http/host/open-streams.js';
import type { TaskReaders } from './operations/task-readers.js';

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
}

/** Where the numbers are read. */
export interface DiagnosticsSources {
  readonly scheduler: RunScheduler;
  readonly executions: AgentExecutions;
  readonly sessions: TaskSessionRegistry;
  readonly openStreams: OpenStreams;
  readonly readers: TaskReaders;
  readonly bus: TaskEventBus;
}

/**
 * Reads the live numbers of an agent, for metrics, health checks and tests.
 *
 * @publicApi
 */
export class A2ADiagnostics {
  constructor(private readonly sources: DiagnosticsSources) {}

  gauges(): A2AGauges {
    const { scheduler, executions, sessions, openStreams, readers, bus } = this.sources;
    const runs = scheduler.gauges();
    const events = bus.gauges();
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
    };
  }
}
