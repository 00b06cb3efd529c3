import type { FieldViolation } from '../types/violation.js';
import { A2AError, type A2AErrorDetails } from './a2a-error.js';
import { printable } from './printable.js';

/** The body is not JSON. */
export class JSONParseError extends A2AError {
  static readonly reason = 'JSON_PARSE';

  constructor(message = 'Invalid JSON payload', details: A2AErrorDetails = {}) {
    super(JSONParseError.reason, message, details);
  }
}

/** The envelope is not what JSON-RPC 2.0 asks for. */
export class InvalidRequestError extends A2AError {
  static readonly reason = 'INVALID_REQUEST';

  constructor(message = 'Request payload validation error', details: A2AErrorDetails = {}) {
    super(InvalidRequestError.reason, message, details);
  }
}

/** There is no such method. */
export class MethodNotFoundError extends A2AError {
  static readonly reason = 'METHOD_NOT_FOUND';

  /**
   * @param method as the caller wrote it
   * @param hint a sentence that helps, e.g. the name to use instead
   */
  constructor(method: string, hint?: string, details: A2AErrorDetails = {}) {
    const name = printable(method);
    super(
      MethodNotFoundError.reason,
      `Method not found${name === '' ? '' : `: ${name}`}${hint === undefined ? '' : `. ${hint}`}`,
      name === '' ? details : { ...details, metadata: { ...details.metadata, method: name } },
    );
  }
}

/** Parameters are missing or wrong. */
export class InvalidParamsError extends A2AError {
  static readonly reason = 'INVALID_PARAMS';

  /** @param problem what is wrong with which fields, or a sentence */
  constructor(problem: readonly FieldViolation[] | string = [], details: A2AErrorDetails = {}) {
    const violations = typeof problem === 'string' ? details.violations : problem;
    super(InvalidParamsError.reason, typeof problem === 'string' ? problem : summary(problem), {
      ...details,
      violations,
    });
  }
}

/** The body is larger than the server reads. */
export class PayloadTooLargeError extends A2AError {
  static readonly reason = 'PAYLOAD_TOO_LARGE';

  /** @param maxBytes what the server reads at most; 0 = not known */
  constructor(maxBytes: number, details: A2AErrorDetails = {}) {
    super(
      PayloadTooLargeError.reason,
      maxBytes > 0 ? `The request is larger than ${maxBytes} bytes` : 'The request is too large',
      maxBytes > 0 ? { ...details, metadata: { ...details.metadata, maxBytes: String(maxBytes) } } : details,
    );
  }
}

function summary(violations: readonly FieldViolation[]): string {
  const first = violations[0];
  if (first === undefined) return 'Invalid parameters';
  const where = first.field === '' ? '' : `${first.field} `;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return `Invalid parameters: ${where}${first.description}${more}`;
}
