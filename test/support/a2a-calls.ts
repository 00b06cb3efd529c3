import type { Call } from './http-call.js';

export const JSON_RPC_PATH = '/a2a/jsonrpc';
export const REST_PATH = '/a2a/json';
export const CARD_PATH = '/.well-known/agent-card.json';

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** A JSON-RPC call. */
export function rpc(method: string, params?: unknown, headers: Headers = {}, path = JSON_RPC_PATH): Call {
  return { path, headers, body: { jsonrpc: '2.0', id: 1, method, params } };
}

/** A call of the HTTP+JSON binding, below its path. */
export function rest(method: string, path: string, body?: unknown, headers: Headers = {}): Call {
  return { method, path: REST_PATH + path, body, headers };
}

/** The parameters of a send: a message with one text. */
export function message(text: string, fields: Fields = {}, request: Fields = {}): object {
  return { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }], ...fields }, ...request };
}

/** The parameters of a send that does not wait. */
export function hurried(text: string, fields: Fields = {}): object {
  return message(text, fields, { configuration: { returnImmediately: true } });
}

/** Headers of the user of this name, where the probe believes users. */
export function asUser(name: string): Headers {
  return { authorization: `Bearer user:${name}` };
}
