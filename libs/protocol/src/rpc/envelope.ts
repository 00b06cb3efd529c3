import { isRecord } from '../is-record.js';
import { toJsonRpcError } from '../errors/error-output.js';
import { InvalidRequestError } from '../errors/request-errors.js';

/** Id of a JSON-RPC call; `null` where the caller gave none. */
export type JsonRpcId = string | number | null;

/** A JSON-RPC call whose envelope is sound; its params are yet to be read. */
export interface JsonRpcRequest {
  id: JsonRpcId;
  method: string;
  params: unknown;
}

function isId(value: unknown): value is JsonRpcId {
  return value === null || typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
}

/**
 * Checks the envelope of a JSON-RPC call. A call without an id gets the id null: this protocol knows no notifications.
 *
 * @throws InvalidRequestError when it is no object (a batch, for one), no JSON-RPC 2.0, or its id or method is unusable
 * @see A2A 1.0, section 9.1
 */
export function parseJsonRpcRequest(value: unknown): JsonRpcRequest {
  if (Array.isArray(value)) throw new InvalidRequestError('Batch requests are not supported');
  if (!isRecord(value)) throw new InvalidRequestError('The request must be a JSON object');
  if (value['jsonrpc'] !== '2.0') throw new InvalidRequestError("'jsonrpc' must be '2.0'");
  const id = value['id'] ?? null;
  if (!isId(id)) throw new InvalidRequestError("'id' must be a string, an integer or null");
  const method = value['method'];
  if (typeof method !== 'string' || method === '') throw new InvalidRequestError("'method' must be a non-empty string");
  return { id, method, params: value['params'] };
}

/** The id to answer with, also when the rest of the envelope is faulty; null when there is no usable one. */
export function jsonRpcIdOf(value: unknown): JsonRpcId {
  const id = isRecord(value) ? value['id'] : null;
  return isId(id) ? id : null;
}

/**
 * The text of a successful answer.
 *
 * @param resultJson the result, already JSON: an event is serialised once however many answers it goes into
 */
export function jsonRpcResult(id: JsonRpcId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

/** The text of a failed answer. Foreign errors are masked, see `A2AError.from`. */
export function jsonRpcFailure(id: JsonRpcId, error: unknown): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(toJsonRpcError(error))}}`;
}
