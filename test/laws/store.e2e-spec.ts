import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AgentExecutor, TaskStore, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import type { TaskRecord, TaskSaveResult } from 'nestjs-a2a';
import { hurried, message, rest, rpc } from '../support/a2a-calls.js';
import { CopyingStore } from '../support/copying-store.js';
import { EventClient, type Frame } from '../support/event-stream-client.js';
import { always, FailingStore, onlyEnds, type StoreFaults } from '../support/failing-store.js';
import { at, listAt, send, textAt, type Call } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { restingGauges } from '../support/resting-gauges.js';
import { ADAPTERS, start, type AdapterName, type RunningApp } from '../support/running-app.js';

const SECRET = 'the disk is full';

class WorkingExecutor extends AgentExecutor {
  override async execute({ text }: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.working('one');
    for (let n = 1; n <= 3; n++) await emitter.text(`c${n} `);
    await emitter.working('two');
    await emitter.text('c4');
    if (text === 'ask') return emitter.requireInput('which?');
    await emitter.complete('done');
  }
}

/** A slow store that tells what has reached it. */
class SlowStore extends CopyingStore {
  /** What each save has brought in: its state, the text of its status, how many chunks. */
  readonly arrived: string[] = [];

  constructor() {
    super(50);
  }

  override async create(record: TaskRecord): Promise<void> {
    await super.create(record);
    this.note(record);
  }

  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    const result = await super.save(record, expectedVersion);
    if (result.saved) this.note(record);
    return result;
  }

  private note({ task }: TaskRecord): void {
    this.arrived.push(`${task.id} ${markOf(task)} ${task.artifacts?.[0]?.parts.length ?? 0}`);
  }
}

/** A status in a word or two. */
function markOf(holder: unknown): string {
  const text = at(holder, 'status.message.parts.0.text');
  return `${String(at(holder, 'status.state'))}${typeof text === 'string' ? ` ${text}` : ''}`;
}

let running: RunningApp | undefined;

async function withStore<S extends TaskStore>(adapter: AdapterName, store: S): Promise<string> {
  const providers = [{ provide: TaskStore, useValue: store }];
  running = await start(adapter, probeModule({ executor: WorkingExecutor, providers, taskCreationDelayMs: 0 }));
  return running.url;
}

/** Nothing is left of what failed. */
async function expectNothingAlive(): Promise<void> {
  expect(running && (await restingGauges(running.app))).toMatchObject({
    runsRunning: 0,
    runsQueued: 0,
    runsLive: 0,
    sessions: 0,
    openStreams: 0,
    readers: 0,
  });
}

async function readToEnd(url: string, call: Call): Promise<EventClient> {
  const client = await EventClient.open(url, call);
  expect(await client.ended).toBe(true);
  return client;
}

function payloadOf({ data }: Frame): unknown {
  return at(data, 'result') ?? data;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const STREAMS: [string, Call][] = [
  ['JSON-RPC', rpc('SendStreamingMessage', message('go'))],
  ['REST', rest('POST', '/message:stream', message('go'))],
];
const SENDS: [string, Call][] = [
  ['JSON-RPC', rpc('SendMessage', message('go'))],
  ['REST', rest('POST', '/message:send', message('go'))],
];

describe.each(ADAPTERS)('a store that takes 50 ms and copies, on %s (law 4)', (adapter) => {
  it.each(STREAMS)(
    'has every status, and every chunk before it, before a %s reader sees it',
    async (_binding, call) => {
      const store = new SlowStore();
      const url = await withStore(adapter, store);
      const stream = await EventClient.open(url, call);
      let chunks = 0;
      const seen: string[] = [];
      for (let index = 0; seen.at(-1) !== 'TASK_STATE_COMPLETED done'; index++) {
        await stream.frameCount(index + 1);
        const payload = payloadOf(stream.frames[index]);
        const update = at(payload, 'artifactUpdate') === undefined ? Object.values(Object(payload))[0] : undefined;
        if (update === undefined) chunks++;
        else {
          const id = String(at(update, 'taskId') ?? at(update, 'id'));
          seen.push(markOf(update));
          // The birth is stored with the first change in it, if there is one.
          const stored = seen.length === 1 ? expect.stringContaining(id) : `${id} ${seen.at(-1)} ${chunks}`;
          expect(store.arrived).toContainEqual(stored);
        }
      }
      expect(seen).toEqual([
        'TASK_STATE_SUBMITTED',
        'TASK_STATE_WORKING one',
        'TASK_STATE_WORKING two',
        'TASK_STATE_COMPLETED done',
      ]);
      expect(await stream.ended).toBe(true);
    },
  );

  it.each(SENDS)('has the end before a %s caller is answered, and says the same', async (binding, call) => {
    const store = new SlowStore();
    const url = await withStore(adapter, store);
    const { body } = await send(url, call);
    const arrived = [...store.arrived];
    const task = at(body, binding === 'REST' ? 'task' : 'result.task');
    expect(arrived.at(-1)).toBe(`${textAt(task, 'id')} TASK_STATE_COMPLETED done 4`);
    const again = await send(url, rpc('GetTask', { id: textAt(task, 'id') }));
    expect(at(again.body, 'result')).toEqual(task);
  });

  it('has a cancellation, and an answer that is awaited, before they are told', async () => {
    const store = new SlowStore();
    const url = await withStore(adapter, store);
    const asked = await send(url, rpc('SendMessage', message('ask')));
    const id = textAt(asked.body, 'result.task.id');
    expect(store.arrived.at(-1)).toBe(`${id} TASK_STATE_INPUT_REQUIRED which? 4`);
    const canceled = await send(url, rpc('CancelTask', { id }));
    expect(at(canceled.body, 'result.status.state')).toBe('TASK_STATE_CANCELED');
    expect(store.arrived.at(-1)).toContain(`${id} TASK_STATE_CANCELED`);
  });
});

describe.each(ADAPTERS)('a store that fails, on %s (law 4)', (adapter) => {
  it.each<[string, StoreFaults]>([
    ['a creation', { fails: (_, attempt) => attempt === 1 }],
    ['a save', { fails: (record, attempt) => record.version > 1 && attempt === 2 }],
    ['the last save', { fails: oncePerEnd() }],
  ])('once, at %s: nobody notices', async (_what, faults) => {
    const store = new FailingStore(faults);
    const url = await withStore(adapter, store);
    const stream = await readToEnd(url, rpc('SendStreamingMessage', message('go')));
    expect(store.faulty).toBe(1);
    expect(stream.frames.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(markOf(at(payloadOf(stream.frames[7]), 'statusUpdate'))).toBe('TASK_STATE_COMPLETED done');
    await expectNothingAlive();
  });

  it('for ever: every way to send is an error that tells nothing, and there is no task', async () => {
    const url = await withStore(adapter, new FailingStore({ fails: always }));
    const calls = [...SENDS, ...STREAMS].map(([, call]) => call);
    const answers = await Promise.all([...calls, rpc('SendMessage', hurried('go'))].map((call) => send(url, call)));
    for (const { status, text, body, headers } of answers) {
      expect(String(headers['content-type'])).not.toContain('event-stream');
      expect(text).not.toContain(SECRET);
      const details = at(body, 'jsonrpc') === undefined ? listAt(body, 'error.details') : listAt(body, 'error.data');
      expect(at(details, '0.reason')).toBe('INTERNAL_ERROR');
      expect(at(details, '0.metadata.correlationId')).toEqual(expect.any(String));
      expect(status).toBe(at(body, 'jsonrpc') === undefined ? 500 : 200);
    }
    const list = await send(url, rest('GET', '/tasks'));
    expect(at(list.body, 'tasks')).toEqual([]);
    await expectNothingAlive();
  });

  // One binding each: the retries take their time.
  it(`only at ends: an error, and no success, over ${adapter === 'express' ? 'JSON-RPC' : 'REST'}`, async () => {
    const url = await withStore(adapter, new FailingStore({ fails: onlyEnds }));
    const [streaming, sending] = [STREAMS, SENDS].map((calls) => calls[ADAPTERS.indexOf(adapter)][1]);
    const [{ frames }, { text, body }] = await Promise.all([readToEnd(url, streaming), send(url, sending)]);
    const told = text + JSON.stringify(frames);
    expect(told).not.toContain('COMPLETED');
    expect(told).not.toContain(SECRET);
    expect(at(body, 'error.code')).toBe(at(body, 'jsonrpc') === undefined ? 500 : -32603);
    expect(frames.map(({ event }) => event)).toEqual([...frames.slice(1).map(() => undefined), 'error']);
    // What was seen with a status is stored; the chunk behind it went down with the save that failed.
    const task = await send(url, rest('GET', `/tasks/${textAt(payloadOf(frames[0]), 'task.id')}`));
    expect(markOf(task.body)).toBe('TASK_STATE_WORKING two');
    const parts = listAt(task.body, 'artifacts.0.parts');
    expect(parts.map((part) => at(part, 'text'))).toEqual(['c1 ', 'c2 ', 'c3 ']);
    const list = await send(url, rest('GET', '/tasks'));
    expect(listAt(list.body, 'tasks').map(markOf)).toEqual(['TASK_STATE_WORKING two', 'TASK_STATE_WORKING two']);
    await expectNothingAlive();
  });
});

/** The first save of an end fails, the next one does not. */
function oncePerEnd(): (record: TaskRecord) => boolean {
  let failed = false;
  return (record) => {
    if (failed || !onlyEnds(record)) return false;
    failed = true;
    return true;
  };
}
