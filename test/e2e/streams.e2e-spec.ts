import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  A2AObserver,
  AgentExecutor,
  RxJsTaskEventBus,
  TaskEventBus,
  TaskStore,
  type A2AModuleExtras,
  type A2AModuleOptions,
  type AgentEmitter,
  type RequestContext,
} from 'nestjs-a2a';
import { ProbeExecutor } from '../probe-agent/probe.executor.js';
import { hurried, message, rest, rpc } from '../support/a2a-calls.js';
import { EventClient, type Frame } from '../support/event-stream-client.js';
import { at, open as begin, type Call } from '../support/http-call.js';
import { Pair, type Side } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { untilGauges } from '../support/resting-gauges.js';
import { WatchedStore } from '../support/watched-store.js';

async function withProbe(
  options: A2AModuleOptions & A2AModuleExtras,
  use: (pair: Pair) => Promise<void>,
): Promise<void> {
  const pair = await Pair.start(() => probeModule(options));
  try {
    await use(pair);
  } finally {
    await pair.close();
  }
}

const kindOf = ({ data }: Frame): string => Object.keys(Object(at(data, 'result') ?? data))[0] ?? '';
const stateOf = ({ data }: Frame): unknown => {
  const result = at(data, 'result') ?? data;
  return at(result, 'task.status.state') ?? at(result, 'statusUpdate.status.state');
};
const numbers = (frames: readonly Frame[]): number[] => frames.map(({ id }) => Number(id));
const open = (side: Side, call: Call): Promise<EventClient> => EventClient.open(side.url, call);
/** Lets a task go on that is held. */
const letGo = (id: string): void => expect(ProbeExecutor.gates.emit(id)).toBe(true);

/** Subscribing on either binding. */
const SUBSCRIBE: readonly [string, (id: string, headers?: Record<string, string>) => Call][] = [
  ['JSON-RPC', (id, headers = {}) => rpc('SubscribeToTask', { id }, headers)],
  ['REST', (id, headers = {}) => rest('GET', `/tasks/${id}:subscribe`, undefined, headers)],
];

describe('frames', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() => probeModule());
  });
  afterAll(() => pair.close());

  it('begin with the task and are numbered without a gap', async () => {
    const { frames } = await pair.stream(rpc('SendStreamingMessage', message('slow 4 5')));
    expect(frames.map(kindOf)[0]).toBe('task');
    expect(frames.slice(1).map(kindOf)).not.toContain('task');
    expect(numbers(frames)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(frames.every(({ event }) => event === undefined)).toBe(true);
  });

  it('are one message when the agent answers directly', async () => {
    const { frames } = await pair.stream(rest('POST', '/message:stream', message('message hi')));
    expect(frames.map(kindOf)).toEqual(['message']);
    expect(frames[0]?.id).toBeUndefined();
  });

  it('are the same for all readers', async () => {
    await pair.each(async (side) => {
      const sender = await open(side, rpc('SendStreamingMessage', message('held 6 5')));
      await sender.frameCount(2);
      const id = String(at(sender.frames[0]?.data, 'result.task.id'));
      const readers = await Promise.all(SUBSCRIBE.map(([, subscribe]) => open(side, subscribe(id))));
      letGo(id);
      const all = [sender, ...readers];
      expect(await Promise.all(all.map((client) => client.ended))).toEqual([true, true, true]);
      const bare = ({ id: number, data }: Frame): object => ({ number, data: at(data, 'result') ?? data });
      const sent = sender.frames.map(bare);
      for (const reader of readers) {
        const own = reader.frames.slice(1).map(bare);
        expect(own).toEqual(sent.slice(-own.length));
        expect(reader.frames.map(kindOf)[0]).toBe('task');
      }
    });
  });

  it('leave with headers that keep proxies from holding them back', async () => {
    const { headers } = await pair.stream(rpc('SendStreamingMessage', message('echo hi')));
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-length']).toBeUndefined();
  });

  it('name the extensions that were activated', async () => {
    const extension = 'https://example.com/ext/probe/v1';
    const asked = { 'a2a-extensions': `${extension}, https://example.com/unknown` };
    const { headers } = await pair.stream(rpc('SendStreamingMessage', message('whoami'), asked));
    expect(headers['a2a-extensions']).toBe(extension);
    const answer = await pair.call(rest('POST', '/message:send', message('whoami'), asked));
    expect(answer.headers['a2a-extensions']).toBe(extension);
    const unasked = await pair.call(rest('POST', '/message:send', message('whoami')));
    expect(unasked.headers['a2a-extensions']).toBeUndefined();
  });

  it.each([
    ['an unknown task', rpc('SubscribeToTask', { id: 'none' }), 200],
    ['an unknown task over REST', rest('GET', '/tasks/none:subscribe'), 404],
    ['a message to an unknown task', rest('POST', '/message:stream', message('x', { taskId: 'none' })), 404],
    ['a wrong message', rest('POST', '/message:stream', { message: {} }), 400],
  ])('do not come for %s: the error is JSON, with its status', async (_what, call, status) => {
    const answer = await pair.call(call);
    expect(answer.status).toBe(status);
    expect(String(answer.headers['content-type'])).toMatch(/^application\/(a2a\+)?json$/);
    expect(answer.body).toHaveProperty('error');
  });

  it('a reader that leaves disturbs neither the task nor the others', async () => {
    await pair.each(async (side) => {
      const staying = await open(side, rpc('SendStreamingMessage', message('held 6 20')));
      await staying.frameCount(2);
      const id = String(at(staying.frames[0]?.data, 'result.task.id'));
      const leaving = await open(side, rpc('SubscribeToTask', { id }));
      letGo(id);
      await leaving.frameCount(2);
      leaving.leave();
      expect(await staying.ended).toBe(true);
      expect(staying.frames.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
    });
  });

  it('the sender may leave, the task goes on', async () => {
    await pair.each(async (side) => {
      const sender = await open(side, rpc('SendStreamingMessage', message('held 4 5')));
      await sender.frameCount(2);
      const id = String(at(sender.frames[0]?.data, 'result.task.id'));
      const reader = await open(side, rpc('SubscribeToTask', { id }));
      await reader.frameCount(1);
      sender.leave();
      await untilGauges(side.running.app, ({ readers }) => readers === 1);
      letGo(id);
      expect(await reader.ended).toBe(true);
      expect(reader.frames.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
    });
  });
});

describe('heartbeats', () => {
  it('are comments without an id', async () => {
    await withProbe({ heartbeatIntervalSeconds: 0.03 }, async (pair) => {
      await pair.each(async (side) => {
        const client = await open(side, rpc('SendStreamingMessage', message('auth')));
        await client.until(({ comments }) => comments >= 3);
        expect(numbers(client.frames)).toEqual(client.frames.map((_, index) => index + 1));
        client.leave();
      });
    });
  });

  it('on a stream without an event: the task comes with the first, at the latest', async () => {
    await withProbe({ heartbeatIntervalSeconds: 0.05 }, async (pair) => {
      await pair.each(async (side) => {
        const client = await open(side, rpc('SendStreamingMessage', message('quiet 60000')));
        await client.frameCount(1);
        expect(client.frames.map(stateOf)).toEqual(['TASK_STATE_SUBMITTED']);
        const id = String(at(client.frames[0]?.data, 'result.task.id'));
        const cancel = await open(side, rpc('CancelTask', { id }));
        await client.ended;
        expect(cancel.status).toBe(200);
        expect(client.frames.map(stateOf).at(-1)).toBe('TASK_STATE_CANCELED');
      });
    });
  });
});

describe('Last-Event-ID', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() => probeModule({ shutdownTimeoutSeconds: 0 }));
    // Events are kept from the first reader on.
    await pair.each(async (side) => {
      const stream = await open(side, rpc('SendStreamingMessage', message('progress 3')));
      await stream.ended;
      side.notes.set('done', String(at(stream.frames[0]?.data, 'result.task.id')));
    });
    await pair.note('waiting', 'result.task.id', rpc('SendMessage', message('pause well?')));
  });
  afterAll(() => pair.close());

  it.each(SUBSCRIBE)('over %s goes on where the stream of a running task was cut', async (_name, subscribe) => {
    await pair.each(async (side) => {
      const first = await open(side, rpc('SendStreamingMessage', message('slow 8 15')));
      await first.frameCount(3);
      const id = String(at(first.frames[0]?.data, 'result.task.id'));
      first.leave();
      const again = await open(side, subscribe(id, { 'last-event-id': '3' }));
      expect(await again.ended).toBe(true);
      expect(numbers(again.frames)).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
      expect(again.frames.map(kindOf)).not.toContain('task');
      expect(again.frames.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
    });
  });

  it.each(SUBSCRIBE)('over %s works on a finished task, within its grace', async (_name, subscribe) => {
    const { frames, clean } = await pair.stream((side) => subscribe(side.note('done'), { 'last-event-id': '2' }));
    expect(numbers(frames)).toEqual([3, 4, 5]);
    expect(clean).toBe(true);
  });

  it.each(SUBSCRIBE)('over %s has nothing more to tell who saw the end', async (name, subscribe) => {
    const answer = await pair.call((side) => subscribe(side.note('done'), { 'last-event-id': '5' }));
    expect(answer.status).toBe(name === 'REST' ? 400 : 200);
    const reason = at(answer.body, 'error.data.0.reason') ?? at(answer.body, 'error.details.0.reason');
    expect(reason).toBe('UNSUPPORTED_OPERATION');
  });

  it.each(['abc', '-1', '1e1', '0x2', ' ', '2;3', '99', '9'.repeat(40)])('%j counts as none', async (lastEventId) => {
    await pair.each(async (side) => {
      const client = await open(
        side,
        rpc('SubscribeToTask', { id: side.note('waiting') }, { 'last-event-id': lastEventId }),
      );
      await client.frameCount(1);
      expect(client.frames.map(kindOf)[0]).toBe('task');
      client.leave();
    });
    const finished = await pair.call((side) =>
      rpc('SubscribeToTask', { id: side.note('done') }, { 'last-event-id': lastEventId }),
    );
    expect(at(finished.body, 'error.code')).toBe(-32004);
  });

  it('0 gives all events again', async () => {
    const { frames } = await pair.stream((side) =>
      rpc('SubscribeToTask', { id: side.note('done') }, { 'last-event-id': '0' }),
    );
    expect(numbers(frames)).toEqual([1, 2, 3, 4, 5]);
  });

  it('means nothing to a message', async () => {
    const headers = { 'last-event-id': '2' };
    const { frames } = await pair.stream(rpc('SendStreamingMessage', message('echo hi'), headers));
    expect(numbers(frames)).toEqual([1, 2, 3, 4]);
    const viaRest = await pair.stream(rest('POST', '/message:stream', message('echo hi'), headers));
    expect(numbers(viaRest.frames)).toEqual([1, 2, 3, 4]);
  });
});

describe('Last-Event-ID that comes too late', () => {
  it('gives a fresh task when the window has passed', async () => {
    const bus = { provide: TaskEventBus, useFactory: () => new RxJsTaskEventBus({ maxReplayEvents: 3 }) };
    await withProbe({ providers: [bus], shutdownTimeoutSeconds: 0 }, async (pair) => {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause 1')));
      for (let n = 2; n <= 4; n++) {
        await pair.call((side) => rpc('SendMessage', message(`pause ${n}`, { taskId: side.note('id') })));
      }
      await pair.each(async (side) => {
        const late = await open(side, rpc('SubscribeToTask', { id: side.note('id') }, { 'last-event-id': '1' }));
        await late.frameCount(1);
        expect(late.frames.map(kindOf)).toEqual(['task']);
        const latest = Number(late.frames[0]?.id);
        late.leave();
        const near = await open(
          side,
          rpc('SubscribeToTask', { id: side.note('id') }, { 'last-event-id': String(latest - 1) }),
        );
        await near.frameCount(1);
        expect(numbers(near.frames)).toEqual([latest]);
        near.leave();
      });
    });
  });

  it('is refused when the grace of a finished task is over', async () => {
    await withProbe({ replayGraceSeconds: 0 }, async (pair) => {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('echo hi')));
      const answer = await pair.call((side) =>
        rpc('SubscribeToTask', { id: side.note('id') }, { 'last-event-id': '1' }),
      );
      expect(at(answer.body, 'error.code')).toBe(-32004);
    });
  });
});

describe('interrupted states', () => {
  it('INPUT_REQUIRED closes the stream of a message, but no subscription', async () => {
    await withProbe({}, async (pair) => {
      const { frames, clean } = await pair.stream(rpc('SendStreamingMessage', message('pause what?')));
      expect(frames.map(stateOf).at(-1)).toBe('TASK_STATE_INPUT_REQUIRED');
      expect(clean).toBe(true);
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause what?')));
      await pair.each(async (side) => {
        const subscriber = await open(side, rpc('SubscribeToTask', { id: side.note('id') }));
        await subscriber.frameCount(1);
        const asked = await open(
          side,
          rpc('SendStreamingMessage', message('pause again?', { taskId: side.note('id') })),
        );
        expect(await asked.ended).toBe(true);
        // The stream of a follow-up begins with the task at work, never as it waited.
        expect(asked.frames.map(stateOf)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED']);
        const answered = await open(side, rpc('SendStreamingMessage', message('this', { taskId: side.note('id') })));
        expect(await answered.ended).toBe(true);
        expect(await subscriber.ended).toBe(true);
        expect(subscriber.frames.map(stateOf).filter((state) => state !== undefined)).toEqual([
          'TASK_STATE_INPUT_REQUIRED',
          'TASK_STATE_WORKING',
          'TASK_STATE_INPUT_REQUIRED',
          'TASK_STATE_WORKING',
          'TASK_STATE_COMPLETED',
        ]);
      });
    });
  });

  it.each([
    ['INPUT_REQUIRED, when the option says so', 'pause what?', 'this', { closeStreamOnInputRequired: false }],
    ['AUTH_REQUIRED', 'auth', 'token secret', {}],
  ])('%s leaves the stream open', async (_what, text, more, options) => {
    await withProbe(options, async (pair) => {
      await pair.each(async (side) => {
        const stream = await open(side, rpc('SendStreamingMessage', message(text)));
        await stream.until(({ frames }) => String(frames.map(stateOf).at(-1)).endsWith('_REQUIRED'));
        const taskId = String(at(stream.frames[0]?.data, 'result.task.id'));
        const answer = await open(side, rpc('SendMessage', message(more, { taskId })));
        expect(answer.status).toBe(200);
        expect(await stream.ended).toBe(true);
        expect(stream.frames.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
      });
    });
  });
});

describe('a task that is not born yet', () => {
  class HeldExecutor extends AgentExecutor {
    static readonly signals = new EventEmitter();

    override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
      HeldExecutor.signals.emit(`begun ${context.contextId}`);
      await once(HeldExecutor.signals, `go ${context.contextId}`, { signal: context.signal });
      await emitter.complete('done');
    }
  }
  const providers = [{ provide: TaskStore, useClass: WatchedStore }];

  it.each([
    ['the sender of a stream', (contextId: string) => rpc('SendStreamingMessage', message('x', { contextId }))],
    [
      'the sender of a REST stream',
      (contextId: string) => rest('POST', '/message:stream', message('x', { contextId })),
    ],
    ['who waits for an answer', (contextId: string) => rpc('SendMessage', message('x', { contextId }))],
    ['who waits for a REST answer', (contextId: string) => rest('POST', '/message:send', message('x', { contextId }))],
  ])('comes to be when %s leaves', async (_who, call) => {
    await withProbe({ executor: HeldExecutor, providers }, async (pair) => {
      await pair.each(async (side) => {
        const store = side.running.app.get<WatchedStore>(TaskStore, { strict: false });
        const begun = once(HeldExecutor.signals, `begun c ${side.adapter}`);
        const { request, response } = begin(side.url, call(`c ${side.adapter}`));
        response.catch(() => undefined);
        await begun;
        expect(store.created).toEqual([]);
        request.destroy();
        await store.createdCount(1);
        const list = await open(side, rpc('ListTasks', { contextId: `c ${side.adapter}` }));
        await list.ended;
        expect(list.text).toContain('TASK_STATE_SUBMITTED');
        HeldExecutor.signals.emit(`go c ${side.adapter}`);
      });
    });
  });
});

describe('a reader that is too slow', () => {
  const MEGABYTE = 'x'.repeat(1024 * 1024);
  const ROUNDS = 32;

  class BulkExecutor extends AgentExecutor {
    static readonly signals = new EventEmitter();

    override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
      await emitter.working();
      for (let round = 1; round <= ROUNDS; round++) {
        // So fast as the healthy reader reads.
        await once(BulkExecutor.signals, `next ${context.taskId}`);
        await emitter.addArtifact(MEGABYTE, { artifactId: 'bulk', name: String(round) });
      }
      await emitter.complete();
    }
  }

  class CutWatcher extends A2AObserver {
    override readerCut(): void {
      BulkExecutor.signals.emit('cut');
    }
  }

  it('is cut with an error frame, alone', async () => {
    const providers = [{ provide: A2AObserver, useClass: CutWatcher }];
    await withProbe({ executor: BulkExecutor, maxReaderBufferBytes: 2 ** 21, providers }, async (pair) => {
      for (const side of pair.sides) {
        const healthy = await open(side, rpc('SendStreamingMessage', message('x')));
        await healthy.frameCount(2);
        const id = String(at(healthy.frames[0]?.data, 'result.task.id'));
        const slow = await open(side, rpc('SubscribeToTask', { id }));
        await slow.frameCount(1);
        slow.stall();
        // Who was cut has a few seconds only to take what is left.
        const cut = once(BulkExecutor.signals, 'cut').then(() => slow.goOn());
        for (let round = 1; round <= ROUNDS; round++) {
          BulkExecutor.signals.emit(`next ${id}`);
          await healthy.frameCount(2 + round);
        }
        expect(await healthy.ended).toBe(true);
        // Numbers only: what fails here must not print megabytes.
        expect(healthy.frames.filter((frame) => kindOf(frame) === 'artifactUpdate').length).toBe(ROUNDS);
        expect(healthy.frames.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
        await cut;
        expect(await slow.ended).toBe(true);
        const last = slow.frames.at(-1);
        expect(last?.event).toBe('error');
        expect(at(last?.data, 'error.data.0.reason')).toBe('RESOURCE_EXHAUSTED');
        expect(at(last?.data, 'id')).toBe(1);
        expect(slow.frames.filter(({ event }) => event === 'error').length).toBe(1);
        expect(slow.frames.length).toBeLessThan(healthy.frames.length);
        // What came before is whole and without a gap.
        const seen = numbers(slow.frames.slice(0, -1));
        expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
      }
    });
  });
});

describe('a store that fails in the middle', () => {
  it.each([
    ['JSON-RPC', rpc('SendStreamingMessage', message('pause 1')), 'error.data.0.reason'],
    ['REST', rest('POST', '/message:stream', message('pause 1')), 'error.details.0.reason'],
  ])('ends a %s stream with one error frame', async (_binding, call, path) => {
    const providers = [{ provide: TaskStore, useClass: WatchedStore }];
    await withProbe({ providers, closeStreamOnInputRequired: false }, async (pair) => {
      await pair.each(async (side) => {
        const store = side.running.app.get<WatchedStore>(TaskStore, { strict: false });
        const stream = await open(side, call);
        await stream.until(({ frames }) => frames.map(stateOf).includes('TASK_STATE_INPUT_REQUIRED'));
        const before = stream.frames.length;
        const taskId = store.created[0]?.id ?? '';
        store.failing = true;
        const more = await open(side, rpc('SendMessage', message('more', { taskId })));
        await more.ended;
        expect(await stream.ended).toBe(true);
        const [error, ...others] = stream.frames.slice(before);
        expect(error?.event).toBe('error');
        expect(error?.id).toBeUndefined();
        expect(['UNAVAILABLE', 'INTERNAL_ERROR']).toContain(at(error?.data, path));
        expect(others).toEqual([]);
        expect(JSON.stringify(stream.frames) + more.text).not.toContain('secret');
        expect(at(JSON.parse(more.text), 'error')).toBeDefined();
        // What was stored before is still told.
        store.failing = false;
        const task = await open(side, rpc('GetTask', { id: taskId }));
        await task.ended;
        expect(task.text).toContain('TASK_STATE_INPUT_REQUIRED');
      });
    });
  });
});

describe('too many readers', () => {
  it('the 65th is answered 429, and has a place when another has left', async () => {
    await withProbe({}, async (pair) => {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause what?')));
      const readers = await pair.each((side) =>
        Promise.all(Array.from({ length: 64 }, () => open(side, rpc('SubscribeToTask', { id: side.note('id') })))),
      );
      await Promise.all(readers.flat().map((reader) => reader.frameCount(1)));
      const refused = await pair.call((side) => rpc('SubscribeToTask', { id: side.note('id') }));
      expect([refused.status, refused.headers['retry-after'], at(refused.body, 'error.code')]).toEqual([
        429,
        '1',
        -32092,
      ]);
      expect(at(refused.body, 'id')).toBe(1);
      const overRest = await pair.call((side) => rest('GET', `/tasks/${side.note('id')}:subscribe`));
      expect([overRest.status, at(overRest.body, 'error.status')]).toEqual([429, 'RESOURCE_EXHAUSTED']);
      // Who answers the question is no reader too many.
      const answer = await pair.stream((side) =>
        rpc('SendStreamingMessage', message('this', { taskId: side.note('id') })),
      );
      expect(answer.frames.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
      const ends = await Promise.all(readers.flat().map((reader) => reader.ended));
      expect(ends.every(Boolean)).toBe(true);
    });
  });
});

describe('hurried senders', () => {
  it('have the task at once, and its stream afterwards', async () => {
    await withProbe({}, async (pair) => {
      const sent = await pair.note('id', 'result.task.id', rpc('SendMessage', hurried('held 3 5')));
      expect(at(sent.body, 'result.task.status.state')).toBe('TASK_STATE_WORKING');
      const states = await pair.each(async (side) => {
        const client = await EventClient.open(side.url, rpc('SubscribeToTask', { id: side.note('id') }));
        letGo(side.note('id'));
        expect(await client.ended).toBe(true);
        return [0, -1].map((index) => client.frames.map(stateOf).at(index));
      });
      expect(states).toEqual(pair.sides.map(() => ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']));
    });
  });
});
