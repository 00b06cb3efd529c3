import { randomUUID } from 'node:crypto';
import { JSON_MEDIA_TYPE, toV03Method, V03_PROTOCOL_VERSION, type A2AMethod } from 'nestjs-a2a/protocol';
import type { A2ATransportFactory } from '../a2a-transport.js';
import type { BoundCall } from '../http-transport.js';
import { resultOf } from '../json-rpc-answer.js';
import { jsonRpcV03Dialect, type V03Params } from './json-rpc-v03.dialect.js';
import { V03Transport } from './v03.transport.js';

/** JSON-RPC as agents of A2A 0.3 speak it. */
class JsonRpcV03Transport extends V03Transport<V03Params> {
  readonly binding = 'JSONRPC';
  protected readonly accept = JSON_MEDIA_TYPE;
  protected readonly dialect = jsonRpcV03Dialect;

  protected bind(operation: A2AMethod, given: object): BoundCall {
    const id = randomUUID();
    const params = this.operationOf(operation).write(given);
    return {
      method: 'POST',
      url: this.context.url,
      body: JSON.stringify({ jsonrpc: '2.0', id, method: toV03Method(operation), params }),
      contentOf: (body, head) => resultOf(body, head, id),
    };
  }
}

/**
 * The JSON-RPC binding of A2A 0.3.
 *
 * @publicApi
 */
export const jsonRpcV03Transport: A2ATransportFactory = {
  binding: 'JSONRPC',
  protocolVersion: V03_PROTOCOL_VERSION,
  create: (context) => new JsonRpcV03Transport(context),
};
