import { InvalidParamsError, MethodNotFoundError, UnsupportedOperationError } from 'nestjs-a2a/protocol';

/** The task has ended, or the agent knows no subscriptions. */
export function cannotSubscribe(fault: unknown): boolean {
  return (
    fault instanceof UnsupportedOperationError ||
    fault instanceof InvalidParamsError ||
    fault instanceof MethodNotFoundError
  );
}
