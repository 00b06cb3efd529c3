import { randomUUID } from 'node:crypto';
import {
  fromOlderTask,
  isTextPart,
  JSON_MEDIA_TYPE,
  olderSendParams,
  UnsupportedOperationError,
  type A2AMethod,
  type SendMessageRequest,
} from 'nestjs-a2a/protocol';
import type { ClientHttp } from '../http/client-http.js';
import type { A2ATransport, TransportCallOptions, WireFrame } from './a2a-transport.js';
import { readBody } from './answers.js';
import { resultOf } from './json-rpc-answer.js';

/** Speaks with agents from before there was a standard: `POST …/tasks/send`, one text in, one text out. */
export class OlderExchangeTransport implements A2ATransport {
  readonly binding = 'tasks/send';

  /** @param url to post to */
  constructor(
    private readonly http: ClientHttp,
    private readonly url: string,
  ) {}

  async call(method: A2AMethod, params: object, { headers, signal, limits }: TransportCallOptions): Promise<unknown> {
    const send = method === 'SendMessage' && isSend(params) ? params : undefined;
    const text = send === undefined ? '' : textOf(send);
    if (text === '') throw unsupported(method);
    const id = randomUUID();
    // Agents that know the id of a task go on with it; the others take every id for a new one.
    const taskId = send?.message.taskId || `task-${randomUUID()}`;
    const exchange = { jsonrpc: '2.0', method: 'tasks/send', params: olderSendParams(taskId, text), id };
    const request = {
      method: 'POST' as const,
      url: this.url,
      headers: { 'content-type': JSON_MEDIA_TYPE, accept: JSON_MEDIA_TYPE, ...headers },
      body: JSON.stringify(exchange),
      signal,
    };
    const answer = await this.http.request(request, limits);
    return { task: fromOlderTask(resultOf(readBody(answer.body), answer, id)) };
  }

  stream(method: A2AMethod): AsyncIterable<WireFrame> {
    throw unsupported(method);
  }

  close(): void {
    // Holds nothing: connections are the HTTP client's.
  }
}

function isSend(params: object): params is SendMessageRequest {
  return 'message' in params;
}

function textOf({ message }: SendMessageRequest): string {
  return message.parts.map((part) => (isTextPart(part) ? part.text : '')).join('');
}

function unsupported(method: string): UnsupportedOperationError {
  return new UnsupportedOperationError(
    `The agent's card has no interface of the standard: it takes texts by SendMessage, and no ${method}`,
  );
}
