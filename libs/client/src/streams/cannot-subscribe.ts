import { InternalError, InvalidParamsError, MethodNotFoundError, UnsupportedOperationError } from 'nestjs-a2a/protocol';

/**
 * The task has ended, or the agent knows no subscriptions. An internal error counts too: the Python SDK has no other
 * for peers of 0.3. Whether the task is well shows when it is asked for.
 */
export function cannotSubscribe(fault: unknown): boolean {
  return (
    fault instanceof UnsupportedOperationError ||
    fault instanceof InvalidParamsError ||
    fault instanceof MethodNotFoundError ||
    fault instanceof InternalError
  );
}
