import { type A2AError, type A2AErrorDetails, InternalError, UnavailableError } from './a2a-error.js';
import { PermissionDeniedError, ResourceExhaustedError, UnauthenticatedError } from './access-errors.js';
import {
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InvalidAgentResponseError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from './protocol-errors.js';
import {
  InvalidParamsError,
  InvalidRequestError,
  JSONParseError,
  MethodNotFoundError,
  PayloadTooLargeError,
} from './request-errors.js';

/** The revisions of the 1.0 text that differ in how errors look on the wire. */
export type SpecRevision = '1.0.0' | '1.0.1';

/** Numbers of the `google.rpc.Code` names in use, which are the gRPC status codes. */
export const GRPC_CODES = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** Name of a `google.rpc.Code`. */
export type RpcStatusName = keyof typeof GRPC_CODES;

/** How an error looks on HTTP and gRPC. */
export interface ErrorSurface {
  /** HTTP status. */
  readonly http: number;
  /** `google.rpc.Code` name. */
  readonly status: RpcStatusName;
  /** gRPC status code. */
  readonly grpc: number;
}

/** One kind of error. */
export interface ErrorRow {
  /** `ErrorInfo.reason`, and the `code` of the class. */
  readonly reason: string;
  /** The class. */
  readonly type: abstract new (...args: never[]) => A2AError;
  /** JSON-RPC error code. */
  readonly jsonRpcCode: number;
  /** How it looks, for each revision of the text. */
  readonly surface: Readonly<Record<SpecRevision, ErrorSurface>>;
  /** Makes the error anew from what came over the wire. */
  readonly revive: (details: A2AErrorDetails) => A2AError;
}

function surface(http: number, status: RpcStatusName): ErrorSurface {
  return { http, status, grpc: GRPC_CODES[status] };
}

function row(
  type: ErrorRow['type'] & { readonly reason: string },
  jsonRpcCode: number,
  revive: ErrorRow['revive'],
  current: ErrorSurface,
  older: ErrorSurface = current,
): ErrorRow {
  return { reason: type.reason, type, jsonRpcCode, surface: { '1.0.0': older, '1.0.1': current }, revive };
}

const invalid = surface(400, 'INVALID_ARGUMENT');
const failed = surface(400, 'FAILED_PRECONDITION');
const unimplemented = surface(400, 'UNIMPLEMENTED');

/**
 * Every kind of error, once: its class, its JSON-RPC code, and its HTTP and gRPC status in both revisions.
 *
 * @see A2A 1.0, section 5.4
 */
export const ERROR_CATALOG: readonly ErrorRow[] = [
  row(TaskNotFoundError, -32001, (d) => new TaskNotFoundError('', d), surface(404, 'NOT_FOUND')),
  row(
    TaskNotCancelableError,
    -32002,
    (d) => new TaskNotCancelableError('', undefined, d),
    failed,
    surface(409, 'FAILED_PRECONDITION'),
  ),
  row(
    PushNotificationNotSupportedError,
    -32003,
    (d) => new PushNotificationNotSupportedError(undefined, d),
    failed,
    unimplemented,
  ),
  row(UnsupportedOperationError, -32004, (d) => new UnsupportedOperationError(undefined, d), failed, unimplemented),
  row(
    ContentTypeNotSupportedError,
    -32005,
    (d) => new ContentTypeNotSupportedError(undefined, d),
    invalid,
    surface(415, 'INVALID_ARGUMENT'),
  ),
  row(
    InvalidAgentResponseError,
    -32006,
    (d) => new InvalidAgentResponseError(undefined, d),
    surface(500, 'INTERNAL'),
    surface(502, 'INTERNAL'),
  ),
  row(
    ExtendedAgentCardNotConfiguredError,
    -32007,
    (d) => new ExtendedAgentCardNotConfiguredError(undefined, d),
    failed,
  ),
  row(ExtensionSupportRequiredError, -32008, (d) => new ExtensionSupportRequiredError([], d), failed),
  row(VersionNotSupportedError, -32009, (d) => new VersionNotSupportedError('', [], d), failed, unimplemented),
  row(JSONParseError, -32700, (d) => new JSONParseError(undefined, d), invalid),
  row(InvalidRequestError, -32600, (d) => new InvalidRequestError(undefined, d), invalid),
  row(MethodNotFoundError, -32601, (d) => new MethodNotFoundError('', undefined, d), surface(404, 'NOT_FOUND')),
  row(InvalidParamsError, -32602, (d) => new InvalidParamsError(d.violations, d), invalid),
  row(InternalError, -32603, (d) => new InternalError('', d), surface(500, 'INTERNAL')),
  row(UnauthenticatedError, -32090, (d) => new UnauthenticatedError(undefined, d), surface(401, 'UNAUTHENTICATED')),
  row(PermissionDeniedError, -32091, (d) => new PermissionDeniedError(undefined, d), surface(403, 'PERMISSION_DENIED')),
  row(
    ResourceExhaustedError,
    -32092,
    (d) => new ResourceExhaustedError(undefined, undefined, d),
    surface(429, 'RESOURCE_EXHAUSTED'),
  ),
  row(UnavailableError, -32093, (d) => new UnavailableError(undefined, undefined, d), surface(503, 'UNAVAILABLE')),
  row(PayloadTooLargeError, -32600, (d) => new PayloadTooLargeError(0, d), surface(413, 'INVALID_ARGUMENT')),
];

const byReason: ReadonlyMap<string, ErrorRow> = new Map(ERROR_CATALOG.map((entry) => [entry.reason, entry]));

// The first row of a code wins: -32600 alone means InvalidRequest, PayloadTooLarge is told by its reason or by 413.
const byJsonRpcCode: ReadonlyMap<number, ErrorRow> = new Map(
  [...ERROR_CATALOG].reverse().map((entry) => [entry.jsonRpcCode, entry]),
);

/** The row of a reason. */
export function errorRowOf(reason: string): ErrorRow | undefined {
  return byReason.get(reason);
}

/** The row of a JSON-RPC code; where two rows share a code, the more general one. */
export function errorRowOfJsonRpcCode(code: number): ErrorRow | undefined {
  return byJsonRpcCode.get(code);
}
