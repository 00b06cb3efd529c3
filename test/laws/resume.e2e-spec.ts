import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2ADiagnostics, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { hurried, rest, rpc } from '../support/a2a-calls.js';
import { EventClient, type Frame } from '../support/event-stream-client.js';
import { at, listAt, send, textAt, type Call } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { restingGauges } from '../support/resting-gauges.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';

const CHUNKS = 24;
/** The task and WORKING come before the chunks, COMPLETED behind them. */
const EVENTS = CHUNKS + 3;
const INDICES = Array.from({ length: EVENTS }, (_, index) => index + 1);
const TEXT = Array.from({ length: CHUNKS }, (_, index) => `c${index + 1} `).join('');

/** Emits as its text says: a chunk each time it is told to, or all in one go. */
class StepExecutor extends AgentExecutor {
  static readonly signals = new EventEmitter();

  override async execute({ taskId, text }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const step = async (): Promise<unknown> => text === 'steps' && once(StepExecutor.signals, taskId);
    await once(StepExecutor.signals, taskId);
    await emitter.working();
    for (let n = 1; n <= CHUNKS; n++) {
      await step();
      await emitter.text(`c${n} `);
    }
    await step();
    await emitter.complete();
  }
}

interface Resumption {
  readonly name: string;
  readonly call: (id: string, lastEventId?: string) => Call;
}

const header = (lastEventId: string | undefined): Record<string, string> =>
  lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
const BINDINGS: readonly Resumption[] = [
  { name: 'JSON-RPC', call: (id, last) => rpc('SubscribeToTask', { id }, header(last)) },
  { name: 'REST', call: (id, last) => rest('GET', `/tasks/${id}:subscribe`, undefined, header(last)) },
];

const payloadOf = ({ data }: Frame): unknown => at(data, 'result') ?? data;
const numbersOf = (frames: readonly Frame[]): number[] => frames.map(({ id }) => Number(id));

/** The text of the artifact as a reader of these frames has it: a task replaces what came before. */
function textOf(frames: readonly Frame[]): string {
  let text = '';
  for (const payload of frames.map(payloadOf)) {
    const task = at(payload, 'task');
    if (task !== undefined) {
      const parts = at(task, 'artifacts.0.parts') === undefined ? [] : listAt(task, 'artifacts.0.parts');
      text = parts.map((part) => String(at(part, 'text'))).join('');
    }
    text += String(at(payload, 'artifactUpdate.artifact.parts.0.text') ?? '');
  }
  return text;
}

describe.each(ADAPTERS)('a reader that is cut at every event, on %s (law 6)', (adapter) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await start(adapter, probeModule({ executor: StepExecutor }));
  });
  afterAll(async () => {
    const gauges = await restingGauges(running.app);
    await running.close();
    expect(gauges).toMatchObject({ runsLive: 0, sessions: 0, openStreams: 0, readers: 0, busSubscribers: 0 });
  });

  async function begin(text: string): Promise<string> {
    const { body } = await send(running.url, rpc('SendMessage', hurried(text)));
    return textAt(body, 'result.task.id');
  }

  /** Opens so many streams: all read from the beginning. */
  function opened(id: string, binding: Resumption, count: number): Promise<EventClient[]> {
    return Promise.all(Array.from({ length: count }, () => EventClient.open(running.url, binding.call(id))));
  }

  /** Leaves a stream with its n-th event, in the middle of a running task. */
  async function cutAt(stream: EventClient, index: number): Promise<readonly Frame[]> {
    await stream.frameCount(index);
    stream.leave();
    return stream.frames.slice(0, index);
  }

  describe.each(BINDINGS)('over $name', (binding) => {
    it.each(['steps', 'burst'])('and resumed by Last-Event-ID loses and doubles nothing (%s)', async (text) => {
      const id = await begin(text);
      const [whole, ...streams] = await opened(id, binding, EVENTS + 1);
      const readers = streams.map(async (stream, place) => {
        const index = place + 1;
        const before = await cutAt(stream, index);
        const last = before.at(-1)?.id;
        // Who has seen the end has nothing to come back for.
        if (index === EVENTS) return before;
        const rest = await EventClient.open(running.url, binding.call(id, last));
        expect(await rest.ended).toBe(true);
        return [...before, ...rest.frames];
      });
      await whole.frameCount(1);
      await untilReaders(EVENTS + 1);
      await stepThrough(id, whole);
      expect(await whole.ended).toBe(true);
      expect(numbersOf(whole.frames)).toEqual(INDICES);
      for (const frames of await Promise.all(readers)) {
        expect(numbersOf(frames)).toEqual(INDICES);
        expect(frames.map(payloadOf)).toEqual(whole.frames.map(payloadOf));
      }
    });

    it('and subscribed again has the same task in the end', async () => {
      const id = await begin('steps');
      const [whole, ...streams] = await opened(id, binding, EVENTS);
      const readers = streams.map(async (stream, place) => {
        const index = place + 1;
        const before = await cutAt(stream, index);
        const again = await EventClient.open(running.url, binding.call(id));
        // The task may have ended meanwhile; then it is asked for.
        if (!String(again.headers['content-type']).startsWith('text/event-stream')) return undefined;
        expect(await again.ended).toBe(true);
        const seen = numbersOf(again.frames);
        expect(seen).toEqual(INDICES.slice((seen[0] ?? 0) - 1));
        expect(seen[0]).toBeGreaterThanOrEqual(Number(before.at(-1)?.id));
        expect(textOf([...before, ...again.frames])).toBe(TEXT);
        return index;
      });
      await whole.frameCount(1);
      await untilReaders(EVENTS);
      await stepThrough(id, whole);
      const resumed = await Promise.all(readers);
      expect(resumed.filter((index) => index !== undefined).length).toBeGreaterThan(CHUNKS / 2);
      const { body } = await send(running.url, rpc('GetTask', { id }));
      expect(textOf([{ id: undefined, event: undefined, data: { task: at(body, 'result') } }])).toBe(TEXT);
    });

    it('and resumed after the end has all of it too', async () => {
      const id = await begin('burst');
      const whole = await EventClient.open(running.url, binding.call(id));
      await whole.frameCount(1);
      StepExecutor.signals.emit(id);
      expect(await whole.ended).toBe(true);
      for (const index of INDICES.slice(0, -1)) {
        const rest = await EventClient.open(running.url, binding.call(id, String(index)));
        expect(await rest.ended).toBe(true);
        expect(numbersOf(rest.frames)).toEqual(INDICES.slice(index));
        expect(rest.frames.map(payloadOf)).toEqual(whole.frames.slice(index).map(payloadOf));
      }
    });
  });

  async function untilReaders(count: number): Promise<void> {
    const diagnostics = running.app.get(A2ADiagnostics, { strict: false });
    // Those who leave with the first frame and come back are there as well.
    while (diagnostics.gauges().readers < count) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets the agent go on as fast as the reader reads. */
  async function stepThrough(id: string, reader: EventClient): Promise<void> {
    for (let event = 2; event <= EVENTS; event++) {
      StepExecutor.signals.emit(id);
      await reader.frameCount(event);
    }
  }
});
