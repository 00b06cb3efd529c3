import { randomUUID } from 'node:crypto';
import { JSON_MEDIA_TYPE, type A2AMethod } from 'nestjs-a2a/protocol';
import type { A2ATransportFactory } from './a2a-transport.js';
import { type BoundCall, HttpTransport } from './http-transport.js';
import { resultOf } from './json-rpc-answer.js';

/**
 * JSON-RPC 2.0 over HTTP.
 *
 * @see A2A 1.0, section 9
 */
class JsonRpcTransport extends HttpTransport {
  readonly binding = 'JSONRPC';
  protected readonly accept = JSON_MEDIA_TYPE;

  protected bind(method: A2AMethod, params: object): BoundCall {
    const id = randomUUID();
    return {
      method: 'POST',
      url: this.context.url,
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      contentOf: (body, head) => resultOf(body, head, id),
    };
  }
}

/**
 * The JSON-RPC binding.
 *
 * @publicApi
 */
export const jsonRpcTransport: A2ATransportFactory = {
  binding: 'JSONRPC',
  create: (context) => new JsonRpcTransport(context),
};
