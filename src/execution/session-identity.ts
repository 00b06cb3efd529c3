import type { TaskKey } from '../tasks/task-record.js';

/** Which task, and whose. */
export interface SessionIdentity {
  readonly key: TaskKey;
  readonly owner: string;
  readonly contextId: string;
}
