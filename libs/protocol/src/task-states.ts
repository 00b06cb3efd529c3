import { TaskState } from './types/enums.js';

const TERMINAL: ReadonlySet<string> = new Set<TaskState>([
  TaskState.COMPLETED,
  TaskState.FAILED,
  TaskState.CANCELED,
  TaskState.REJECTED,
]);

const INTERRUPTED: ReadonlySet<string> = new Set<TaskState>([TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]);

const { UNSPECIFIED, SUBMITTED, WORKING, COMPLETED, FAILED, CANCELED, INPUT_REQUIRED, REJECTED, AUTH_REQUIRED } =
  TaskState;

const STRICT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  [UNSPECIFIED]: [SUBMITTED],
  [SUBMITTED]: [WORKING, INPUT_REQUIRED, AUTH_REQUIRED, REJECTED, FAILED, CANCELED],
  [WORKING]: [INPUT_REQUIRED, AUTH_REQUIRED, COMPLETED, FAILED, CANCELED],
  [INPUT_REQUIRED]: [WORKING, REJECTED, FAILED, CANCELED],
  [AUTH_REQUIRED]: [WORKING, REJECTED, FAILED, CANCELED],
  [COMPLETED]: [],
  [FAILED]: [],
  [CANCELED]: [],
  [REJECTED]: [],
};

/** Options of {@link canTransition}. */
export interface TransitionOptions {
  /** `true`: only the steps of a narrow state machine, no state twice in a row. */
  strict?: boolean;
}

/**
 * Is this an end (COMPLETED, FAILED, CANCELED, REJECTED)?
 *
 * @see A2A 1.0, section 4.1.3
 */
export function isTerminal(state: TaskState): boolean {
  return TERMINAL.has(state);
}

/**
 * Does the task wait for the client (INPUT_REQUIRED, AUTH_REQUIRED)?
 *
 * @see A2A 1.0, section 4.1.3
 */
export function isInterrupted(state: TaskState): boolean {
  return INTERRUPTED.has(state);
}

/**
 * May a task go from one state to another? By default every step out of a state that is no end is allowed, except
 * back to UNSPECIFIED or SUBMITTED; a repeated state is progress.
 */
export function canTransition(from: TaskState, to: TaskState, options: TransitionOptions = {}): boolean {
  if (options.strict === true) return STRICT[from].includes(to);
  return !TERMINAL.has(from) && to !== UNSPECIFIED && to !== SUBMITTED;
}
