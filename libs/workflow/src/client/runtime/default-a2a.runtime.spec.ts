import { describe, expect, it } from '@jest/globals';
import type { ClientHttp } from 'nestjs-a2a/client';
import { type AgentCard, type AgentInterface, Role, type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import {
  DefaultA2ARuntime,
  type DefaultA2ARuntimeOptions,
  RemoteA2AError,
  type RuntimeCallContext,
} from 'nestjs-a2a/workflow';
import { caught } from '../../../../../test/support/caught.js';
import { type HttpScript, ScriptedClientHttp } from '../../../../../test/support/scripted-client-http.js';
import { scriptedCard, taskOf } from '../../../../../test/support/workflow/scripted-runtime.js';
import { wrapped } from './bare-objects.js';

const { COMPLETED, WORKING } = TaskState;
const request = { message: { messageId: 'm', role: Role.USER, parts: [{ text: 'do' }] } };
const task = taskOf('c', COMPLETED);
const sse = { 'content-type': 'text/event-stream' };
const frame = (content: unknown): string => `data: ${JSON.stringify(content)}\n\n`;

/** A runtime whose HTTP answers by a script. */
class ScriptedHttpRuntime extends DefaultA2ARuntime {
  readonly made: ScriptedClientHttp[] = [];

  constructor(
    private readonly script: HttpScript,
    options: DefaultA2ARuntimeOptions = {},
  ) {
    super(options);
  }

  get asked(): string[] {
    return this.made.flatMap(({ asked }) => asked);
  }

  protected override customizeHttpClient(http: ClientHttp): ClientHttp {
    void http.close();
    const scripted = new ScriptedClientHttp(this.script);
    this.made.push(scripted);
    return scripted;
  }
}

function cardWith(interfaces: Partial<AgentInterface>[], streaming = false): AgentCard {
  const all = interfaces.map((entry) => ({
    url: 'https://agent.test/a2a',
    protocolBinding: 'HTTP+JSON',
    protocolVersion: '1.0',
    ...entry,
  }));
  return { ...scriptedCard('X', { streaming }), supportedInterfaces: all };
}

function contextOf(given: Partial<RuntimeCallContext> = {}): RuntimeCallContext {
  return {
    headers: {},
    channel: 'task',
    transportActivity: () => undefined,
    signal: new AbortController().signal,
    ...given,
  };
}

async function eventsOf(events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('the interface that is used', () => {
  const rest = { protocolBinding: 'HTTP+JSON', url: 'https://agent.test/rest' };
  const rpc = { protocolBinding: 'JSONRPC', url: 'https://agent.test/rpc' };
  const grpc = { protocolBinding: 'GRPC', url: 'agent.test:50051' };

  it.each<[string, Partial<AgentInterface>[], string | null, string, number]>([
    ['the first one', [rest, rpc], null, 'https://agent.test/rest/tasks/t', 0],
    ['the preferred one, in any letter case', [rest, rpc], 'jsonRpc', 'https://agent.test/rpc', 0],
    ['the first one in place of a preferred one that is not there', [rpc], 'HTTP+JSON', 'https://agent.test/rpc', 1],
    ['none of GRPC', [grpc, rest], 'GRPC', 'https://agent.test/rest/tasks/t', 1],
    ['a blank one as HTTP+JSON', [{ ...rest, protocolBinding: ' ' }], null, 'https://agent.test/rest/tasks/t', 0],
    [
      'none of an older version',
      [{ ...rpc, protocolVersion: '0.2' }, rest],
      null,
      'https://agent.test/rest/tasks/t',
      0,
    ],
  ])('is %s', async (_case, interfaces, preferredProtocol, url, warnings) => {
    const logs: string[] = [];
    const log = { warn: (text: string): void => void logs.push(text) };
    const runtime = new ScriptedHttpRuntime(() => ({ status: 500 }), { preferredProtocol, log });
    const card = cardWith(interfaces);
    await caught(runtime.getTask(card, 't', contextOf()));
    await caught(runtime.getTask(card, 't', contextOf()));
    expect(runtime.asked[0]?.split(' ')[1]).toBe(url);
    expect(logs).toHaveLength(warnings);
  });

  it('is missing on a card with GRPC alone', async () => {
    const runtime = new ScriptedHttpRuntime(() => ({}));
    const error = await caught(runtime.getTask(cardWith([grpc]), 't', contextOf()));
    expect(error.message).toContain('The card of X offers GRPC 1.0; this runtime speaks HTTP+JSON and JSONRPC');
    expect(runtime.asked).toEqual([]);
  });
});

describe('calls', () => {
  it('go to the paths of HTTP+JSON, with the headers of the call', async () => {
    const runtime = new ScriptedHttpRuntime(({ url }) => ({
      body: url.endsWith('/tasks?pageSize=2') ? { tasks: [task] } : task,
    }));
    const card = cardWith([{ tenant: 'ten ant' }]);
    const context = contextOf({
      headers: { Authorization: 'Bearer x', Accept: 'application/x', 'A2A-Extensions': 'urn:e' },
    });
    expect(await runtime.getTask(card, 't/1', context)).toEqual(task);
    expect(await runtime.cancelTask(card, 't', context)).toEqual(task);
    const plain = cardWith([{}]);
    expect((await runtime.listTasks(plain, { pageSize: 2 }, context)).tasks).toEqual([task]);
    expect(runtime.asked).toEqual([
      'GET https://agent.test/a2a/tasks/t%2F1?tenant=ten+ant',
      'POST https://agent.test/a2a/tasks/t:cancel',
      'GET https://agent.test/a2a/tasks?pageSize=2',
    ]);
    expect(runtime.made).toHaveLength(1);
    expect(runtime.made[0]?.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer x',
      accept: 'application/x',
      'a2a-extensions': 'urn:e',
      'a2a-version': '1.0',
    });
  });

  it('wait for the answer of an agent that cannot stream', async () => {
    const runtime = new ScriptedHttpRuntime(() => ({ body: { task } }));
    expect(await eventsOf(runtime.sendMessage(cardWith([{}]), request, contextOf()))).toEqual([{ task }]);
    expect(runtime.asked).toEqual(['POST https://agent.test/a2a/message:send']);
    expect(runtime.made[0]?.limits[0]).toMatchObject({ totalTimeoutMs: 0, headersTimeoutMs: 0 });
  });

  it('read streams, comments among them, and tell of each sign of life', async () => {
    const body = `: heartbeat\n\n${frame({ task: taskOf('c', WORKING) })}${frame({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: COMPLETED } } })}`;
    const runtime = new ScriptedHttpRuntime(() => ({ headers: sse, body }));
    let activity = 0;
    const transportActivity = (): void => void (activity += 1);
    const events = await eventsOf(runtime.sendMessage(cardWith([{}], true), request, contextOf({ transportActivity })));
    expect(events.map((event) => Object.keys(event)[0])).toEqual(['task', 'statusUpdate']);
    expect(activity).toBeGreaterThanOrEqual(2);
    expect(runtime.asked).toEqual(['POST https://agent.test/a2a/message:stream']);
    expect(runtime.made[0]?.closedStreams).toBe(1);
  });

  it.each<['task' | 'notification', number, string | number]>([
    ['task', 0, 3],
    ['task', -1, 'ANSWER_TOO_LARGE'],
    ['notification', -1, 3],
  ])('break off the stream of a %s that is longer than it may be (%i): %p', async (channel, spare, expected) => {
    const body = frame({ task: taskOf('c', WORKING) }).repeat(3);
    const options = { maxStreamBytes: body.length + spare };
    const runtime = new ScriptedHttpRuntime(() => ({ headers: sse, body }), options);
    const reading = eventsOf(runtime.sendMessage(cardWith([{}], true), request, contextOf({ channel })));
    expect(
      await reading.then(
        ({ length }) => length,
        ({ code }) => code,
      ),
    ).toBe(expected);
    expect(runtime.made[0]?.closedStreams).toBe(1);
  });

  it('end quietly with an empty stream', async () => {
    const runtime = new ScriptedHttpRuntime(() => ({ headers: sse, body: ': nothing\n\n' }));
    expect(await eventsOf(runtime.subscribeToTask(cardWith([{}]), 't', contextOf()))).toEqual([]);
  });

  it('take a connection of their own for notifications, and stream whatever the card says', async () => {
    const runtime = new ScriptedHttpRuntime(() => ({ headers: sse, body: frame({ task }) }));
    const card = cardWith([{}]);
    await eventsOf(runtime.sendMessage(card, request, contextOf({ channel: 'notification' })));
    await eventsOf(runtime.sendMessage(card, request, contextOf({ channel: 'notification' })));
    expect(runtime.made).toHaveLength(2);
    expect(runtime.asked[0]).toBe('POST https://agent.test/a2a/message:stream');
  });

  it('refuse an answer that is none', async () => {
    const runtime = new ScriptedHttpRuntime(() => ({ body: { id: 't' } }));
    expect((await caught(runtime.getTask(cardWith([{}]), 't', contextOf()))).message).toContain('status is required');
  });

  it('are refused once the runtime is closed', async () => {
    const runtime = new ScriptedHttpRuntime(() => ({}));
    await runtime.close();
    expect((await caught(runtime.getTask(cardWith([{}]), 't', contextOf()))).message).toBe('A2A runtime is closed');
  });

  it('need HTTP: a hook that returns nothing is refused', async () => {
    class Broken extends DefaultA2ARuntime {
      protected override customizeHttpClient(): ClientHttp {
        const nothing: unknown = null;
        const isHttp = (_value: unknown): _value is ClientHttp => true;
        if (isHttp(nothing)) return nothing;
        throw new Error('unreachable');
      }
    }
    const error = await caught(new Broken().getTask(cardWith([{}]), 't', contextOf()));
    expect(error.message).toContain('customizeHttpClient returned nothing');
  });
});

describe.each(['HTTP+JSON', 'JSONRPC'])('errors over %s', (protocolBinding) => {
  const envelope = {
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'slow down',
      details: [{ reason: 'RATE-LIMIT EXCEEDED' }],
    },
  };
  const call = (script: HttpScript, streaming: boolean): Promise<Error> => {
    const card = cardWith([{ protocolBinding }], streaming);
    return caught(eventsOf(new ScriptedHttpRuntime(script).sendMessage(card, request, contextOf())));
  };

  it.each<[string, Parameters<typeof call>[1], ReturnType<HttpScript>, object]>([
    [
      'an answer',
      false,
      { status: 429, body: envelope, headers: { 'retry-after': '7' } },
      { httpStatus: 429, retryAfter: 7 },
    ],
    ['an answer in place of a stream', true, { status: 503, body: envelope }, { httpStatus: 503 }],
    ['an answer of success', false, { status: 200, body: envelope }, { httpStatus: 429 }],
    ['an answer of success in place of a stream', true, { status: 200, body: envelope }, { httpStatus: 429 }],
    ['a frame', true, { headers: sse, body: frame(envelope) }, { httpStatus: 429 }],
  ])('are found in %s', async (_case, streaming, answer, shape) => {
    const error = await call(() => answer, streaming);
    expect(error).toBeInstanceOf(RemoteA2AError);
    expect(error).toMatchObject({ remoteCode: 429, code: 'a2a.rate_limit_exceeded', message: 'slow down', ...shape });
  });

  it.each<[string, ReturnType<HttpScript>, number]>([
    ['problem+json', { status: 400, body: { title: 'no', status: 400 } }, 400],
    ['text', { status: 502, body: 'Bad gateway' }, 502],
    ['nothing', { status: 404 }, 404],
    ['a redirect', { status: 302, headers: { location: 'https://other.test/' } }, 302],
  ])('say no more than the status where there is no envelope: %s', async (_case, answer, status) => {
    for (const streaming of [true, false]) {
      expect((await call(() => answer, streaming)).message).toBe(`A2A request failed with HTTP ${status}`);
    }
  });
});

it('reads errors of JSON-RPC as the binding has them', async () => {
  const runtime = new ScriptedHttpRuntime(({ body = '' }) => {
    const { id } = JSON.parse(body);
    return { body: { jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } } };
  });
  const error = await caught(runtime.getTask(cardWith([{ protocolBinding: 'JSONRPC' }]), 't', contextOf()));
  expect(RemoteA2AError.findIn(error)).toMatchObject({ reason: 'TASK_NOT_FOUND', httpStatus: 404 });
});

it.each<[unknown, unknown]>([
  [{ id: 't', status: {} }, { task: { id: 't', status: {} } }],
  [{ taskId: 't', artifact: {} }, { artifactUpdate: { taskId: 't', artifact: {} } }],
  [{ taskId: 't', status: {} }, { statusUpdate: { taskId: 't', status: {} } }],
  [
    { task: {}, id: 't', status: {} },
    { task: {}, id: 't', status: {} },
  ],
  [{ messageId: 'm' }, { messageId: 'm' }],
  ['text', 'text'],
  [null, null],
])('%j is read as %j', (content, read) => expect(wrapped(content)).toEqual(read));
