import { A2A_MEDIA_TYPE, type A2AMethod, fromStatusBody, isRecord, JSON_MEDIA_TYPE } from 'nestjs-a2a/protocol';
import type { A2ATransportFactory } from './a2a-transport.js';
import { circumstancesOf, failureOf, isSuccess, unreadable, type AnswerHead } from './answers.js';
import { type BoundCall, HttpTransport } from './http-transport.js';
import { joined, restRequest } from './rest-request.js';

/**
 * HTTP with JSON bodies, REST-like.
 *
 * @see A2A 1.0, section 11
 */
class HttpJsonTransport extends HttpTransport {
  readonly binding = 'HTTP+JSON';
  protected readonly accept = `${A2A_MEDIA_TYPE}, ${JSON_MEDIA_TYPE}`;

  protected bind(operation: A2AMethod, params: object): BoundCall {
    const { method, path, body } = restRequest(operation, params);
    return { method, url: joined(this.context.url, path), ...(body && { body: JSON.stringify(body) }), contentOf };
  }
}

function contentOf(body: unknown, head: AnswerHead): unknown {
  if (!isSuccess(head)) throw failureOf(head, body);
  if (typeof body === 'string') throw unreadable(head, 'it is not JSON');
  if (!isRecord(body) || !('error' in body) || body['error'] === null) return body;
  // A frame of a stream that fails after its status was sent.
  const { error } = body;
  const code = isRecord(error) && typeof error['code'] === 'number' ? error['code'] : 0;
  throw fromStatusBody(code, body, circumstancesOf(head));
}

/**
 * The HTTP+JSON binding.
 *
 * @publicApi
 */
export const httpJsonTransport: A2ATransportFactory = {
  binding: 'HTTP+JSON',
  create: (context) => new HttpJsonTransport(context),
};
