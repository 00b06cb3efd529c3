import { isRecord } from '../is-record.js';
import type { FieldViolation } from '../types/violation.js';
import { A2AError, type A2AErrorDetails } from './a2a-error.js';
import { errorRowOf, errorRowOfJsonRpcCode, type ErrorRow } from './error-catalog.js';
import { BAD_REQUEST_TYPE, ERROR_DOMAIN, ERROR_INFO_TYPE } from './error-output.js';
import { printable } from './printable.js';

const MAX_VIOLATIONS = 32;
const MAX_DETAILS = 32;
const REASON = /^[A-Z][A-Z0-9_]{0,62}$/;

// What other implementations call the same thing.
const REASON_ALIASES: ReadonlyMap<string, string> = new Map([
  ['INTERNAL', 'INTERNAL_ERROR'],
  ['JSON_PARSE_ERROR', 'JSON_PARSE'],
  ['AUTHENTICATION_FAILED', 'UNAUTHENTICATED'],
]);

const STATUS_REASONS: ReadonlyMap<string, string> = new Map([
  ['INVALID_ARGUMENT', 'INVALID_PARAMS'],
  ['NOT_FOUND', 'TASK_NOT_FOUND'],
  ['PERMISSION_DENIED', 'PERMISSION_DENIED'],
  ['RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED'],
  ['FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
  ['UNIMPLEMENTED', 'UNSUPPORTED_OPERATION'],
  ['INTERNAL', 'INTERNAL_ERROR'],
  ['UNAVAILABLE', 'UNAVAILABLE'],
  ['DEADLINE_EXCEEDED', 'UNAVAILABLE'],
  ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
]);

const HTTP_REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_PARAMS'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  // Without a body of ours a 404 speaks of the address, not of a task.
  [404, 'METHOD_NOT_FOUND'],
  [405, 'METHOD_NOT_FOUND'],
  [408, 'UNAVAILABLE'],
  [409, 'TASK_NOT_CANCELABLE'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [415, 'CONTENT_TYPE_NOT_SUPPORTED'],
  [422, 'INVALID_PARAMS'],
  [429, 'RESOURCE_EXHAUSTED'],
  [501, 'UNSUPPORTED_OPERATION'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'UNAVAILABLE'],
]);

/** What is known of an error besides what came in its body. */
export type ErrorCircumstances = Pick<A2AErrorDetails, 'retryAfterSeconds' | 'cause'>;

interface WireDetails {
  reason?: string;
  metadata?: Record<string, string>;
  violations?: FieldViolation[];
}

/**
 * Makes an error of the `error` member of a JSON-RPC answer: by reason, else by code, else by HTTP status. Reads what
 * older peers send too: `data` absent, an object or a string, a code that is a reason.
 */
export function fromJsonRpcError(error: unknown, httpStatus?: number, known: ErrorCircumstances = {}): A2AError {
  if (!isRecord(error)) return fromStatusBody(httpStatus ?? 0, error, known);
  const code = numberOf(error['code']);
  const wire = readDetails(error['data']);
  wire.reason ??= reasonOf(error['code']);
  const details = detailsOf(textOf(error['message']), wire, known);
  const byCode = code === undefined ? undefined : errorRowOfJsonRpcCode(code);
  const row =
    rowOfReason(wire.reason) ?? (code === -32600 && httpStatus === 413 ? errorRowOf('PAYLOAD_TOO_LARGE') : byCode);
  if (row !== undefined) return row.revive(details);
  if (wire.reason !== undefined) return new A2AError(wire.reason, 'The agent reported an error', details);
  const byHttp = httpStatus === undefined ? undefined : errorRowOf(HTTP_REASONS.get(httpStatus) ?? '');
  if (byHttp !== undefined) return byHttp.revive(details);
  const metadata = code === undefined ? details.metadata : { ...details.metadata, jsonRpcCode: String(code) };
  return new A2AError('UNKNOWN', 'The agent reported an error', { ...details, metadata });
}

/**
 * Makes an error of an HTTP answer: by reason, else by a JSON-RPC code in the body, else by the status name, else by
 * the HTTP status. Reads `google.rpc.Status`, problem+json, JSON-RPC-like bodies and plain text.
 */
export function fromStatusBody(httpStatus: number, body: unknown, known: ErrorCircumstances = {}): A2AError {
  const outer = Array.isArray(body) ? body[0] : body;
  if (!isRecord(outer)) {
    return byHttpStatus(httpStatus, typeof outer === 'string' ? { ...known, message: textOf(outer) } : known);
  }
  const error = isRecord(outer['error']) ? outer['error'] : outer;
  const wire = readDetails(error['details'] ?? error['data']);
  const details = detailsOf(
    textOf(error['message']) ?? textOf(error['detail']) ?? textOf(error['title']) ?? textOf(outer['error']),
    wire,
    known,
  );
  const reason = wire.reason ?? problemReason(error['type']) ?? reasonOf(error['code']);
  const code = numberOf(error['code']);
  const row = rowOfReason(reason) ?? (code !== undefined && code < 0 ? errorRowOfJsonRpcCode(code) : undefined);
  if (row !== undefined) return row.revive(details);
  if (reason !== undefined) return new A2AError(reason, 'The agent reported an error', details);
  if (httpStatus === 413) return byHttpStatus(httpStatus, details);
  const byName =
    typeof error['status'] === 'string' ? errorRowOf(STATUS_REASONS.get(error['status']) ?? '') : undefined;
  return byName?.revive(details) ?? byHttpStatus(httpStatus, details);
}

function byHttpStatus(httpStatus: number, details: A2AErrorDetails): A2AError {
  const fallback = httpStatus >= 400 && httpStatus < 500 ? 'INVALID_REQUEST' : 'INTERNAL_ERROR';
  const row = errorRowOf(HTTP_REASONS.get(httpStatus) ?? fallback);
  const known = {
    ...details,
    metadata: httpStatus > 0 ? { ...details.metadata, httpStatus: String(httpStatus) } : details.metadata,
  };
  return row?.revive(known) ?? new A2AError('UNKNOWN', 'The agent reported an error', known);
}

function rowOfReason(reason: string | undefined): ErrorRow | undefined {
  return reason === undefined ? undefined : errorRowOf(REASON_ALIASES.get(reason) ?? reason);
}

/** `https://…/errors/task-not-found` of the bodies before 1.0 was settled. */
function problemReason(type: unknown): string | undefined {
  if (typeof type !== 'string' || type.length > 200) return undefined;
  const name = type
    .slice(type.lastIndexOf('/') + 1)
    .toUpperCase()
    .replaceAll('-', '_');
  const reason = name.endsWith('_ERROR') && errorRowOf(name) === undefined ? name.slice(0, -'_ERROR'.length) : name;
  return errorRowOf(reason) === undefined ? undefined : reason;
}

function readDetails(data: unknown): WireDetails {
  if (typeof data === 'string') return data === '' ? {} : { metadata: { detail: printable(data) } };
  const wire: WireDetails = {};
  const items: unknown[] = Array.isArray(data) ? data.slice(0, MAX_DETAILS) : [data];
  for (const item of items) {
    if (!isRecord(item)) continue;
    const type = item['@type'];
    if (type === ERROR_INFO_TYPE || (type === undefined && 'reason' in item)) readErrorInfo(item, wire);
    else if (type === BAD_REQUEST_TYPE || (type === undefined && 'fieldViolations' in item)) {
      wire.violations = readViolations(item['fieldViolations']);
    }
  }
  return wire;
}

function readErrorInfo(item: Record<string, unknown>, wire: WireDetails): void {
  const { reason, domain, metadata } = item;
  // Gateways on the way have reasons of their own, which may sound like ours.
  const ours = domain === undefined || domain === ERROR_DOMAIN;
  if (ours && typeof reason === 'string' && REASON.test(reason)) wire.reason = reason;
  if (!isRecord(metadata)) return;
  wire.metadata = Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function readViolations(list: unknown): FieldViolation[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, MAX_VIOLATIONS)
    .filter(isRecord)
    .map(({ field, description }) => ({ field: textOf(field) ?? '', description: textOf(description) ?? '' }));
}

function detailsOf(message: string | undefined, wire: WireDetails, known: ErrorCircumstances): A2AErrorDetails {
  const retryAfter = Number(wire.metadata?.['retryAfterSeconds'] ?? Number.NaN);
  return {
    message,
    metadata: wire.metadata,
    violations: wire.violations,
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : known.retryAfterSeconds,
    cause: known.cause,
  };
}

/** The oldest peers have words for codes. */
function reasonOf(code: unknown): string | undefined {
  return typeof code === 'string' && rowOfReason(code) !== undefined ? code : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? printable(value, 1000) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
