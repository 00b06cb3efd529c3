import { randomUUID } from 'node:crypto';
import {
  isTextPart,
  JSON_MEDIA_TYPE,
  Role,
  UnsupportedOperationError,
  type A2AMethod,
  type SendMessageRequest,
} from 'nestjs-a2a/protocol';
import type { ClientHttp } from '../http/client-http.js';
import { isRecord } from '../is-record.js';
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
    const text = method === 'SendMessage' && isSend(params) ? textOf(params) : '';
    if (text === '') throw unsupported(method);
    const id = randomUUID();
    const message = { role: 'user', parts: [{ type: 'text', text }] };
    const exchange = { jsonrpc: '2.0', method: 'tasks/send', params: { id: `task-${randomUUID()}`, message }, id };
    const request = {
      method: 'POST' as const,
      url: this.url,
      headers: { 'content-type': JSON_MEDIA_TYPE, accept: JSON_MEDIA_TYPE, ...headers },
      body: JSON.stringify(exchange),
      signal,
    };
    const answer = await this.http.request(request, limits);
    return { task: taskOf(resultOf(readBody(answer.body), answer, id)) };
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

/** A task in the form of the standard; whatever is not as it should be is left to who reads the answer. */
function taskOf(result: unknown): unknown {
  if (!isRecord(result) || !isRecord(result['status'])) return result;
  const { id, status, artifacts } = result;
  const said = status['message'];
  const message =
    typeof said === 'string' && said !== ''
      ? { messageId: `${String(id)}-status`, role: Role.AGENT, parts: [{ text: said }] }
      : undefined;
  const list: unknown[] = Array.isArray(artifacts) ? artifacts : [];
  return {
    id,
    status: { state: stateOf(status['state']), ...(message && { message }) },
    artifacts: list.filter(isRecord).map(({ parts }, index) => ({ artifactId: `artifact-${index + 1}`, parts })),
  };
}

/** `input_required` and `input-required`, in any letter case, are `TASK_STATE_INPUT_REQUIRED`. */
function stateOf(state: unknown): unknown {
  if (typeof state !== 'string') return state;
  const name = state.toUpperCase().replaceAll('-', '_');
  return name.startsWith('TASK_STATE_') ? name : `TASK_STATE_${name}`;
}
