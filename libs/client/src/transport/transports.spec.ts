import { describe, expect, it } from '@jest/globals';
import { A2AError, type A2AMethod } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpRequest,
  type ClientHttpStream,
} from '../http/client-http.js';
import type { A2ATransportFactory, WireFrame } from './a2a-transport.js';
import { httpJsonTransport } from './http-json.transport.js';
import { jsonRpcTransport } from './json-rpc.transport.js';
import { OlderExchangeTransport } from './older-exchange.transport.js';

type Body = string | object | ((id: string) => string | object);

interface Canned {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Body;
}

/** Answers every request alike, and remembers them. */
class CannedHttp extends ClientHttp {
  readonly sent: ClientHttpRequest[] = [];
  closed = 0;

  constructor(private readonly canned: Canned) {
    super();
  }

  get last(): ClientHttpRequest {
    const request = this.sent.at(-1);
    if (request === undefined) throw new Error('Nothing was sent');
    return request;
  }

  async request(request: ClientHttpRequest): Promise<ClientHttpAnswer> {
    const { status = 200, type = 'application/json', headers = {}, body = '' } = this.canned;
    this.sent.push(request);
    const id: unknown = request.body === undefined ? undefined : JSON.parse(request.body).id;
    const content = typeof body === 'function' ? body(String(id)) : body;
    return {
      status,
      headers: { 'content-type': type, ...headers },
      body: typeof content === 'string' ? content : JSON.stringify(content),
    };
  }

  async open(request: ClientHttpRequest): Promise<ClientHttpStream> {
    const { body, ...head } = await this.request(request);
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(body);
    };
    return { ...head, chunks: chunks(), close: () => (this.closed += 1) };
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

function setup(factory: A2ATransportFactory, canned: Canned = {}, context: { url?: string; tenant?: string } = {}) {
  const http = new CannedHttp(canned);
  const { url = 'https://agent.example/a2a/', tenant = '' } = context;
  return { http, transport: factory.create({ url, tenant, protocolVersion: '1.0', http }) };
}

/** What it gives, or the code of its error. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return error instanceof A2AError || error instanceof A2AClientError ? error.code : error;
  }
}

async function framesOf(stream: AsyncIterable<WireFrame>): Promise<WireFrame[]> {
  const frames: WireFrame[] = [];
  for await (const frame of stream) frames.push(frame);
  return frames;
}

const result = (value: unknown) => (id: string) => ({ jsonrpc: '2.0', id, result: value });

describe('JSON-RPC', () => {
  it('sends an envelope, and gives the result', async () => {
    const { http, transport } = setup(jsonRpcTransport, { body: result({ id: 't' }) }, { tenant: 'acme' });
    expect(await transport.call('GetTask', { id: 't' }, { headers: { 'x-a': 'b' } })).toEqual({ id: 't' });
    const { body = '', ...request } = http.last;
    expect(request).toEqual({
      method: 'POST',
      url: 'https://agent.example/a2a/',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'a2a-version': '1.0',
        'x-a': 'b',
      },
      signal: undefined,
    });
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: expect.any(String),
      method: 'GetTask',
      params: { id: 't', tenant: 'acme' },
    });
  });

  it.each<[string, Canned, unknown]>([
    ['null', { body: result(null) }, null],
    ['no result', { body: (id) => ({ jsonrpc: '2.0', id }) }, undefined],
    ['an error that is null besides a result', { body: (id) => ({ jsonrpc: '2.0', id, result: 1, error: null }) }, 1],
    ['another id', { body: { jsonrpc: '2.0', id: 'other', result: 1 } }, 'INVALID_ANSWER'],
    ['no id', { body: { jsonrpc: '2.0', result: 1 } }, 'INVALID_ANSWER'],
    ['another version', { body: (id) => ({ jsonrpc: '1.0', id, result: 1 }) }, 'INVALID_ANSWER'],
    ['no envelope', { body: { id: 't' } }, 'INVALID_ANSWER'],
    ['an array', { body: [1] }, 'INVALID_ANSWER'],
    ['text', { type: 'text/html', body: '<html>' }, 'INVALID_ANSWER'],
    ['nothing', { body: '' }, 'INVALID_ANSWER'],
    ['a redirect', { status: 302, headers: { location: 'https://b.example/' } }, 'HTTP_ERROR'],
    ['an error', { body: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'x' } } }, 'TASK_NOT_FOUND'],
    [
      'an error with status 500',
      { status: 500, body: (id) => ({ jsonrpc: '2.0', id, error: { code: -32009 } }) },
      'VERSION_NOT_SUPPORTED',
    ],
    [
      'an error of the oldest form',
      { body: { jsonrpc: '2.0', error: { code: 'INVALID_REQUEST' } } },
      'INVALID_REQUEST',
    ],
    ['an error that is text', { body: { jsonrpc: '2.0', error: 'boom' } }, 'INTERNAL_ERROR'],
    ['a status alone', { status: 503, type: 'text/html', body: '<html>' }, 'UNAVAILABLE'],
    ['problem+json', { status: 404, body: { type: 'about:blank', title: 'gone', status: 404 } }, 'METHOD_NOT_FOUND'],
    ['a body of a gateway', { status: 429, body: { error: 'slow down' } }, 'RESOURCE_EXHAUSTED'],
  ])('reads %s', async (_name, canned, expected) => {
    const { transport } = setup(jsonRpcTransport, canned);
    expect(await outcome(transport.call('GetTask', { id: 't' }, {}))).toEqual(expected);
  });

  it('keeps what HTTP told of an error, without its secrets', async () => {
    const headers = {
      'retry-after': '7',
      'set-cookie': 'secret',
      'www-authenticate': 'Bearer',
      'x-api-key': 'secret',
      location: 'https://b.example/x?key=secret&a=b#c',
      link: '</x?key=secret>; rel="self", </y>',
    };
    const { transport } = setup(jsonRpcTransport, { status: 503, headers, body: 'later' });
    const error: unknown = await transport.call('GetTask', {}, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      retryAfterSeconds: 7,
      cause: {
        status: 503,
        headers: {
          'retry-after': '7',
          'set-cookie': '[redacted]',
          'www-authenticate': 'Bearer',
          'x-api-key': '[redacted]',
          location: 'https://b.example/x?[redacted]',
          link: '</x?[redacted]>; rel="self", </y>',
        },
      },
    });
  });

  it('reads a stream', async () => {
    const body = (id: string): string =>
      [
        `id: 1\ndata: ${JSON.stringify(result({ a: 1 })(id))}`,
        ': ping',
        'data:',
        `data: ${JSON.stringify(result({ a: 2 })(id))}`,
      ].join('\n\n');
    const { http, transport } = setup(jsonRpcTransport, { type: 'Text/Event-Stream; charset=utf-8', body });
    const frames = await framesOf(transport.stream('SubscribeToTask', { id: 't' }, { lastEventId: '7' }));
    expect(frames).toEqual([
      { id: '1', response: { a: 1 } },
      { response: { a: 2 }, unfinished: true },
    ]);
    expect(http.last.headers).toMatchObject({ accept: 'text/event-stream', 'last-event-id': '7' });
    expect(http.closed).toBe(1);
  });

  it.each<[string, Canned, unknown]>([
    ['a single result instead', { body: result({ a: 1 }) }, [{ response: { a: 1 } }]],
    ['an error instead', { body: (id) => ({ jsonrpc: '2.0', id, error: { code: -32004 } }) }, 'UNSUPPORTED_OPERATION'],
    ['a status instead', { status: 401, body: '' }, 'UNAUTHENTICATED'],
    ['an error that claims to be a stream', { status: 404, type: 'text/event-stream', body: '' }, 'METHOD_NOT_FOUND'],
    ['a page instead', { type: 'text/html', body: '<html>' }, 'INVALID_ANSWER'],
    [
      'an error frame',
      {
        type: 'text/event-stream',
        body: 'event: error\ndata: {"jsonrpc":"2.0","id":null,"error":{"code":-32603}}\n\n',
      },
      'INTERNAL_ERROR',
    ],
    ['no frame', { type: 'text/event-stream', body: ': ping\n\n' }, 'EMPTY_STREAM'],
    ['half a frame', { type: 'text/event-stream', body: 'data: {"jsonrpc":' }, 'STREAM_BROKEN'],
    ['a frame that is not JSON', { type: 'text/event-stream', body: 'data: {"jsonrpc":\n\n' }, 'INVALID_ANSWER'],
    [
      'a frame of another call',
      { type: 'text/event-stream', body: 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n' },
      'INVALID_ANSWER',
    ],
    [
      'a frame that is too long',
      { type: 'text/event-stream', body: `data: ${'x'.repeat(2000)}\n\n` },
      'FRAME_TOO_LARGE',
    ],
    ['JSON that is too long', { body: 'x'.repeat(2000) }, 'ANSWER_TOO_LARGE'],
  ])('reads %s', async (_name, canned, expected) => {
    const { http, transport } = setup(jsonRpcTransport, canned);
    const options = { maxFrameLength: 1000, limits: { maxAnswerBytes: 1000 } };
    expect(await outcome(framesOf(transport.stream('SendStreamingMessage', {}, options)))).toEqual(expected);
    expect(http.closed).toBe(1);
  });
});

describe('HTTP+JSON', () => {
  const push = { taskId: 'a/b', url: 'https://c.example/' };
  it.each<[A2AMethod, object, string, object?]>([
    ['SendMessage', { message: {} }, 'POST /message:send', { message: {} }],
    ['SendStreamingMessage', { message: {} }, 'POST /message:stream', { message: {} }],
    ['GetTask', { id: 'a:b/c?', historyLength: 0 }, 'GET /tasks/a%3Ab%2Fc%3F?historyLength=0'],
    ['ListTasks', {}, 'GET /tasks'],
    [
      'ListTasks',
      { contextId: 'ü&', includeArtifacts: false, pageSize: 2, status: undefined },
      'GET /tasks?contextId=%C3%BC%26&includeArtifacts=false&pageSize=2',
    ],
    ['CancelTask', { id: 't', metadata: { a: 1 } }, 'POST /tasks/t:cancel', { metadata: { a: 1 } }],
    ['SubscribeToTask', { id: 't' }, 'POST /tasks/t:subscribe', {}],
    ['CreateTaskPushNotificationConfig', push, 'POST /tasks/a%2Fb/pushNotificationConfigs', push],
    ['GetTaskPushNotificationConfig', { taskId: 't', id: 'p' }, 'GET /tasks/t/pushNotificationConfigs/p'],
    [
      'ListTaskPushNotificationConfigs',
      { taskId: 't', pageSize: 3 },
      'GET /tasks/t/pushNotificationConfigs?pageSize=3',
    ],
    ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' }, 'DELETE /tasks/t/pushNotificationConfigs/p'],
    ['GetExtendedAgentCard', {}, 'GET /extendedAgentCard'],
  ])('%s %j', async (method, params, expected, ...[body]) => {
    const { http, transport } = setup(httpJsonTransport, { body: {} });
    await transport.call(method, params, {});
    expect(`${http.last.method} ${http.last.url.slice('https://agent.example/a2a'.length)}`).toBe(expected);
    expect(http.last.body === undefined ? undefined : JSON.parse(http.last.body)).toEqual(body);
    expect(http.last.headers['content-type']).toBe(body && 'application/json');
    expect(http.last.headers).toMatchObject({ accept: 'application/a2a+json, application/json', 'a2a-version': '1.0' });
  });

  it('keeps the query of the interface, and names the tenant', async () => {
    const { http, transport } = setup(
      httpJsonTransport,
      { body: {} },
      { url: 'https://a.example/x//?k=v', tenant: 'acme' },
    );
    await transport.call('GetTask', { id: 't' }, {});
    expect(http.last.url).toBe('https://a.example/x/tasks/t?k=v&tenant=acme');
    await transport.call('CancelTask', { id: 't' }, {});
    expect(http.last).toMatchObject({ url: 'https://a.example/x/tasks/t:cancel?k=v', body: '{"tenant":"acme"}' });
  });

  it.each(['', '.', '..', undefined, 7])('puts no id such as %j into a path', async (id) => {
    const { http, transport } = setup(httpJsonTransport);
    expect(await outcome(transport.call('GetTask', { id }, {}))).toBe('INVALID_PARAMS');
    expect(http.sent).toEqual([]);
  });

  it.each<[string, Canned, unknown]>([
    ['a body', { type: 'application/a2a+json', body: { a: 1 } }, { a: 1 }],
    ['nothing', { status: 204, body: '' }, undefined],
    ['an error', { status: 404, body: { error: { code: 404, status: 'NOT_FOUND', message: 'x' } } }, 'TASK_NOT_FOUND'],
    ['a status alone', { status: 502, body: 'Bad Gateway' }, 'UNAVAILABLE'],
    ['a page', { type: 'text/html', body: '<html>' }, 'INVALID_ANSWER'],
    ['a redirect', { status: 307 }, 'HTTP_ERROR'],
  ])('reads %s', async (_name, canned, expected) => {
    const { transport } = setup(httpJsonTransport, canned);
    expect(await outcome(transport.call('GetTask', { id: 't' }, {}))).toEqual(expected);
  });

  it.each<[string, Canned, unknown]>([
    ['frames', { type: 'text/event-stream', body: 'id: 1\ndata: {"a":1}\n\n' }, [{ id: '1', response: { a: 1 } }]],
    ['a single result instead', { body: { a: 1 } }, [{ response: { a: 1 } }]],
    [
      'an error frame',
      {
        type: 'text/event-stream',
        body: 'event: error\ndata: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}\n\n',
      },
      'RESOURCE_EXHAUSTED',
    ],
    [
      'an error instead',
      { status: 400, body: { error: { code: 400, status: 'FAILED_PRECONDITION' } } },
      'UNSUPPORTED_OPERATION',
    ],
  ])('reads a stream: %s', async (_name, canned, expected) => {
    const { transport } = setup(httpJsonTransport, canned);
    expect(await outcome(framesOf(transport.stream('SubscribeToTask', { id: 't' }, {})))).toEqual(expected);
  });
});

describe('The older exchange', () => {
  const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'a' }, { data: 1 }, { text: 'b' }] } };
  const call = (canned: Canned, method: A2AMethod = 'SendMessage', given: object = params) => {
    const http = new CannedHttp(canned);
    return { http, answer: new OlderExchangeTransport(http, 'https://a.example/tasks/send').call(method, given, {}) };
  };

  it('sends the text, and gives a task', async () => {
    const { http, answer } = call({
      body: result({
        id: 'task-1',
        status: { state: 'completed' },
        artifacts: [{ parts: [{ type: 'text', text: 'x' }] }],
      }),
    });
    expect(await answer).toEqual({
      task: {
        id: 'task-1',
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'artifact-1', parts: [{ type: 'text', text: 'x' }] }],
      },
    });
    expect(http.last).toMatchObject({ method: 'POST', url: 'https://a.example/tasks/send' });
    expect(JSON.parse(http.last.body ?? '')).toMatchObject({
      jsonrpc: '2.0',
      method: 'tasks/send',
      params: { id: expect.stringMatching(/^task-/), message: { role: 'user', parts: [{ type: 'text', text: 'ab' }] } },
    });
  });

  it('has the text of a failure as its message', async () => {
    const { answer } = call({ body: result({ id: 't', status: { state: 'input-required', message: 'which?' } }) });
    expect(await answer).toMatchObject({
      task: { status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'which?' }] } } },
    });
  });

  it.each<[string, Canned, A2AMethod, object, string]>([
    ['another method', {}, 'GetTask', { id: 't' }, 'UNSUPPORTED_OPERATION'],
    ['no text', {}, 'SendMessage', { message: { parts: [{ data: 1 }] } }, 'UNSUPPORTED_OPERATION'],
    [
      'a refusal',
      { status: 401, body: { jsonrpc: '2.0', error: { code: 'AUTHENTICATION_FAILED' } } },
      'SendMessage',
      params,
      'UNAUTHENTICATED',
    ],
  ])('refuses %s', async (_name, canned, method, given, code) => {
    expect(await outcome(call(canned, method, given).answer)).toBe(code);
  });
});
