import type { Task } from 'nestjs-a2a/protocol';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';

/** What of a task a caller asked for. */
export interface TaskViewOptions {
  /** At most so many of the newest messages; absent: all; 0: no history. */
  readonly historyLength: number | undefined;
  /** Default true. */
  readonly artifacts?: boolean;
  readonly historyMaxRawBytes: number;
}

/** A task as a caller sees it. Shares its parts with the snapshot. */
export function taskView(snapshot: TaskSnapshot, options: TaskViewOptions): Task {
  const task = snapshot.toPublicTask(options.historyMaxRawBytes);
  const { historyLength, artifacts = true } = options;
  if (historyLength === undefined && artifacts) return task;
  const view = { ...task };
  if (!artifacts) delete view.artifacts;
  if (historyLength === 0) delete view.history;
  else if (historyLength !== undefined && view.history) view.history = view.history.slice(-historyLength);
  return view;
}
