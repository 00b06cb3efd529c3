import type { A2AObserver } from '../a2a.observer.js';
import type { A2ASettings } from '../a2a.options.js';
import type { TaskStore } from '../tasks/task-store.js';
import type { ExecutionLog } from './execution-log.js';
import type { ExecutorSource } from './executor.source.js';
import type { RunScheduler } from './run-scheduler.js';
import type { TaskSessionRegistry } from './task-session.registry.js';

/** What executions need of their agent. */
export interface ExecutionServices {
  readonly store: TaskStore;
  readonly settings: A2ASettings;
  readonly sessions: TaskSessionRegistry;
  readonly scheduler: RunScheduler;
  readonly executors: ExecutorSource;
  readonly observer: A2AObserver;
  readonly log: ExecutionLog;
}
