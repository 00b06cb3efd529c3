import { HttpException, type LoggerService } from '@nestjs/common';
import {
  A2AError,
  InternalError,
  InvalidRequestError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ResourceExhaustedError,
  UnauthenticatedError,
  UnavailableError,
} from 'nestjs-a2a/protocol';
import { stackOfThrown } from '../thrown-value.js';
import { StreamNotOpenedError } from './host/event-stream.js';

/**
 * Makes the one A2A error of whatever went wrong in a call, and logs what callers must not see, under the correlation
 * id that they do see.
 */
export class FailureReporter {
  constructor(private readonly logger: LoggerService) {}

  report(failure: unknown): A2AError {
    const error = errorOf(failure);
    if (error instanceof InternalError) {
      const id = error.metadata.correlationId ?? 'none';
      this.logger.error(`A call failed (correlation id ${id})`, stackOfThrown(error.cause));
    }
    return error;
  }
}

function errorOf(failure: unknown): A2AError {
  try {
    if (failure instanceof HttpException) return fromHttpException(failure);
    if (failure instanceof StreamNotOpenedError) return new UnavailableError('The server is stopping', 1);
  } catch {
    // A proxy may refuse even `instanceof`, and an exception of the host's own making its status.
  }
  return A2AError.from(failure);
}

/** What guards and interceptors of the host throw, in the protocol's own terms. */
function fromHttpException(exception: HttpException): A2AError {
  const status = exception.getStatus();
  switch (status) {
    case 401:
      return new UnauthenticatedError();
    case 403:
      return new PermissionDeniedError();
    case 413:
      return new PayloadTooLargeError(0);
    case 429:
      return new ResourceExhaustedError('Too many requests');
    case 503:
      return new UnavailableError();
  }
  if (status >= 500) return A2AError.from(exception.cause ?? exception);
  return new InvalidRequestError(exception.message);
}
