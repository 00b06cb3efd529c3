import type { A2ASettings } from '../a2a.options.js';
import type { TaskEventBus } from '../events/task-event-bus.js';
import type { TaskKey } from '../tasks/task-record.js';
import type { TaskStore } from '../tasks/task-store.js';

/** What a session needs of its agent. */
export interface SessionServices {
  readonly store: TaskStore;
  readonly bus: TaskEventBus;
  readonly settings: A2ASettings;
  /** Told when a task could not be stored. */
  storeFailed(key: TaskKey, error: unknown): void;
  /** Told when the events of a task could not be handed out. */
  busFailed(key: TaskKey, error: unknown): void;
}
