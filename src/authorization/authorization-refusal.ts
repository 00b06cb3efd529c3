import { HttpException } from '@nestjs/common';
import { PermissionDeniedError, TaskNotFoundError, UnauthenticatedError } from 'nestjs-a2a/protocol';

/** What a provider threw, in the protocol's terms where it is a Nest exception that says no; else as it is. */
export function refusalOf(thrown: unknown, taskId: string): unknown {
  switch (statusOf(thrown)) {
    case 401:
      return new UnauthenticatedError();
    case 403:
      return new PermissionDeniedError();
    case 404:
      return new TaskNotFoundError(taskId);
    default:
      return thrown;
  }
}

/** Whether it says that this caller may not, and not that nobody could tell. */
export function isDenial(refusal: unknown): boolean {
  return (
    refusal instanceof TaskNotFoundError ||
    refusal instanceof PermissionDeniedError ||
    refusal instanceof UnauthenticatedError
  );
}

function statusOf(thrown: unknown): number | undefined {
  try {
    return thrown instanceof HttpException ? thrown.getStatus() : undefined;
  } catch {
    // A proxy may refuse even `instanceof`, and an exception of the host's own making its status.
    return undefined;
  }
}
