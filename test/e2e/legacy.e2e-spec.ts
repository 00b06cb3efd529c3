import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Module,
  Post,
  VersioningType,
  type DynamicModule,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import {
  A2AConfigurationError,
  A2AModule,
  ApiKeyScheme,
  type A2AModuleExtras,
  type A2AModuleOptions,
} from 'nestjs-a2a';
import { A2AClient, A2ATaskFailedError } from 'nestjs-a2a/client';
import { UnauthenticatedError, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { asUser, message, rpc } from '../support/a2a-calls.js';
import { at, listAt, send, type Call } from '../support/http-call.js';
import { Pair, type Side } from '../support/parity.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { caught } from '../support/caught.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type StartOptions } from '../support/running-app.js';
import { probeCard } from '../probe-agent/probe.options.js';

const KEY = 'older-secret';
const AUTHORIZED = { 'x-older-key': KEY };
const TYPED = (type: string) => ({ ...AUTHORIZED, 'content-type': type });
const ALIASES = ['/tasks/send', '/message:send', '/message/send'] as const;
const PATHS = [...ALIASES, '/'] as const;
const UUID = /^[0-9a-f-]{36}$/;

/** What an older peer sends. */
function older(path: string, text: unknown, { id = 'task-1', method = 'tasks/send' } = {}): Call {
  return {
    path,
    headers: AUTHORIZED,
    body: { jsonrpc: '2.0', method, params: { id, message: { role: 'user', parts: [{ type: 'text', text }] } }, id: 1 },
  };
}

function raw(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Call {
  return { method: 'POST', path, headers: { ...AUTHORIZED, ...headers }, body };
}

describe('older peers', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() =>
      probeModule({
        agentCard: { ...probeCard(), skills: [{ name: 'Do It', inputSchema: { type: 'string' } }] },
        legacyAliases: true,
        maxRequestBytes: 2_000,
        authentication: [
          new ApiKeyScheme({ keys: KEY, parameter: 'X-Older-Key', obtainAt: 'https://agent.example/keys' }),
        ],
      }),
    );
  });
  afterAll(() => pair.close());

  it.each(PATHS.flatMap((path) => ['tasks/send', 'message/send'].map((method) => ({ path, method }))))(
    'are answered at $path by $method',
    async ({ path, method }) => {
      const { status, headers, body } = await pair.call(older(path, 'echo hi', { method }));
      expect([status, headers['content-type']]).toEqual([200, 'application/json']);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {
          id: expect.stringMatching(UUID),
          status: { state: 'completed' },
          artifacts: [{ parts: [{ type: 'text', text: 'hi' }] }],
        },
      });
    },
  );

  it('are told of tasks in the words of then', async () => {
    const resultOf = async (text: string): Promise<unknown> =>
      at((await pair.call(older('/tasks/send', text))).body, 'result');
    expect(await resultOf('pause which one?')).toMatchObject({
      status: { state: 'input_required', message: 'which one?' },
      artifacts: [],
    });
    expect(await resultOf('auth')).toMatchObject({ status: { state: 'auth_required' } });
    expect(await resultOf('reject no')).toMatchObject({ status: { state: 'rejected', message: 'no' } });
    expect(at(await resultOf('fail secret'), 'status')).toEqual({
      state: 'failed',
      message: expect.stringMatching(/^error: (?!.*secret)/),
    });
    expect(await resultOf('data')).toMatchObject({
      artifacts: [{ parts: [{ type: 'data', data: { key: 'value', count: 42 } }] }],
    });
    const file = { name: 'hello.txt', mimeType: 'text/plain', bytes: 'aGVsbG8=' };
    expect(await resultOf('file')).toMatchObject({ artifacts: [{ parts: [{ type: 'file', file }] }] });
    // They read the first part and no other: the chunks of a text are one.
    expect(await resultOf('slow 3 0')).toMatchObject({ artifacts: [{ parts: [{ text: 'c1 c2 c3 ' }] }] });
    expect(await resultOf('message hello')).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'hello' }] }],
    });
  });

  it('have real tasks, which go on by either dialect', async () => {
    const first = await pair.note('id', 'result.id', older('/tasks/send', 'pause what?', { id: 'mine' }));
    expect(at(first.body, 'result.id')).not.toBe('mine');
    const seen = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, AUTHORIZED));
    expect(at(seen.body, 'result.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
    const next = await pair.call((side) => older('/message:send', 'that', { id: side.note('id') }));
    expect(at(next.body, 'result')).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ parts: [{ text: 'got: that' }] }],
    });
    await pair.each((side) => expect(side.notes.get('id')).toMatch(UUID));
    const ended = await pair.call((side) => older('/tasks/send', 'more', { id: side.note('id') }));
    expect([ended.status, at(ended.body, 'error.code')]).toEqual([400, 'INVALID_REQUEST']);
    const unknown = '11111111-2222-4333-8444-555555555555';
    const other = await pair.call(older('/tasks/send', 'echo new', { id: unknown }));
    expect(at(other.body, 'result.status.state')).toBe('completed');
    expect(at(other.body, 'result.id')).not.toBe(unknown);
  });

  it('give every text, and no other part', async () => {
    const parts = [{ text: 'echo a' }, { kind: 'data', data: {} }, null, { text: 'b', type: 'text' }, { text: 7 }];
    const { body } = await pair.call(
      raw('/', { jsonrpc: '2.0', method: 'tasks/send', params: { message: { parts } } }),
    );
    const task = await pair.call(rpc('ListTasks', { pageSize: 1 }, AUTHORIZED));
    expect(at(task.body, 'result.tasks.0.history.0.parts')).toEqual([{ text: 'echo a' }, { text: 'b' }]);
    expect(at(body, 'id')).toBeNull();
  });

  it.each([
    ['no params', undefined, 'Missing params'],
    ['params that are none', 'x', 'Missing params'],
    ['a list for params', [], 'Missing params'],
    ['no message', { id: 'task-1' }, 'Missing message'],
    ['a message that is none', { message: 'hi' }, 'Missing message'],
    ['no parts', { message: { role: 'user' } }, 'Missing message parts'],
    ['parts that are none', { message: { parts: { 0: { text: 'a' } } } }, 'Missing message parts'],
    ['empty parts', { message: { parts: [] } }, 'Missing message parts'],
    ['a blank text', { message: { parts: [{ text: ' ' }, { text: 'a' }] } }, 'Missing text part'],
    ['no text', { message: { parts: [{ data: {} }] } }, 'Missing text part'],
    ['a text that is none', { message: { parts: [{ text: {} }] } }, 'Missing text part'],
  ])('are refused with %s', async (_what, params, text) => {
    for (const path of PATHS) {
      const { status, body } = await pair.call(raw(path, { jsonrpc: '2.0', method: 'tasks/send', params, id: 'a' }));
      expect([path, status, body]).toEqual([
        path,
        400,
        { jsonrpc: '2.0', id: 'a', error: { code: 'INVALID_REQUEST', message: text } },
      ]);
    }
  });

  it.each<[string, Omit<Call, 'path'>, number, string, number, number | string]>([
    ['no key', { headers: {}, body: '{' }, 401, 'AUTHENTICATION_FAILED', 401, 'AUTHENTICATION_FAILED'],
    ['a form', { headers: TYPED('text/plain'), body: '{' }, 415, 'INVALID_REQUEST', 200, -32005],
    ['no type', { method: 'POST' }, 415, 'INVALID_REQUEST', 200, -32005],
    ['a body too large', { body: 'x'.repeat(3_000) }, 413, 'INVALID_REQUEST', 413, -32600],
    ['no JSON', { body: '{"jsonrpc":' }, 400, 'INVALID_REQUEST', 200, -32700],
    ['no UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, 'INVALID_REQUEST', 200, -32700],
    ['no body', { body: '' }, 400, 'INVALID_REQUEST', 200, -32700],
    ['null', { body: 'null' }, 400, 'INVALID_REQUEST', 200, -32600],
    ['a batch', { body: [] }, 400, 'INVALID_REQUEST', 200, -32600],
    ['no version', { body: { method: 'tasks/send' } }, 400, 'INVALID_REQUEST', 200, -32600],
    ['another version', { body: { jsonrpc: '1.0', method: 'tasks/send' } }, 400, 'INVALID_REQUEST', 200, -32600],
    ['an id that is none', { body: { jsonrpc: '2.0', id: {}, method: 'a' } }, 400, 'INVALID_REQUEST', 200, -32600],
    ['an unknown method', { body: { jsonrpc: '2.0', method: 'tasks/x' } }, 400, 'INVALID_REQUEST', 200, -32601],
    ['an inherited name', { body: { jsonrpc: '2.0', method: 'constructor' } }, 400, 'INVALID_REQUEST', 200, -32601],
  ])('are told what is wrong with %s', async (_what, call, status, code, rootStatus, rootCode) => {
    for (const path of PATHS) {
      const answer = await pair.call({ headers: AUTHORIZED, ...call, path });
      const expected = path === '/' ? [rootStatus, rootCode] : [status, code];
      expect([path, answer.status, at(answer.body, 'error.code')]).toEqual([path, ...expected]);
      expect([path, 'www-authenticate' in answer.headers]).toEqual([path, status === 401]);
    }
  });

  it.each(['GET', 'PUT', 'DELETE'])('are told that %s is not how they are heard', async (method) => {
    for (const path of ALIASES) {
      const { status, headers, body } = await pair.call({ method, path });
      expect([path, status, headers.allow]).toEqual([path, 405, 'POST']);
      expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: 'INVALID_REQUEST' }, id: null });
    }
    // What is at the root for other verbs is the host's, and this one has nothing there.
    const root = await pair.each((side) => send(side.url, { method, path: '/' }));
    expect(root.map(({ status }) => status)).toEqual([404, 404]);
  });

  it.each(['/tasks/send/x', '/message:stream', '/messages', '/message/stream', '/foo'])(
    'are not called at %s',
    async (path) => {
      const answers = await pair.each((side) => send(side.url, older(path, 'echo hi')));
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    },
  );

  it('are held to the version that they name', async () => {
    const call = older('/tasks/send', 'echo hi');
    const wrong = await pair.call({ ...call, headers: { ...AUTHORIZED, 'a2a-version': '0.3' } });
    expect([wrong.status, at(wrong.body, 'error.code')]).toEqual([400, 'INVALID_REQUEST']);
    const right = await pair.call({ ...call, headers: { ...AUTHORIZED, 'a2a-version': '1.0' } });
    expect(right.status).toBe(200);
  });

  it.each(PATHS)('may call the methods of the standard at %s', async (path) => {
    const sent = await pair.note('std', 'result.task.id', rpc('SendMessage', message('pause well?'), AUTHORIZED, path));
    expect(at(sent.body, 'result.task.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
    const got = await pair.call((side) => rpc('GetTask', { id: side.note('std') }, AUTHORIZED, path));
    expect(at(got.body, 'result.history')).toHaveLength(1);
    const stream = await pair.stream(rpc('SendStreamingMessage', message('echo hi'), AUTHORIZED, path));
    expect(at(stream.frames.at(-1)?.data, 'result.statusUpdate.status.state')).toBe('TASK_STATE_COMPLETED');
    const unknown = await pair.call(rpc('GetTask', { id: 'none' }, AUTHORIZED, path));
    expect([unknown.status, at(unknown.body, 'error.code')]).toEqual([200, -32001]);
    const version = await pair.call(rpc('ListTasks', {}, { ...AUTHORIZED, 'a2a-version': '2.0' }, path));
    expect([version.status, at(version.body, 'error.code')]).toEqual([200, -32009]);
    for (const time of [1, 2]) {
      const gone = await pair.call((side) =>
        rpc('DeleteTaskPushNotificationConfig', { taskId: side.note('std'), id: 'none' }, AUTHORIZED, path),
      );
      expect([time, at(gone.body, 'result')]).toEqual([time, null]);
    }
  });

  it('find the older card, which says only what is there', async () => {
    const card = await pair.call({ path: '/.well-known/agent.json' });
    const { url } = pair.sides[0];
    expect(card.status).toBe(200);
    expect(card.headers.etag).toBeDefined();
    expect(card.body).toEqual({
      name: 'Probe',
      description: expect.any(String),
      version: '1.0.0',
      url,
      protocol: 'a2a/1.0',
      agentUri: 'agent://probe',
      capabilities: ['streaming', 'pushNotifications'],
      skills: [
        {
          id: 'do-it',
          name: 'Do It',
          description: '',
          inputSchema: { type: 'string' },
          tags: ['do-it'],
          examples: [],
          inputModes: ['text/plain', 'application/json', 'text/csv'],
          outputModes: ['text/plain', 'application/json'],
        },
      ],
      authentication: { type: 'api-key', header: 'X-Older-Key', obtainAt: 'https://agent.example/keys' },
      endpoints: {
        root: 'POST /',
        'tasks/send': 'POST /tasks/send',
        'message:send': 'POST /message:send',
        'message/send': 'POST /message/send',
      },
      supportedInterfaces: [
        { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${url}/a2a/json`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
      defaultInputModes: ['text/plain', 'application/json', 'text/csv'],
      defaultOutputModes: ['text/plain', 'application/json'],
      securitySchemes: { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-Older-Key' } } },
      securityRequirements: [{ apiKey: [] }],
    });
    for (const endpoint of Object.values(Object(at(card.body, 'endpoints'))).map(String)) {
      const answer = await pair.call(older(endpoint.slice('POST '.length), 'echo hi'));
      expect([endpoint, answer.status]).toEqual([endpoint, 200]);
    }
    const same = await pair.call({ path: '/.well-known/agent.json', method: 'HEAD' });
    expect([same.status, same.text]).toEqual([200, '']);
    const again = await pair.each(async (side) => {
      const { headers } = await send(side.url, { path: '/.well-known/agent.json' });
      return send(side.url, { path: '/.well-known/agent.json', headers: { 'if-none-match': String(headers.etag) } });
    });
    expect(again.map(({ status }) => status)).toEqual([304, 304]);
    const wrong = await pair.call({ path: '/.well-known/agent.json', method: 'POST', body: {} });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(wrong.body).toEqual({ error: expect.any(String) });
    const current = await pair.call({ path: '/.well-known/agent-card.json' });
    expect(at(current.body, 'skills.0')).not.toHaveProperty('inputSchema');
    expect(current.body).not.toHaveProperty('skillInputSchemas');
  });

  it('may be our own client, by the card alone', async () => {
    await pair.each(async (side: Side) => {
      const { body } = await send(side.url, { path: '/.well-known/agent.json' });
      const { supportedInterfaces: _none, ...card } = Object(body);
      const client = await A2AClient.discover(card, { network: 'any', credentials: KEY });
      expect(await client.sendTask('echo hello')).toBe('hello');
      const chat = client.chat();
      expect(await chat.say('pause what?')).toBe('what?');
      expect(await chat.say('this')).toBe('got: this');
      await expect(client.sendTask('fail now')).rejects.toBeInstanceOf(A2ATaskFailedError);
      await expect(client.getTask('none')).rejects.toBeInstanceOf(UnsupportedOperationError);
      await client.close();
      const stranger = await A2AClient.discover(card, { network: 'any', credentials: 'wrong' });
      await expect(stranger.sendTask('echo hello')).rejects.toBeInstanceOf(UnauthenticatedError);
      await stranger.close();
      // Whoever reads the interfaces as well speaks the standard.
      const cardPath = '.well-known/agent.json';
      const current = await A2AClient.discover(side.url, { network: 'any', credentials: KEY, cardPath });
      expect(listAt(await current.listTasks({}), 'tasks').length).toBeGreaterThan(0);
      await current.close();
    });
  });
});

/** What a host has beside an agent. */
@Controller()
class HostController {
  @Get()
  page(): string {
    return 'page';
  }

  @Get('messages')
  messages(): string {
    return 'messages';
  }

  @Post('tasks/:name')
  task(): string {
    return 'task';
  }
}

@Module({ controllers: [HostController] })
class HostModule {}

function agents(...imports: DynamicModule[]): Type {
  // Last: what an agent takes, it would take from this one.
  @Module({ imports: [...imports, HostModule] })
  class AppModule {}
  return AppModule;
}

function agent(name: string, options: A2AModuleOptions & A2AModuleExtras = {}): DynamicModule {
  const executor = { useValue: new EchoExecutor(name) };
  return A2AModule.forRoot({ agentCard: cardOf(name), executor, legacyAliases: true, ...options });
}

async function withPair(
  module: () => DynamicModule | Type,
  start: StartOptions,
  use: (pair: Pair) => Promise<void>,
): Promise<void> {
  const pair = await Pair.start(module, start);
  try {
    await use(pair);
  } finally {
    await pair.close();
  }
}

const textAtResult = 'result.artifacts.0.parts.0.text';

describe('the paths of older peers', () => {
  it('are below each agent, out of prefix and versions, and take nothing from the host', async () => {
    const setup = (app: INestApplication): unknown =>
      app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    // Both are below the prefix, so that older peers have the root and the paths there to themselves.
    const two = (): Type =>
      agents(agent('Root', { pathPrefix: '/' }), agent('Weather', { path: 'weather', guards: [BelievingGuard] }));
    await withPair(two, { setup }, async (pair) => {
      for (const [base, name] of [
        ['', 'Root'],
        ['/weather', 'Weather'],
      ] as const) {
        const card = await pair.call({ path: `${base}/.well-known/agent.json` });
        expect([at(card.body, 'name'), at(card.body, 'url')]).toEqual([name, pair.sides[0].url + base]);
        expect(card.body).not.toHaveProperty('authentication');
        for (const path of [...ALIASES, '/tasks/send/', ...(base === '' ? ['/'] : ['', '/'])]) {
          const answer = await pair.call(older(base + path, 'hi'));
          expect([base + path, at(answer.body, textAtResult)]).toEqual([base + path, `${name} hi`]);
        }
      }
      const forbidden = { authorization: 'forbidden' };
      const refused = await pair.call({ ...older('/weather/tasks/send', 'hi'), headers: forbidden });
      expect([refused.status, at(refused.body, 'error.code')]).toEqual([403, 'PERMISSION_DENIED']);
      const atRoot = await pair.call({ ...older('/weather', 'hi'), headers: forbidden });
      expect([atRoot.status, at(atRoot.body, 'error.code')]).toEqual([403, 'PERMISSION_DENIED']);
      const ann = { headers: asUser('ann') };
      await pair.note('hers', 'result.id', { ...older('/weather/tasks/send', 'hi'), ...ann });
      const again = (side: Side): Call => older('/weather/tasks/send', 'more', { id: side.note('hers') });
      const hers = await pair.call((side) => ({ ...again(side), ...ann }));
      expect(hers.status).toBe(400);
      const his = await pair.call((side) => ({ ...again(side), headers: asUser('bob') }));
      expect([his.status, at(his.body, textAtResult)]).toEqual([200, 'Weather more']);
      for (const call of [
        { path: '/api/v1', text: 'page' },
        { path: '/api/v1/messages', text: 'messages' },
        { path: '/api/v1/tasks/send', method: 'POST', text: 'task' },
      ]) {
        const answers = await pair.each((side) => send(side.url, call));
        expect(answers.map(({ text }) => text)).toEqual([call.text, call.text]);
      }
    });
  });

  it('leave the host its page at the root, and its CORS', async () => {
    const setup = (app: INestApplication): void => app.enableCors();
    await withPair(
      () => agents(agent('Root')),
      { setup },
      async (pair) => {
        const page = await pair.each((side) => send(side.url, { path: '/' }));
        expect(page.map(({ text }) => text)).toEqual(['page', 'page']);
        expect(at((await pair.call(older('/', 'hi'))).body, textAtResult)).toBe('Root hi');
        const origin = 'https://page.example';
        const asked = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-older-key',
        };
        for (const path of [...PATHS, '/.well-known/agent.json']) {
          const allowed = await pair.each((side) => send(side.url, { method: 'OPTIONS', path, headers: asked }));
          const seen = allowed.map(({ status, headers }) => [path, status, headers['access-control-allow-origin']]);
          expect(seen).toEqual([
            [path, 204, '*'],
            [path, 204, '*'],
          ]);
        }
        const refused = await pair.call({ path: '/tasks/send', headers: { origin } });
        expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([405, '*']);
      },
    );
  });

  it('are below the path of a module, and the older card says so', async () => {
    const routed = (): Type => agents(agent('Root'), RouterModule.register([{ path: 'mod', module: A2AModule }]));
    await withPair(routed, {}, async (pair) => {
      const { url } = pair.sides[0];
      const { body } = await pair.call({ path: '/mod/.well-known/agent.json' });
      expect(at(body, 'url')).toBe(`${url}/mod`);
      for (const endpoint of Object.values(Object(at(body, 'endpoints'))).map(String)) {
        const path = `/mod${endpoint.slice('POST '.length)}`;
        expect([path, at((await pair.call(older(path, 'hi'))).body, textAtResult)]).toEqual([path, 'Root hi']);
      }
    });
  });

  it('are shared with JSON-RPC at the root, which keeps its own form there', async () => {
    await withPair(
      () => agent('Root', { jsonRpcPath: '/' }),
      {},
      async (pair) => {
        const answer = await pair.call(older('/', 'hi'));
        expect(at(answer.body, textAtResult)).toBe('Root hi');
        const refused = await pair.call(raw('/', { jsonrpc: '2.0', method: 'tasks/send', id: 1 }));
        expect([refused.status, at(refused.body, 'error.code')]).toEqual([400, 'INVALID_REQUEST']);
        const sent = await pair.call(rpc('SendMessage', message('hi'), {}, '/'));
        expect(at(sent.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
        const unknown = await pair.call(rpc('tasks/x', {}, {}, '/'));
        expect([unknown.status, at(unknown.body, 'error.code')]).toEqual([200, -32601]);
        const alias = await pair.call(older('/tasks/send', 'hi'));
        expect(at(alias.body, textAtResult)).toBe('Root hi');
        const card = await pair.call({ path: '/.well-known/agent-card.json' });
        expect(at(card.body, 'supportedInterfaces.0.url')).toBe(`${pair.sides[0].url}/`);
      },
    );
  });

  it('are shared with HTTP+JSON, where the body says whose a call is', async () => {
    const options = { pathPrefix: '/', slashActionAliasesEnabled: true, maxRequestBytes: 2_000 };
    await withPair(
      () => agent('Root', options),
      {},
      async (pair) => {
        for (const path of ['/message:send', '/message/send']) {
          const answer = await pair.call(older(path, 'hi'));
          expect(at(answer.body, textAtResult)).toBe('Root hi');
          const wrong = await pair.call(raw(path, { jsonrpc: '1.0' }));
          expect([wrong.status, at(wrong.body, 'error.code')]).toEqual([400, 'INVALID_REQUEST']);
          const standard = await pair.call(rpc('GetTask', { id: 'none' }, {}, path));
          expect([standard.status, at(standard.body, 'error.code')]).toEqual([200, -32001]);
          const streamed = await pair.stream(rpc('SendStreamingMessage', message('hi'), {}, path));
          expect(at(streamed.frames[0]?.data, 'jsonrpc')).toBe('2.0');
          const rest = await pair.call(raw(path, message('hi')));
          expect(at(rest.body, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
          const restFault = await pair.call(raw(path, { params: {} }));
          expect([restFault.status, at(restFault.body, 'error.details.0.reason')]).toEqual([400, 'INVALID_PARAMS']);
          const large = await pair.call(raw(path, 'x'.repeat(3_000)));
          expect([large.status, at(large.body, 'error.status')]).toEqual([413, 'INVALID_ARGUMENT']);
        }
        const stream = await pair.stream(raw('/message:stream', message('hi')));
        expect(at(stream.frames[0]?.data, 'task.status.state')).toBeDefined();
        const alias = await pair.call(older('/tasks/send', 'hi'));
        expect(at(alias.body, textAtResult)).toBe('Root hi');
        const list = await pair.call({ path: '/tasks' });
        expect(list.status).toBe(200);
        const card = await pair.call({ path: '/.well-known/agent-card.json' });
        expect(at(card.body, 'supportedInterfaces.1.url')).toBe(pair.sides[0].url);
      },
    );
  });

  it.each<[string, A2AModuleOptions, string]>([
    ['the root of another', { jsonRpcPath: '/weather', legacyAliases: false }, "'/weather'"],
    ['the aliases of another', { pathPrefix: '/weather', legacyAliases: false }, "'/weather/message:send'"],
  ])('are not %s agent as well', async (_what, options, path) => {
    for (const adapter of ADAPTERS) {
      const two = agents(agent('Root', options), agent('Weather', { path: 'weather' }));
      const error = await caught(start(adapter, two));
      expect(error).toBeInstanceOf(A2AConfigurationError);
      expect(String(error)).toContain(`'/' and '/weather', are both served at ${path}`);
      expect(String(error)).toContain('leave out its legacyAliases');
    }
  });
});
