import { TaskState } from '../types/enums.js';

const PREFIX = 'TASK_STATE_';
const STATES: ReadonlyMap<string, TaskState> = new Map(Object.values(TaskState).map((state) => [state, state]));

/** A state as the older exchange writes it: `input_required` for `TASK_STATE_INPUT_REQUIRED`. */
export function toOlderState(state: TaskState): string {
  return state.slice(PREFIX.length).toLowerCase();
}

/** The state that an older peer means, in any letter case, with dashes or underscores; undefined for an unknown one. */
export function fromOlderState(text: string): TaskState | undefined {
  const name = text.toUpperCase().replaceAll('-', '_');
  return STATES.get(name.startsWith(PREFIX) ? name : PREFIX + name);
}
