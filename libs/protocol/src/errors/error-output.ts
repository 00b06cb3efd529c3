import type { FieldViolation } from '../types/violation.js';
import { A2AError } from './a2a-error.js';
import { type ErrorRow, errorRowOf, type ErrorSurface, type SpecRevision } from './error-catalog.js';

/** `domain` of every `ErrorInfo` of the protocol. */
export const ERROR_DOMAIN = 'a2a-protocol.org';

export const ERROR_INFO_TYPE = 'type.googleapis.com/google.rpc.ErrorInfo';
export const BAD_REQUEST_TYPE = 'type.googleapis.com/google.rpc.BadRequest';

/** `google.rpc.ErrorInfo` as ProtoJSON `Any`. */
export interface ErrorInfoDetail {
  '@type': typeof ERROR_INFO_TYPE;
  reason: string;
  domain: string;
  metadata?: Readonly<Record<string, string>>;
}

/** `google.rpc.BadRequest` as ProtoJSON `Any`. */
export interface BadRequestDetail {
  '@type': typeof BAD_REQUEST_TYPE;
  fieldViolations: readonly FieldViolation[];
}

/** An entry of `error.data` (JSON-RPC) and `error.details` (REST). */
export type ErrorDetail = ErrorInfoDetail | BadRequestDetail;

/** The `error` member of a JSON-RPC answer. */
export interface JsonRpcErrorObject {
  code: number;
  message: string;
  data: ErrorDetail[];
}

/**
 * Body of a REST error: `google.rpc.Status`, wrapped.
 *
 * @see A2A 1.0, section 11.6
 */
export interface StatusBody {
  error: {
    /** The HTTP status. */
    code: number;
    /** Name of a `google.rpc.Code`. */
    status: string;
    message: string;
    details: ErrorDetail[];
  };
}

const DEFAULT_REVISION: SpecRevision = '1.0.1';
const JSON_RPC_HTTP_STATUSES: ReadonlySet<number> = new Set([401, 403, 413, 429, 503]);

/** An error of a user's own code is, to the protocol, an internal one. */
function rowOf(error: A2AError): ErrorRow {
  const row = errorRowOf(error.code) ?? errorRowOf('INTERNAL_ERROR');
  if (row === undefined) throw new Error('The error catalog has no row for internal errors');
  return row;
}

function surfaceOf(error: A2AError, revision: SpecRevision): ErrorSurface {
  return rowOf(error).surface[revision];
}

/**
 * What goes along with the message: always `ErrorInfo`, and `BadRequest` when fields are at fault.
 *
 * @see A2A 1.0, section 9.5
 */
export function errorDetails(error: A2AError): ErrorDetail[] {
  const info: ErrorInfoDetail = { '@type': ERROR_INFO_TYPE, reason: error.code, domain: ERROR_DOMAIN };
  if (Object.keys(error.metadata).length > 0) info.metadata = error.metadata;
  return error.violations.length === 0
    ? [info]
    : [info, { '@type': BAD_REQUEST_TYPE, fieldViolations: error.violations }];
}

/** An error as the `error` member of a JSON-RPC answer. Foreign errors are masked, see {@link A2AError.from}. */
export function toJsonRpcError(error: unknown): JsonRpcErrorObject {
  const known = A2AError.from(error);
  return { code: rowOf(known).jsonRpcCode, message: known.message, data: errorDetails(known) };
}

/** HTTP status of a JSON-RPC answer that carries this error: 200, save for access, size and load (401, 403, 413, 429, 503). */
export function jsonRpcHttpStatus(error: unknown): number {
  const { http } = surfaceOf(A2AError.from(error), DEFAULT_REVISION);
  return JSON_RPC_HTTP_STATUSES.has(http) ? http : 200;
}

/** An error as HTTP status and body of the REST binding. Foreign errors are masked, see {@link A2AError.from}. */
export function toStatusBody(
  error: unknown,
  revision: SpecRevision = DEFAULT_REVISION,
): { status: number; body: StatusBody } {
  const known = A2AError.from(error);
  const { http, status } = surfaceOf(known, revision);
  return {
    status: http,
    body: { error: { code: http, status, message: known.message, details: errorDetails(known) } },
  };
}

/** The gRPC status code of an error. */
export function grpcStatus(error: unknown, revision: SpecRevision = DEFAULT_REVISION): number {
  return surfaceOf(A2AError.from(error), revision).grpc;
}
