import {
  decodeAgentCard,
  decodeListTaskPushNotificationConfigsResponse,
  decodeListTasksResponse,
  decodeSendMessageResponse,
  decodeStreamResponse,
  decodeTask,
  decodeTaskPushNotificationConfig,
} from 'nestjs-a2a/protocol';
import { ERROR_CATALOG, type ErrorRow } from '../../libs/protocol/src/errors/error-catalog.js';
import { JSON_RPC_PATH, REST_PATH } from '../support/a2a-calls.js';
import { at, jsonOf } from '../support/http-call.js';
import type { FuzzRequest } from './request-factory.js';
import type { FuzzAnswer } from './wire.js';

/** What no caller may be shown: where the server lives, and how it is made. */
const INTERNALS =
  /node_modules|\bat [\w.<>]+ \(|\.[jt]s:\d+|file:\/\/|\/(?:src|dist|libs|home|root|usr)\/|TypeError|RangeError/;
const ACTION = 'message[:/][^/]+|tasks(?:/[^/]+(?:/(?:cancel|subscribe|pushNotificationConfigs(?:/[^/]+)?))?)?';
const OURS = new RegExp(`^${REST_PATH}(?:/[^/]+)?/(?:${ACTION}|extendedAgentCard)/?$`);
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;
const MAX_PATH_LENGTH = 1_000;
/** Paths and verbs that are no operation have a reason of their own, which no operation can give. */
const NOT_ALLOWED = 'METHOD_NOT_ALLOWED';
const JSON_RPC_STATUSES: ReadonlySet<number> = new Set([401, 403, 413, 429, 503]);
/** By the field that tells one result from the others. */
const RESULTS = [
  ['task', decodeSendMessageResponse],
  ['message', decodeSendMessageResponse],
  ['status', decodeTask],
  ['tasks', decodeListTasksResponse],
  ['capabilities', decodeAgentCard],
  ['url', decodeTaskPushNotificationConfig],
  ['configs', decodeListTaskPushNotificationConfigsResponse],
] as const;

/** The one operation that gives nothing. */
const DELETES = /DeleteTaskPushNotificationConfig/;

/** What is wrong with an answer, in words; undefined when nothing is. */
export function faultIn(request: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, headers, text } = answer;
  if (status >= 500 && status !== 503) return `status ${status}`;
  const leaked = INTERNALS.exec(text + JSON.stringify(headers));
  if (leaked) return `it shows internals: ${leaked[0]}`;
  if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After';
  if (request.method === 'HEAD') return text === '' ? undefined : 'a body to HEAD';
  if (request.method === 'OPTIONS') return status < 500 ? undefined : `status ${status}`;
  const isRpc = request.path.split('?', 1)[0] === JSON_RPC_PATH;
  if (String(headers['content-type']).startsWith('text/event-stream')) return streamFault(text, isRpc);
  if (isRpc) return rpcFault(status, jsonOf(text), { mayBeEmpty: DELETES.test(String(request.body)) });
  if (status === 204) return text === '' ? undefined : 'a body with 204';
  const body = jsonOf(text);
  if (isHostsOwn(request, status, body)) return undefined;
  return at(body, 'error') === undefined ? successFault(status, body) : restErrorFault(status, at(body, 'error'));
}

function streamFault(text: string, isRpc: boolean): string | undefined {
  const [block = ''] = text.split('\n\n', 1);
  if (/^:/.test(block)) return undefined;
  const data = jsonOf(/^data: ?([^\n]*)$/m.exec(block)?.[1] ?? '');
  if (/^event: error$/m.test(block))
    return isRpc ? rpcFault(200, data, { inStream: true }) : restErrorFault(undefined, at(data, 'error'));
  const payload = isRpc ? at(data, 'result') : data;
  const decoded = decodeStreamResponse(payload);
  return decoded.ok ? undefined : `no StreamResponse: ${JSON.stringify(decoded.violations).slice(0, 300)}`;
}

interface RpcExpectations {
  readonly inStream?: boolean;
  readonly mayBeEmpty?: boolean;
}

function rpcFault(status: number, body: unknown, { inStream, mayBeEmpty }: RpcExpectations): string | undefined {
  if (at(body, 'jsonrpc') !== '2.0') return 'no JSON-RPC answer';
  if (typeof body !== 'object' || body === null || !('id' in body)) return 'no id';
  const error = at(body, 'error');
  if (error === undefined)
    return 'result' in body ? successFault(status, body.result, mayBeEmpty) : 'neither result nor error';
  if ('result' in body) return 'both result and error';
  const row = rowOf(at(error, 'data'));
  if (typeof row === 'string') return row;
  if (status === 405) return row.reason === 'INVALID_REQUEST' ? undefined : `405 with the reason ${row.reason}`;
  if (at(error, 'code') !== row.jsonRpcCode) return `the code of ${row.reason} is not ${String(at(error, 'code'))}`;
  const { http } = row.surface['1.0.1'];
  const expected = JSON_RPC_STATUSES.has(http) ? http : 200;
  return inStream || status === expected ? undefined : `the status of ${row.reason} is not ${status}`;
}

function restErrorFault(status: number | undefined, error: unknown): string | undefined {
  if (status === 405) return refusalFault(at(error, 'details'));
  const row = rowOf(at(error, 'details'));
  if (typeof row === 'string') return row;
  const surface = row.surface['1.0.1'];
  const code = at(error, 'code');
  if (code !== surface.http || (status !== undefined && status !== code)) {
    return `the status of ${row.reason} is not ${status} (${String(code)})`;
  }
  return at(error, 'status') === surface.status ? undefined : `the name of ${row.reason} is wrong`;
}

function refusalFault(details: unknown): string | undefined {
  const reason = at(details, '0.reason');
  return reason === NOT_ALLOWED ? undefined : `405 with the reason ${String(reason)}`;
}

/** The row of the error table that an error's details name. */
function rowOf(details: unknown): ErrorRow | string {
  if (!Array.isArray(details)) return 'the details are no list';
  const reason = at(details, '0.reason');
  const row = ERROR_CATALOG.find((entry) => entry.reason === reason);
  return row ?? `no row of the error table: ${String(reason)}`;
}

function successFault(status: number, result: unknown, mayBeEmpty = false): string | undefined {
  if (status !== 200) return `a result with status ${status}`;
  if (result === null && mayBeEmpty) return undefined;
  if (at(result, 'url') !== undefined && at(result, 'token') !== undefined) return 'a secret is shown';
  const known = RESULTS.some(([field, decode]) => at(result, field) !== undefined && decode(result).ok);
  return known ? undefined : `no result of an operation: ${JSON.stringify(result)?.slice(0, 200)}`;
}

/** What the host itself says of a path that no agent serves, or that its router cannot read. */
function isHostsOwn({ path }: FuzzRequest, status: number, body: unknown): boolean {
  const [pathname = ''] = path.split('?', 1);
  // Fastify's router takes no parameter of this length, and says so before anybody else is asked.
  const readable = !BROKEN_ESCAPE.test(pathname) && pathname.length < MAX_PATH_LENGTH;
  if (OURS.test(pathname) && readable) return false;
  return status >= 400 && status < 500 && at(body, 'statusCode') === status;
}
