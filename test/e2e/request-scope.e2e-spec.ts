import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, Scope, type Type } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { EventClient } from '../support/event-stream-client.js';
import { message, hurried, rest, rpc } from '../support/a2a-calls.js';
import { cardOf } from '../support/echo.executor.js';
import { at, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { untilGauges } from '../support/resting-gauges.js';

const agentCard = cardOf('Scoped');
const data = (body: unknown, path = 'result.task'): unknown => at(body, `${path}.artifacts.0.parts.0.data`);

describe('a request-scoped executor', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Caller {
    private static made = 0;
    readonly number = ++Caller.made;
    constructor(@Inject(REQUEST) private readonly request: object) {}

    get name(): unknown {
      return at(this.request, 'headers.x-name');
    }
  }

  @Injectable({ scope: Scope.REQUEST })
  class ScopedExecutor extends AgentExecutor {
    constructor(
      @Inject(REQUEST) private readonly request: object,
      private readonly caller: Caller,
    ) {
      super();
    }

    override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
      if (context.text === 'pause') return emitter.requireInput('who?');
      const url = at(this.request, 'originalUrl') ?? at(this.request, 'url');
      await emitter.addArtifact({
        data: { name: String(this.caller.name), number: this.caller.number, url: String(url) },
      });
      await emitter.complete();
    }
  }

  @Module({ providers: [Caller], exports: [Caller] })
  class CallerModule {}

  it.each<[string, () => Type]>([
    [
      'given to forRoot',
      () => {
        @Module({ imports: [A2AModule.forRoot({ agentCard, executor: ScopedExecutor, imports: [CallerModule] })] })
        class AppModule {}
        return AppModule;
      },
    ],
    [
      'declared in the app',
      () => {
        @Module({ imports: [A2AModule.forRoot({ agentCard })], providers: [Caller, ScopedExecutor] })
        class AppModule {}
        return AppModule;
      },
    ],
  ])('%s is made for each run, with the request and what else is scoped to it', async (_how, module) => {
    const pair = await Pair.start(module);
    try {
      const seen = new Set<unknown>();
      for (const name of ['ann', 'ben']) {
        const answers = await pair.each(async (side) => {
          return send(side.url, rpc('SendMessage', message('hi'), { 'x-name': name }));
        });
        for (const { body } of answers) {
          expect(data(body)).toMatchObject({ name, url: '/a2a/jsonrpc' });
          seen.add(at(data(body), 'number'));
        }
      }
      expect(seen.size).toBe(4);
      await pair.note('id', 'task.id', rest('POST', '/message:send', message('pause'), { 'x-name': 'ann' }));
      const answers = await pair.each(async (side) => {
        const more = message('it is me', { taskId: side.note('id') });
        return send(side.url, rest('POST', '/message:send', more, { 'x-name': 'cleo' }));
      });
      for (const { body } of answers)
        expect(data(body, 'task')).toMatchObject({ name: 'cleo', url: '/a2a/json/message:send' });
    } finally {
      await pair.close();
    }
  });
});

describe('AsyncLocalStorage that middleware opens', () => {
  const storage = new AsyncLocalStorage<string>();

  class StorageExecutor extends AgentExecutor {
    static readonly gate = new EventEmitter();

    override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
      if (context.text === 'pause') return emitter.requireInput('go on?');
      if (context.text === 'hold') {
        await emitter.working();
        await once(StorageExecutor.gate, 'open');
      }
      await new Promise((resolve) => setImmediate(resolve));
      await emitter.addArtifact({ data: { store: storage.getStore() ?? null } });
      // The end is the last one's, when others wait.
      if (context.text !== 'hold') await emitter.complete();
    }
  }

  const started = (executorMaxSize: number): Promise<Pair> =>
    Pair.start(() => A2AModule.forRoot({ agentCard, executor: StorageExecutor, executorMaxSize, followUps: 'queue' }), {
      setup: (app) =>
        app.use((request: { headers: Record<string, string> }, _response: object, next: () => void) =>
          storage.run(request.headers['x-name'] ?? 'nobody', next),
        ),
    });

  it('is seen in execute(), on every way to send', async () => {
    const pair = await started(8);
    try {
      const headers = { 'x-name': 'ann' };
      const viaRpc = await pair.call(rpc('SendMessage', message('hi'), headers));
      expect(data(viaRpc.body)).toEqual({ store: 'ann' });
      const viaRest = await pair.call(rest('POST', '/message:send', message('hi'), headers));
      expect(data(viaRest.body, 'task')).toEqual({ store: 'ann' });
      const { frames } = await pair.stream(rpc('SendStreamingMessage', message('hi'), headers));
      expect(JSON.stringify(frames)).toContain('{"store":"ann"}');
    } finally {
      await pair.close();
    }
  });

  it('is the follow-up’s own in a follow-up', async () => {
    const pair = await started(8);
    try {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause'), { 'x-name': 'ann' }));
      const answer = await pair.call((side) =>
        rpc('SendMessage', message('hi', { taskId: side.note('id') }), { 'x-name': 'ben' }),
      );
      expect(data(answer.body)).toEqual({ store: 'ben' });
    } finally {
      await pair.close();
    }
  });

  it('holds in a run that had to wait for its turn', async () => {
    const pair = await started(1);
    try {
      await pair.note('first', 'result.task.id', rpc('SendMessage', hurried('hold'), { 'x-name': 'first' }));
      await pair.note('second', 'result.task.id', rpc('SendMessage', hurried('hi'), { 'x-name': 'second' }));
      const queued = await pair.call((side) => rpc('GetTask', { id: side.note('second') }));
      expect(at(queued.body, 'result.status.state')).toBe('TASK_STATE_SUBMITTED');
      const watching = pair.stream((side) => rpc('SubscribeToTask', { id: side.note('second') }));
      await pair.call((side) => rpc('GetTask', { id: side.note('second') }, { 'x-name': 'third' }));
      await pair.each((side) => untilGauges(side.running.app, ({ readers }) => readers === 1));
      StorageExecutor.gate.emit('open');
      const { frames } = await watching;
      expect(JSON.stringify(frames)).toContain('{"store":"second"}');
    } finally {
      await pair.close();
    }
  });

  it('holds in a message that waited for its task', async () => {
    const pair = await started(8);
    try {
      await pair.note('id', 'result.task.id', rpc('SendMessage', hurried('hold'), { 'x-name': 'first' }));
      const clients = await pair.each((side) =>
        EventClient.open(side.url, rpc('SubscribeToTask', { id: side.note('id') })),
      );
      await pair.call((side) => rpc('SendMessage', hurried('hi', { taskId: side.note('id') }), { 'x-name': 'second' }));
      StorageExecutor.gate.emit('open');
      for (const client of clients) {
        await client.until(({ frames }) => JSON.stringify(frames).includes('{"store":"second"}'));
        client.leave();
      }
    } finally {
      await pair.close();
    }
  });
});
