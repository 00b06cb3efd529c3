import { A2AError, type A2AErrorDetails } from './a2a-error.js';
import { printable } from './printable.js';

/** Nobody knows who calls. */
export class UnauthenticatedError extends A2AError {
  static readonly reason = 'UNAUTHENTICATED';
  /** Value for the `WWW-Authenticate` header. */
  readonly challenge?: string;

  /** @param challenge value for the `WWW-Authenticate` header */
  constructor(challenge?: string, details: A2AErrorDetails = {}) {
    super(UnauthenticatedError.reason, 'Authentication is required', details);
    if (challenge !== undefined) this.challenge = printable(challenge, 1000);
  }
}

/** The caller is known and may not do this. */
export class PermissionDeniedError extends A2AError {
  static readonly reason = 'PERMISSION_DENIED';

  constructor(message = 'Permission denied', details: A2AErrorDetails = {}) {
    super(PermissionDeniedError.reason, message, details);
  }
}

/** Too much at once: a quota or a rate is used up. */
export class ResourceExhaustedError extends A2AError {
  static readonly reason = 'RESOURCE_EXHAUSTED';

  /** @param retryAfterSeconds sent as `Retry-After` */
  constructor(message = 'Too many requests', retryAfterSeconds?: number, details: A2AErrorDetails = {}) {
    super(ResourceExhaustedError.reason, message, {
      ...details,
      retryAfterSeconds: retryAfterSeconds ?? details.retryAfterSeconds,
    });
  }
}
