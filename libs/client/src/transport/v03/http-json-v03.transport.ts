import {
  fromV03StatusBody,
  isRecord,
  JSON_MEDIA_TYPE,
  MethodNotFoundError,
  V03_PROTOCOL_VERSION,
  type A2AMethod,
} from 'nestjs-a2a/protocol';
import type { A2ATransportFactory, StreamingMethod, TransportStreamOptions, WireFrame } from '../a2a-transport.js';
import { circumstancesOf, failureOf, isSuccess, unreadable, type AnswerHead } from '../answers.js';
import type { BoundCall } from '../http-transport.js';
import { joined, type RestRequest } from '../rest-request.js';
import { httpJsonV03Dialect } from './http-json-v03.dialect.js';
import { V03Transport } from './v03.transport.js';

/** HTTP+JSON as agents of A2A 0.3 speak it. */
class HttpJsonV03Transport extends V03Transport<RestRequest> {
  readonly binding = 'HTTP+JSON';
  protected readonly accept = JSON_MEDIA_TYPE;
  protected readonly dialect = httpJsonV03Dialect;
  /** Its proto file says GET, its text POST; agents take the one, the other, or both. */
  private subscribesBy: 'GET' | 'POST' = 'GET';

  override async *stream(
    method: StreamingMethod,
    params: object,
    options: TransportStreamOptions,
  ): AsyncGenerator<WireFrame, void, undefined> {
    try {
      yield* super.stream(method, params, options);
    } catch (error) {
      const triesPost = method === 'SubscribeToTask' && this.subscribesBy === 'GET';
      if (!triesPost || !(error instanceof MethodNotFoundError)) throw error;
      this.subscribesBy = 'POST';
      yield* super.stream(method, params, options);
    }
  }

  protected bind(operation: A2AMethod, params: object): BoundCall {
    const { method, path, body } = this.operationOf(operation).write(params);
    return {
      method: operation === 'SubscribeToTask' ? this.subscribesBy : method,
      url: joined(this.context.url, path),
      ...(body && { body: JSON.stringify(body) }),
      contentOf,
    };
  }
}

function contentOf(body: unknown, head: AnswerHead): unknown {
  if (head.status >= 400) throw fromV03StatusBody(head.status, body, circumstancesOf(head));
  if (!isSuccess(head)) throw failureOf(head, body);
  if (typeof body === 'string') throw unreadable(head, 'it is not JSON');
  // A frame of a stream that fails after its status was sent.
  if (isError(body)) throw fromV03StatusBody(0, body, circumstancesOf(head));
  return body;
}

function isError(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { code, message, error = null } = body;
  return error !== null || (typeof code === 'number' && typeof message === 'string');
}

/**
 * The HTTP+JSON binding of A2A 0.3.
 *
 * @publicApi
 */
export const httpJsonV03Transport: A2ATransportFactory = {
  binding: 'HTTP+JSON',
  protocolVersion: V03_PROTOCOL_VERSION,
  create: (context) => new HttpJsonV03Transport(context),
};
