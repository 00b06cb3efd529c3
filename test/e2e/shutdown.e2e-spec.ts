import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  A2ADiagnostics,
  AgentExecutor,
  TaskStore,
  type A2AModuleExtras,
  type A2AModuleOptions,
  type AgentEmitter,
  type RequestContext,
} from 'nestjs-a2a';
import { hurried, message, rest, rpc } from '../support/a2a-calls.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, send, type Answer } from '../support/http-call.js';
import { Pair, type Side } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { WatchedStore } from '../support/watched-store.js';

const providers = [{ provide: TaskStore, useClass: WatchedStore }];

/** Works until it is told to go on, or its signal aborts. */
class PatientExecutor extends AgentExecutor {
  static readonly signals = new EventEmitter();

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.working();
    PatientExecutor.signals.emit(`working ${context.contextId}`);
    await once(PatientExecutor.signals, `go ${context.contextId}`, { signal: context.signal });
    await emitter.addArtifact('done');
    await emitter.complete();
  }
}

/** Heeds nothing. */
class StubbornExecutor extends AgentExecutor {
  override async execute(_context: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.working();
    await new Promise(() => undefined);
  }
}

async function withApps(
  options: A2AModuleOptions & A2AModuleExtras,
  use: (side: Side, store: WatchedStore) => Promise<void>,
): Promise<void> {
  const pair = await Pair.start(() => probeModule({ providers, shutdownTimeoutSeconds: 0.1, ...options }));
  try {
    await pair.each((side) => use(side, side.running.app.get<WatchedStore>(TaskStore, { strict: false })));
  } finally {
    await pair.close();
  }
}

async function stateIn(store: WatchedStore): Promise<readonly unknown[]> {
  const { records } = await store.list({ scope: { agent: '', tenant: '' }, limit: 10 });
  return records.map(({ snapshot }) => {
    const { status } = snapshot.toTask();
    return [status.state, at(status.message, 'parts.0.text')];
  });
}

describe('app.close()', () => {
  it('ends a hundred open streams cleanly, and waits for nobody', async () => {
    await withApps({ maxSubscribersPerTask: 200 }, async (side) => {
      const sent = await send(side.url, rpc('SendMessage', message('pause what?')));
      const id = String(at(sent.body, 'result.task.id'));
      const streams = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          EventClient.open(
            side.url,
            index % 2 === 0 ? rpc('SubscribeToTask', { id }) : rest('GET', `/tasks/${id}:subscribe`),
          ),
        ),
      );
      await Promise.all(streams.map((stream) => stream.frameCount(1)));
      const diagnostics = side.running.app.get(A2ADiagnostics);
      expect(diagnostics.gauges().openStreams).toBe(100);
      await side.running.close();
      const ends = await Promise.all(streams.map((stream) => stream.ended));
      expect(ends.filter(Boolean)).toHaveLength(100);
      expect(streams.flatMap(({ frames }) => frames).filter(({ event }) => event === 'error')).toEqual([]);
      expect(diagnostics.gauges()).toMatchObject({ openStreams: 0, readers: 0, runsLive: 0, busSubscribers: 0 });
    });
  });

  it.each([
    ['heeds its signal', PatientExecutor],
    ['heeds nothing', StubbornExecutor],
  ])('ends a task whose agent %s as FAILED, in the store', async (_what, executor) => {
    await withApps({ executor }, async (side, store) => {
      await send(side.url, rpc('SendMessage', hurried('work')));
      await side.running.close();
      expect(await stateIn(store)).toEqual([['TASK_STATE_FAILED', 'The server stopped']]);
    });
  });

  it('gives a run its time to end by itself', async () => {
    await withApps({ executor: PatientExecutor, shutdownTimeoutSeconds: 15 }, async (side, store) => {
      const working = once(PatientExecutor.signals, `working ${side.adapter}`);
      await send(side.url, rpc('SendMessage', hurried('work', { contextId: side.adapter })));
      await working;
      const closing = side.running.close();
      PatientExecutor.signals.emit(`go ${side.adapter}`);
      await closing;
      expect(await stateIn(store)).toEqual([['TASK_STATE_COMPLETED', undefined]]);
    });
  });

  it.each([
    ['JSON-RPC', rpc('SendMessage', message('work')), 'result.task'],
    ['REST', rest('POST', '/message:send', message('work')), 'task'],
  ])('answers who waits over %s', async (_binding, call, path) => {
    await withApps({ executor: PatientExecutor, agentTimeoutSeconds: 0 }, async (side, store) => {
      const answer = send(side.url, call);
      await store.createdCount(1);
      await side.running.close();
      const { status, body } = await answer;
      expect(status).toBe(200);
      expect(at(body, `${path}.status`)).toMatchObject({
        state: 'TASK_STATE_FAILED',
        message: { parts: [{ text: 'The server stopped' }] },
      });
    });
  });

  it('ends queued runs as well', async () => {
    await withApps({ executor: PatientExecutor, executorMaxSize: 1 }, async (side, store) => {
      for (let n = 0; n < 3; n++) await send(side.url, rpc('SendMessage', hurried('work')));
      await side.running.close();
      expect(await stateIn(store)).toEqual(Array(3).fill(['TASK_STATE_FAILED', 'The server stopped']));
    });
  });

  it('leaves a task that waits for a person as it is', async () => {
    await withApps({}, async (side, store) => {
      await send(side.url, rpc('SendMessage', message('pause what?')));
      await side.running.close();
      expect(await stateIn(store)).toEqual([['TASK_STATE_INPUT_REQUIRED', 'what?']]);
    });
  });

  it('may be called twice, at once and afterwards', async () => {
    await withApps({ executor: PatientExecutor }, async (side, store) => {
      await send(side.url, rpc('SendMessage', hurried('work')));
      await Promise.all([side.running.close(), side.running.close()]);
      await side.running.close();
      expect(await stateIn(store)).toEqual([['TASK_STATE_FAILED', 'The server stopped']]);
    });
  });

  it('closes an app in which nothing happened', async () => {
    await withApps({}, (side) => side.running.close());
  });
});

describe('while the server stops', () => {
  /** Begins to close, and resolves with the first answer that says so. */
  async function stopping(side: Side): Promise<{ refused: Answer; closing: Promise<void> }> {
    const closing = side.running.close();
    for (;;) {
      const refused = await send(side.url, rpc('SendMessage', hurried('work', { contextId: side.adapter })));
      if (refused.status !== 200) return { refused, closing };
    }
  }

  it('new messages are answered 503 on either binding, and tasks can still be read', async () => {
    await withApps({ executor: PatientExecutor, shutdownTimeoutSeconds: 15 }, async (side, store) => {
      await send(side.url, rpc('SendMessage', hurried('work', { contextId: side.adapter })));
      const id = store.created[0]?.id ?? '';
      const { refused, closing } = await stopping(side);
      expect([refused.status, refused.headers['retry-after'], at(refused.body, 'error.code')]).toEqual([
        503,
        '1',
        -32093,
      ]);
      for (const call of [
        rest('POST', '/message:send', message('work')),
        rest('POST', '/message:stream', message('work')),
        rest('POST', '/message:send', message('more', { taskId: id })),
        rest('GET', `/tasks/${id}:subscribe`),
      ]) {
        const answer = await send(side.url, call);
        expect([call.path, answer.status, at(answer.body, 'error.status')]).toEqual([call.path, 503, 'UNAVAILABLE']);
      }
      const task = await send(side.url, rest('GET', `/tasks/${id}`));
      expect(at(task.body, 'status.state')).toBe('TASK_STATE_WORKING');
      PatientExecutor.signals.emit(`go ${side.adapter}`);
      await closing;
    });
  });

  it('a stream that has no frame yet is answered 503', async () => {
    class SilentExecutor extends AgentExecutor {
      static readonly signals = new EventEmitter();

      override async execute({ signal }: RequestContext): Promise<void> {
        SilentExecutor.signals.emit('begun');
        await once(SilentExecutor.signals, 'never', { signal });
      }
    }
    const pair = await Pair.start(() => probeModule({ executor: SilentExecutor, shutdownTimeoutSeconds: 0.1 }));
    try {
      for (const side of pair.sides) {
        const begun = once(SilentExecutor.signals, 'begun');
        const answer = send(side.url, rpc('SendStreamingMessage', message('work')));
        await begun;
        await side.running.close();
        const { status, body } = await answer;
        expect([status, at(body, 'error.code'), at(body, 'id')]).toEqual([503, -32093, 1]);
      }
    } finally {
      await pair.close();
    }
  });
});
