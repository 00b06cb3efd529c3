import type { A2AError } from '../errors/a2a-error.js';
import { ERROR_CATALOG } from '../errors/error-catalog.js';
import { type ErrorCircumstances, fromJsonRpcError, fromStatusBody } from '../errors/error-input.js';
import { type JsonRpcErrorObject, toJsonRpcError, toStatusBody } from '../errors/error-output.js';
import { isRecord } from '../is-record.js';

const MAX_NAME = 200;

/** Peers in Java name the class of an error instead of its code; the names are those of our classes, save one. */
const codes: ReadonlyMap<string, number> = new Map([
  ...ERROR_CATALOG.map(({ type, jsonRpcCode }): [string, number] => [type.name, jsonRpcCode]),
  ['AuthenticatedExtendedCardNotConfiguredError', -32007],
]);

/** Makes an error of an HTTP answer of 0.3: `{ code, message }`, `{ error: name, message }`, or a form of 1.0. */
export function fromV03StatusBody(httpStatus: number, body: unknown, known: ErrorCircumstances = {}): A2AError {
  if (isRecord(body) && typeof body['error'] === 'string' && body['error'].length <= MAX_NAME) {
    const name = body['error'].slice(body['error'].lastIndexOf('.') + 1);
    const code = codes.get(name);
    if (code !== undefined) return fromJsonRpcError({ code, message: body['message'] }, httpStatus, known);
  }
  return fromStatusBody(httpStatus, body, known);
}

/** An error as HTTP status and body of 0.3. Its codes are those of 1.0, which has some that 0.3 has not. */
export function toV03StatusBody(error: unknown): { status: number; body: JsonRpcErrorObject } {
  return { status: toStatusBody(error, '1.0.0').status, body: toJsonRpcError(error) };
}
