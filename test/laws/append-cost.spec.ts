import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AppendList } from '../../src/tasks/append-list.js';
import { AgentsUnderTest, requestOf, type InProcessAgent } from '../support/in-process-agent.js';

const SMALL = 1_000;
const LARGE = 8_000;
const NOTHING = { visits: 0, bytes: 0, clones: 0 };

const agents = new AgentsUnderTest();
let counted = { ...NOTHING };

/** Lets every look at a list's entries be counted: copying, walking, serialising. */
function countVisits(): void {
  const build = AppendList.of;
  jest.spyOn(AppendList, 'of').mockImplementation(<T>(items: readonly T[]) => {
    const list = build.call(AppendList, items);
    Reflect.set(list, 'items', watched([...items]));
    return list;
  });
  const stringify = JSON.stringify;
  jest.spyOn(JSON, 'stringify').mockImplementation((...args: unknown[]) => {
    const text: string = Reflect.apply(stringify, JSON, args);
    counted.bytes += text?.length ?? 0;
    return text;
  });
  const clone = structuredClone;
  jest.spyOn(globalThis, 'structuredClone').mockImplementation((value, options) => {
    counted.clones++;
    return clone(value, options);
  });
}

function watched<T>(items: T[]): T[] {
  return new Proxy(items, {
    get: (target, key, receiver) => {
      if (typeof key === 'string' && /^\d/.test(key)) counted.visits++;
      return Reflect.get(target, key, receiver);
    },
  });
}

/** What `chunks` appends to one artifact cost, with a reader, after the task had its first chunk. */
async function costOf(
  chunks: number,
): Promise<{ visits: number; bytes: number; clones: number; agent: InProcessAgent }> {
  const cost = { ...NOTHING };
  const agent = agents.make({
    execute: async (_, emitter) => {
      await emitter.text('c00001 ');
      counted = { ...NOTHING };
      for (let n = 2; n <= chunks; n++) await emitter.text(`c${String(n).padStart(5, '0')} `);
      Object.assign(cost, counted);
      await emitter.complete();
    },
  });
  let last: number | undefined;
  const frames = await agent.handler.sendStreamingMessage(requestOf('hi'), agent.call());
  // A reader over a socket asks for the JSON of every frame.
  await frames.forEach(({ json, sequence }) => void (last = json === '' ? undefined : sequence));
  expect(last).toBe(chunks + 2);
  return { ...cost, agent };
}

afterEach(async () => {
  jest.restoreAllMocks();
  await agents.expectIdle();
});

describe('Appending a chunk (law 3)', () => {
  it(`costs the same in a task of ${SMALL} and of ${LARGE} chunks`, async () => {
    countVisits();
    const small = await costOf(SMALL);
    const large = await costOf(LARGE);
    // The task is there in full: the counting has not replaced what it counts.
    const { records } = await large.agent.store.list({ scope: { agent: '', tenant: '' }, limit: 1 });
    expect(records[0]?.task.artifacts?.[0]?.parts).toHaveLength(LARGE);
    expect(counted.visits).toBeGreaterThanOrEqual(LARGE);
    const perAppend = ({ visits, bytes, clones }: typeof small, chunks: number): object => ({
      visits: Math.round(visits / (chunks - 1)),
      bytes: Math.round(bytes / (chunks - 1)),
      clones: Math.round(clones / (chunks - 1)),
    });
    expect(small.bytes).toBeGreaterThan(0);
    expect(perAppend(large, LARGE)).toEqual(perAppend(small, SMALL));
    expect(large.visits).toBeLessThanOrEqual(LARGE);
  });
});
