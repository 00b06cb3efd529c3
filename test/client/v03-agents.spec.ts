import { describe, expect, it } from '@jest/globals';
import { A2AClient, type A2AClientOptions, userMessage } from 'nestjs-a2a/client';
import { TaskState, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { bareCard } from '../support/bare-card.js';
import { caught } from '../support/caught.js';
import { type HttpScript, type ScriptedAnswer, ScriptedClientHttp } from '../support/scripted-client-http.js';
import { joinedDeltas } from './deltas.js';

type Binding = 'JSONRPC' | 'HTTP+JSON';

const { INPUT_REQUIRED, WORKING } = TaskState;
const at = { taskId: 't', contextId: 'c' };
const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] };
const push = { taskId: 't', id: 'p', url: 'https://hook.example' };
const flat = { id: 'p', url: 'https://hook.example' };

// The same things in the two forms of 0.3.
const task = (state: string, ...texts: string[]) => ({
  kind: 'task',
  id: 't',
  contextId: 'c',
  status: { state },
  artifacts: [{ artifactId: 'a', parts: texts.map((text) => ({ kind: 'text', text })) }],
});
const update = (state: string, final: boolean) => ({ kind: 'status-update', ...at, status: { state }, final });
const chunk = (text: string, append = true) => ({
  kind: 'artifact-update',
  ...at,
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
  append,
});
const protoTask = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
const protoPush = { name: 'tasks/t/pushNotificationConfigs/p', pushNotificationConfig: flat };

const parsed = (body = '{}'): Record<string, unknown> => JSON.parse(body);
/** Answers a call over JSON-RPC. */
const rpc =
  (result: (method: unknown) => unknown): HttpScript =>
  ({ body }) => {
    const { id, method } = parsed(body);
    return { body: { jsonrpc: '2.0', id, result: result(method) } };
  };
/** Frames as an answer; a last one that is null breaks the stream off. */
const sse = (...frames: readonly object[]): ScriptedAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: frames.map((frame) => `id: 7\ndata: ${JSON.stringify(frame)}\n\n`).join(''),
});
const rpcStream = (body: string | undefined, ...results: readonly object[]): ScriptedAnswer => {
  const { id } = parsed(body);
  return sse(...results.map((result) => ({ jsonrpc: '2.0', id, result })));
};

function clientOf(binding: Binding, script: HttpScript, options: Partial<A2AClientOptions> = {}) {
  const http = new ScriptedClientHttp(script);
  const supportedInterfaces = [
    { url: 'https://a.example/base/', protocolBinding: binding, protocolVersion: '0.3.0', tenant: 'acme' },
  ];
  const card = bareCard({ supportedInterfaces, capabilities: { streaming: true } });
  const wait = async (): Promise<void> => undefined;
  return { http, client: new A2AClient({ http, wait, ...options }, card) };
}

const calls: readonly (readonly [string, (client: A2AClient) => Promise<unknown>])[] = [
  ['send', (client) => client.sendMessage({ message, configuration: { returnImmediately: true, historyLength: 2 } })],
  ['get', (client) => client.getTask({ id: 't', historyLength: 0 })],
  ['cancel', (client) => client.cancelTask('t')],
  ['create', (client) => client.createTaskPushNotificationConfig({ ...push, tenant: 'acme' })],
  ['read', (client) => client.getTaskPushNotificationConfig({ taskId: 't', id: 'p' })],
  ['list', (client) => client.listTaskPushNotificationConfigs('t')],
  ['delete', (client) => client.deleteTaskPushNotificationConfig({ taskId: 't', id: 'p' })],
  ['card', (client) => client.getExtendedAgentCard()],
];
const callOf = (name: string) => new Map(calls).get(name) ?? (() => Promise.reject(new Error(name)));
const done = { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
const textMessage = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };

describe('A2AClient and an agent of A2A 0.3', () => {
  it.each<readonly [string, string, object | undefined, unknown, unknown]>([
    [
      'send',
      'message/send',
      { message: textMessage, configuration: { historyLength: 2, blocking: false } },
      { kind: 'task', ...done.task, status: { state: 'completed' } },
      done,
    ],
    ['get', 'tasks/get', { id: 't', historyLength: 0 }, { ...task('completed'), artifacts: undefined }, done.task],
    ['cancel', 'tasks/cancel', { id: 't' }, { ...task('completed'), artifacts: undefined }, done.task],
    [
      'create',
      'tasks/pushNotificationConfig/set',
      { taskId: 't', pushNotificationConfig: flat },
      { taskId: 't', pushNotificationConfig: flat },
      push,
    ],
    [
      'read',
      'tasks/pushNotificationConfig/get',
      { id: 't', pushNotificationConfigId: 'p' },
      { taskId: 't', pushNotificationConfig: flat },
      push,
    ],
    [
      'list',
      'tasks/pushNotificationConfig/list',
      { id: 't' },
      [{ taskId: 't', pushNotificationConfig: flat }],
      { configs: [push] },
    ],
    ['delete', 'tasks/pushNotificationConfig/delete', { id: 't', pushNotificationConfigId: 'p' }, null, undefined],
    ['card', 'agent/getAuthenticatedExtendedCard', undefined, { name: 'B' }, expect.objectContaining({ name: 'B' })],
  ])('on JSON-RPC: %s is %s', async (name, method, params, result, answer) => {
    const { client, http } = clientOf(
      'JSONRPC',
      rpc(() => result),
    );
    expect(await callOf(name)(client)).toEqual(answer);
    const { body, url, headers } = http.requests[0] ?? {};
    expect(url).toBe('https://a.example/base/');
    expect(headers).toMatchObject({ 'a2a-version': '0.3', 'content-type': 'application/json' });
    expect(parsed(body)).toEqual({ jsonrpc: '2.0', id: expect.any(String), method, ...(params && { params }) });
  });

  it.each<readonly [string, string, object | undefined, unknown, unknown]>([
    [
      'send',
      'POST /v1/message:send',
      {
        message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hi' }] },
        configuration: { historyLength: 2, blocking: false },
      },
      { task: protoTask },
      done,
    ],
    ['get', 'GET /v1/tasks/t?historyLength=0', undefined, protoTask, done.task],
    ['cancel', 'POST /v1/tasks/t:cancel', {}, protoTask, done.task],
    [
      'create',
      'POST /v1/tasks/t/pushNotificationConfigs',
      { parent: 'tasks/t', configId: 'p', config: protoPush },
      protoPush,
      push,
    ],
    ['read', 'GET /v1/tasks/t/pushNotificationConfigs/p', undefined, protoPush, push],
    ['list', 'GET /v1/tasks/t/pushNotificationConfigs', undefined, { configs: [protoPush] }, { configs: [push] }],
    ['delete', 'DELETE /v1/tasks/t/pushNotificationConfigs/p', undefined, '', undefined],
    ['card', 'GET /v1/card', undefined, { name: 'B' }, expect.objectContaining({ name: 'B' })],
  ])('on HTTP+JSON: %s is %s', async (name, route, body, result, answer) => {
    const { client, http } = clientOf('HTTP+JSON', () => ({ body: result }));
    expect(await callOf(name)(client)).toEqual(answer);
    expect(http.asked).toEqual([route.replace('/v1', 'https://a.example/base/v1')]);
    const [request] = http.requests;
    expect(request?.headers).toMatchObject({ 'a2a-version': '0.3' });
    expect(request?.body === undefined ? undefined : parsed(request.body)).toEqual(body);
  });

  it.each<Binding>(['JSONRPC', 'HTTP+JSON'])('sends nothing that cannot be said on %s', async (binding) => {
    const { client, http } = clientOf(binding, () => ({}));
    await expect(client.listTasks()).rejects.toBeInstanceOf(UnsupportedOperationError);
    await expect(client.sendMessage({ message: { ...message, parts: [] } })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      violations: [{ field: 'message.parts' }],
    });
    expect(http.asked).toEqual([]);
  });

  it('asks for extensions by their header of then', async () => {
    const { client, http } = clientOf(
      'JSONRPC',
      rpc(() => task('completed')),
    );
    await client.getTask('t', { extensions: ['https://x'] });
    expect(http.requests[0]?.headers).toMatchObject({ 'x-a2a-extensions': 'https://x' });
    expect(http.requests[0]?.headers).not.toHaveProperty('a2a-extensions');
  });

  it.each<readonly [Binding, ScriptedAnswer, string]>([
    ['HTTP+JSON', { status: 404, body: { code: -32001, message: 'no' } }, 'TASK_NOT_FOUND'],
    ['HTTP+JSON', { status: 404, body: { error: 'TaskNotFoundError', message: 'no' } }, 'TASK_NOT_FOUND'],
    ['HTTP+JSON', { body: { id: 't', status: {} } }, 'INVALID_ANSWER'],
    ['HTTP+JSON', { body: 'plain' }, 'INVALID_ANSWER'],
    [
      'JSONRPC',
      { body: { error: { code: -32007, message: 'no' }, jsonrpc: '2.0', id: null } },
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    ],
  ])('%s %j', async (binding, answer, code) => {
    const { client } = clientOf(binding, () => answer, { retry: { attempts: 0 } });
    expect(await caught(client.getTask('t'))).toMatchObject({ code });
  });

  it('ends a stream with the event that says it is the last, whatever its state', async () => {
    const { client, http } = clientOf('JSONRPC', ({ body }) =>
      rpcStream(body, task('submitted'), update('working', true), chunk('late')),
    );
    const stream = client.sendMessageStream({ message: userMessage('hi') });
    expect(await joinedDeltas(stream)).toBe('');
    expect(stream.view.state).toBe(WORKING);
    expect(http.requests).toHaveLength(1);
    expect(http.closedStreams).toBe(1);
  });

  it('takes up a stream that breaks by the snapshot that its agent begins with', async () => {
    const streams = [
      [task('working'), chunk('a', false), chunk('b')],
      [task('working', 'a', 'b', 'c'), chunk('d'), update('completed', true)],
    ];
    const { client, http } = clientOf('JSONRPC', ({ body }) => rpcStream(body, ...(streams.shift() ?? [])));
    expect(await joinedDeltas(client.sendMessageStream({ message: userMessage('hi') }))).toBe('abcd');
    expect(http.requests.map(({ body }) => parsed(body)['method'])).toEqual(['message/stream', 'tasks/resubscribe']);
    expect(http.requests[1]?.headers).not.toHaveProperty('last-event-id');
  });

  it.each([
    ['a stream that broke', (client: A2AClient) => client.sendMessageStream({ message: userMessage('hi') })],
    ['a subscription', (client: A2AClient) => client.subscribeToTask('t')],
  ])('polls for the rest of %s where its agent tells only what comes next', async (_what, start) => {
    const tasks = [task('working', 'a', 'b', 'c'), task('completed', 'a', 'b', 'c', 'd')];
    const { client } = clientOf('JSONRPC', ({ body }) => {
      const { id, method } = parsed(body);
      if (method === 'message/stream') return rpcStream(body, task('working'), chunk('a', false));
      if (method === 'tasks/resubscribe') return rpcStream(body, chunk('c'));
      return { body: { jsonrpc: '2.0', id, result: tasks.shift() } };
    });
    const stream = start(client);
    await stream.result();
    expect(stream.view).toMatchObject({ text: 'abcd', state: TaskState.COMPLETED });
  });

  it('subscribes over HTTP by whichever verb its agent takes', async () => {
    const { client, http } = clientOf('HTTP+JSON', ({ method }) =>
      method === 'POST' ? sse({ task: protoTask }) : { status: 405 },
    );
    for (const time of [1, 2]) expect([time, await client.subscribeToTask('t').result()]).toEqual([time, done]);
    const url = 'https://a.example/base/v1/tasks/t:subscribe';
    expect(http.asked).toEqual([`GET ${url}`, `POST ${url}`, `POST ${url}`]);
  });

  it('ends at a question over HTTP, and throws the error in a frame', async () => {
    const status = { state: 'TASK_STATE_INPUT_REQUIRED' };
    const asking = { statusUpdate: { ...at, status, final: true } };
    const asked = clientOf('HTTP+JSON', () => sse(asking)).client.sendMessageStream({ message: userMessage('hi') });
    for await (const event of asked)
      expect(event).toMatchObject({ statusUpdate: { status: { state: INPUT_REQUIRED } } });
    expect(asked.view.state).toBe(INPUT_REQUIRED);
    const failing = clientOf('HTTP+JSON', () => sse({ code: -32006, message: 'odd' }));
    const failed = failing.client.sendMessageStream({ message: userMessage('hi') });
    await expect(failed.result()).rejects.toMatchObject({ code: 'INVALID_AGENT_RESPONSE', message: 'odd' });
  });
});
