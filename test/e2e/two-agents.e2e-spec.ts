import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module, type Type } from '@nestjs/common';
import { A2AConfigurationError, A2AModule, InMemoryTaskStore, TaskStore, type A2AModuleExtras } from 'nestjs-a2a';
import { asUser, message, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { caught } from '../support/caught.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { ProbeExecutor } from '../probe-agent/probe.executor.js';
import { ADAPTERS, start } from '../support/running-app.js';

const RPC = { '': '/a2a/jsonrpc', weather: '/weather/a2a/jsonrpc', news: '/news/rpc' } as const;

function agents(weather: A2AModuleExtras = {}): Type {
  @Module({
    imports: [
      A2AModule.forRoot({ agentCard: cardOf('Root'), executor: { useValue: new EchoExecutor('root') } }),
      A2AModule.forRoot({
        path: 'weather',
        agentCard: cardOf('Weather'),
        executor: ProbeExecutor,
        guards: [BelievingGuard],
        maxRequestBytes: 2_000,
        ...weather,
      }),
      A2AModule.forRootAsync({
        path: '/news/',
        executor: { useFactory: () => new EchoExecutor('news') },
        useFactory: async () => ({ agentCard: cardOf('News'), jsonRpcPath: '/rpc', tenantRoutes: true }),
      }),
    ],
  })
  class AppModule {}
  return AppModule;
}

describe('three agents in one app', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() => agents());
  });
  afterAll(() => pair.close());

  it.each([
    ['', 'Root', '/a2a/jsonrpc', '/a2a/json'],
    ['/weather', 'Weather', '/weather/a2a/jsonrpc', '/weather/a2a/json'],
    ['/news', 'News', '/news/rpc', '/news/a2a/json'],
  ])('have their cards below their paths: %s', async (path, name, rpcPath, restPath) => {
    const card = await pair.call({ path: `${path}/.well-known/agent-card.json` });
    const { url } = pair.sides[0];
    expect(at(card.body, 'name')).toBe(name);
    expect(at(card.body, 'supportedInterfaces.0.url')).toBe(url + rpcPath);
    expect(at(card.body, 'supportedInterfaces.1.url')).toBe(url + restPath);
  });

  it('answer with their own executors', async () => {
    for (const [path, text] of [
      [RPC[''], 'root hi'],
      [RPC.weather, 'hi'],
      [RPC.news, 'news hi'],
    ] as const) {
      const answer = await pair.call(rpc('SendMessage', message('hi'), {}, path));
      expect(at(answer.body, 'result.task.artifacts.0.parts.0.text')).toBe(text);
    }
  });

  it('do not know each other’s tasks', async () => {
    const contextId = 'shared';
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause?', { contextId }), {}, RPC.weather));
    for (const path of [RPC[''], RPC.news]) {
      for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
        const answer = await pair.call((side) => rpc(method, { id: side.note('id') }, {}, path));
        expect(at(answer.body, 'error.code')).toBe(-32001);
      }
      const list = await pair.call(rpc('ListTasks', { contextId }, {}, path));
      expect(at(list.body, 'result.totalSize')).toBe(0);
      const follow = await pair.call((side) =>
        rpc('SendMessage', message('more', { taskId: side.note('id') }), {}, path),
      );
      expect(at(follow.body, 'error.code')).toBe(-32001);
    }
    const own = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, {}, RPC.weather));
    expect(at(own.body, 'result.contextId')).toBe(contextId);
  });

  it('have their own guards and settings', async () => {
    const refused = await pair.call(rpc('ListTasks', {}, { authorization: 'nobody' }, RPC.weather));
    expect(refused.status).toBe(401);
    const large = message('x'.repeat(3_000));
    expect((await pair.call(rpc('SendMessage', large, {}, RPC.weather))).status).toBe(413);
    for (const path of [RPC[''], RPC.news]) {
      expect((await pair.call(rpc('ListTasks', {}, { authorization: 'nobody' }, path))).status).toBe(200);
      expect((await pair.call(rpc('SendMessage', large, {}, path))).status).toBe(200);
    }
  });

  it('have their own tenant routes', async () => {
    const answer = await pair.call({ path: '/news/a2a/json/acme/message:send', body: message('hi') });
    expect(answer.status).toBe(200);
  });
});

describe('agents that share a store', () => {
  it('keep their tasks apart in it', async () => {
    const pair = await Pair.start(() => {
      const store = new InMemoryTaskStore({ maxTasks: 100, taskTtlSeconds: 0, maxStoreBytes: 1_000_000 });
      const shared = [{ provide: TaskStore, useValue: store }];
      @Module({
        imports: [
          A2AModule.forRoot({ agentCard: cardOf('A'), executor: EchoExecutor, path: 'a', providers: shared }),
          A2AModule.forRoot({ agentCard: cardOf('B'), executor: EchoExecutor, path: 'b', providers: shared }),
        ],
      })
      class AppModule {}
      return AppModule;
    });
    try {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('hi'), {}, '/a/a2a/jsonrpc'));
      const own = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, {}, '/a/a2a/jsonrpc'));
      expect(own.body).toHaveProperty('result');
      const other = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, {}, '/b/a2a/jsonrpc'));
      expect(at(other.body, 'error.code')).toBe(-32001);
      const list = await pair.call(rpc('ListTasks', {}, asUser('ann'), '/b/a2a/jsonrpc'));
      expect(at(list.body, 'result.totalSize')).toBe(0);
    } finally {
      await pair.close();
    }
  });
});

describe.each(ADAPTERS)('two agents at one path on %s', (adapter) => {
  it.each([
    [undefined, '', "'/'"],
    ['weather', '/weather/', "'/weather'"],
  ])('are refused: %s and %s', async (first, second, shown) => {
    @Module({
      imports: [
        A2AModule.forRoot({ agentCard: cardOf('A'), executor: EchoExecutor, path: first }),
        A2AModule.forRoot({ agentCard: cardOf('B'), executor: EchoExecutor, path: second }),
      ],
    })
    class AppModule {}
    const error = await caught(start(adapter, AppModule));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toContain(`Two agents have the path ${shown}`);
  });
});
