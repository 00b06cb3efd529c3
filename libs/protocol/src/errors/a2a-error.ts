import { randomUUID } from 'node:crypto';
import type { FieldViolation } from '../types/violation.js';
import { printable } from './printable.js';

// In the global registry, so that two copies of this package know each other's errors.
const BRAND: unique symbol = Symbol.for('nestjs-a2a.error');
const MAX_MESSAGE_LENGTH = 1000;
const MAX_METADATA_ENTRIES = 32;
const MAX_METADATA_LENGTH = 2048;

/** What an error may carry besides its code. */
export interface A2AErrorDetails {
  /** Instead of the standard message. */
  message?: string;
  /** Goes to the caller, in `ErrorInfo.metadata`. */
  metadata?: Readonly<Record<string, string>>;
  /** Goes to the caller, as `BadRequest`. */
  violations?: readonly FieldViolation[];
  /** After how many seconds it is worth trying again. */
  retryAfterSeconds?: number;
  /** For the log; never sent. */
  cause?: unknown;
}

/**
 * Base of every error the protocol knows. `instanceof` holds across copies of this package.
 *
 * @see A2A 1.0, section 3.3.2
 */
export class A2AError extends Error {
  /** Stable name of the kind of error, e.g. `TASK_NOT_FOUND`; sent as `ErrorInfo.reason`. */
  readonly code: string;
  /** Sent as `ErrorInfo.metadata`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Sent as `BadRequest.fieldViolations`. */
  readonly violations: readonly FieldViolation[];
  /** After how many seconds it is worth trying again. */
  readonly retryAfterSeconds?: number;

  /**
   * @param code reason in UPPER_SNAKE_CASE
   * @param message for the caller; control characters are taken out
   */
  constructor(code: string, message: string, details: A2AErrorDetails = {}) {
    super(
      printable(details.message ?? message, MAX_MESSAGE_LENGTH),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = new.target.name;
    this.code = code;
    this.metadata = cleanMetadata(details.metadata, details.retryAfterSeconds);
    this.violations = details.violations ?? [];
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // Classes made by users have no code of their own: for them the prototype chain decides, as usual.
    if (this === A2AError) return isBranded(value);
    if (hasOwnReason(this)) return isBranded(value) && value.code === this.reason;
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /**
   * Makes an A2A error of whatever was thrown. Ours pass; a time-out or an abort is {@link UnavailableError};
   * everything else becomes an {@link InternalError} whose message says nothing about the cause. Never throws, whatever
   * was thrown.
   *
   * @param correlationId makes the id that ties the answer to the log; a random UUID by default
   */
  static from(error: unknown, correlationId: () => string = randomUUID): A2AError {
    if (isBranded(error)) return error;
    if (isNamed(error, 'TimeoutError'))
      return new UnavailableError('The operation timed out', undefined, { cause: error });
    if (isNamed(error, 'AbortError'))
      return new UnavailableError('The operation was aborted', undefined, { cause: error });
    return new InternalError(correlationId(), { cause: error });
  }
}

/** Something broke that is none of the caller's business; the message is masked, the id leads to the log. */
export class InternalError extends A2AError {
  static readonly reason = 'INTERNAL_ERROR';

  /** @param correlationId sent to the caller, logged with the cause */
  constructor(correlationId: string, details: A2AErrorDetails = {}) {
    super(InternalError.reason, 'Internal error', {
      ...details,
      metadata: correlationId === '' ? details.metadata : { ...details.metadata, correlationId },
    });
  }
}

/** Not now: the server is stopping, full, or something it needs is gone. */
export class UnavailableError extends A2AError {
  static readonly reason = 'UNAVAILABLE';

  /** @param retryAfterSeconds sent as `Retry-After` */
  constructor(message = 'The service is unavailable', retryAfterSeconds?: number, details: A2AErrorDetails = {}) {
    super(UnavailableError.reason, message, {
      ...details,
      retryAfterSeconds: retryAfterSeconds ?? details.retryAfterSeconds,
    });
  }
}

// Anything can be thrown, and a proxy or a getter may throw again when it is looked at.
function isBranded(value: unknown): value is A2AError {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return BRAND in value && value[BRAND] === true && 'code' in value && typeof value.code === 'string';
  } catch {
    return false;
  }
}

function hasOwnReason(type: object): type is { readonly reason: string } {
  return Object.hasOwn(type, 'reason');
}

function isNamed(error: unknown, name: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  try {
    return 'name' in error && error.name === name;
  } catch {
    return false;
  }
}

function cleanMetadata(
  metadata: Readonly<Record<string, string>> | undefined,
  retryAfterSeconds: number | undefined,
): Readonly<Record<string, string>> {
  const clean: Record<string, string> = {};
  for (const [key, value] of Object.entries(metadata ?? {}).slice(0, MAX_METADATA_ENTRIES)) {
    if (key !== '__proto__') clean[printable(key)] = printable(value, MAX_METADATA_LENGTH);
  }
  // JSON-RPC frames in a stream have no Retry-After header.
  if (retryAfterSeconds !== undefined) clean['retryAfterSeconds'] = String(retryAfterSeconds);
  return Object.freeze(clean);
}
