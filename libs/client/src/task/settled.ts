import { isInterrupted, isTerminal, type TaskState } from 'nestjs-a2a/protocol';

/** Has the task ended, or is it the client's turn? */
export function isSettled(state: TaskState | undefined): boolean {
  return state !== undefined && (isTerminal(state) || isInterrupted(state));
}
