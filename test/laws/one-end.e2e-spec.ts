import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { AgentExecutor, TaskStore, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { hurried, rest, rpc } from '../support/a2a-calls.js';
import { CopyingStore } from '../support/copying-store.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, send, textAt, type Answer } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { restingGauges } from '../support/resting-gauges.js';
import { start, type AdapterName } from '../support/running-app.js';
import { InMemoryTaskStore } from '../../src/tasks/in-memory-task-store.js';
import { PATIENCE_MS, scaled } from './scale.js';

const ROUNDS = scaled(48, 500);
const LANES = 4;
const END = /COMPLETED|FAILED|CANCELED|REJECTED/;

/**
 * Ends in several ways at the same time, when it is told to or is being canceled. The number of the round, which is its
 * text, says which ways, and how far they are apart.
 */
class TornExecutor extends AgentExecutor {
  static readonly signals = new EventEmitter().setMaxListeners(0);

  override async execute({ taskId, text, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const index = Number(text);
    await emitter.working();
    await once(TornExecutor.signals, taskId, { signal }).catch(() => undefined);
    const complete = (): Promise<void> => emitter.complete('done').catch(() => undefined);
    const fail = (): Promise<void> => emitter.fail('broken').catch(() => undefined);
    const pause = async (): Promise<void> => {
      for (let tick = 0; tick < index % 7; tick++) await Promise.resolve();
      if (index % 2 === 0) await turns(index % 5);
    };
    switch (index % 4) {
      case 0:
        await Promise.all([complete(), pause().then(fail)]);
        return;
      case 1:
        await Promise.all([pause().then(complete), fail()]);
        return;
      case 2:
        void pause().then(complete);
        return signal.throwIfAborted();
      default:
        await pause();
        void complete();
        throw new Error('and yet another way to end');
    }
  }
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

async function round(url: string, store: TaskStore, index: number): Promise<string> {
  const { body } = await send(url, rpc('SendMessage', hurried(String(index))));
  const id = textAt(body, 'result.task.id');
  const readers = await Promise.all([
    EventClient.open(url, rpc('SubscribeToTask', { id })),
    EventClient.open(url, rest('GET', `/tasks/${id}:subscribe`)),
  ]);
  // Not before the agent can hear that it is to go on.
  const isAtWork = ({ frames }: EventClient): boolean => frames.some(({ data }) => stateIn(data).endsWith('WORKING'));
  await Promise.all(readers.map((reader) => reader.until(isAtWork)));
  const cancels = await Promise.all([
    send(url, rpc('CancelTask', { id })),
    turns(index % 3).then(() => send(url, rest('POST', `/tasks/${id}:cancel`, {}))),
    // In some rounds the agent comes first, in the others the cancel makes it end.
    index % 5 === 0 ? turns(index % 9).then(() => void TornExecutor.signals.emit(id)) : undefined,
  ]);
  expect(await Promise.all(readers.map((reader) => reader.ended))).toEqual([true, true]);
  const task = at((await send(url, rpc('GetTask', { id }))).body, 'result');
  const state = textAt(task, 'status.state');
  expect(state).toMatch(END);
  for (const { frames } of readers) {
    const ends = frames.map(({ data }) => stateIn(data)).filter((found) => END.test(found));
    expect(ends).toEqual([state]);
    expect(stateIn(frames.at(-1)?.data)).toBe(state);
  }
  const stored = await store.get({ agent: '', tenant: '' }, id);
  expect(JSON.parse(JSON.stringify(stored?.task))).toEqual(task);
  for (const answer of cancels) if (answer) expectAgrees(answer, state);
  return state;
}

/** A cancel tells the task that it canceled, or that it came too late. */
function expectAgrees({ body }: Answer, state: string): void {
  const canceled = at(body, 'result.status.state') ?? at(body, 'status.state');
  if (state === 'TASK_STATE_CANCELED') expect(canceled).toBe(state);
  else expect(at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason')).toBe('TASK_NOT_CANCELABLE');
}

function stateIn(data: unknown): string {
  const payload = at(data, 'result') ?? data;
  return String(at(payload, 'task.status.state') ?? at(payload, 'statusUpdate.status.state') ?? '');
}

describe('two cancels, a completion and a failure at once (law 5)', () => {
  it.each<[AdapterName, string, number, () => TaskStore]>([
    ['express', 'the store in memory', ROUNDS, () => new InMemoryTaskStore()],
    ['fastify', 'the store in memory', ROUNDS, () => new InMemoryTaskStore()],
    ['express', 'a store that copies and takes its time', ROUNDS, () => new CopyingStore(1)],
    ['fastify', 'a store that copies', ROUNDS, () => new CopyingStore(0)],
  ])(
    'on %s, with %s, %i times: one end, and all agree on it',
    async (adapter, _store, rounds, storeOf) => {
      const store = storeOf();
      const providers = [{ provide: TaskStore, useValue: store }];
      const { app, url, close } = await start(adapter, probeModule({ executor: TornExecutor, providers }));
      try {
        const ends: string[] = [];
        let next = 0;
        const lane = async (): Promise<void> => {
          while (next < rounds) ends.push(await round(url, store, next++));
        };
        await Promise.all(Array.from({ length: LANES }, lane));
        expect(ends).toHaveLength(rounds);
        // The race was one: each side has won it.
        expect([...new Set(ends)].sort()).toEqual(['TASK_STATE_CANCELED', 'TASK_STATE_COMPLETED', 'TASK_STATE_FAILED']);
        expect(await restingGauges(app)).toMatchObject({ runsLive: 0, sessions: 0 });
      } finally {
        await close();
      }
    },
    PATIENCE_MS,
  );
});
