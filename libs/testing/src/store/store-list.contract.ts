import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { TaskRecord } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { idsOf, type BenchQuery, type StoreBench, type StoreTest } from './store-bench.js';
import { expectedIds } from './expected-list.js';
import { seededRandom } from './seeded-random.js';
import { STATES } from './task-samples.js';

const { SUBMITTED, WORKING, COMPLETED } = TaskState;

interface FilterCase {
  readonly name: string;
  readonly query: (bench: StoreBench) => BenchQuery;
  /** Names of the records that match, newest first. */
  readonly expected: readonly string[];
}

/** The records of the filter cases, by name: owner, context, state and time of each. */
const LIBRARY = [
  { name: 'a', owner: 'ann', contextId: 'red', state: WORKING, at: 10 },
  { name: 'b', owner: 'ann', contextId: 'red', state: COMPLETED, at: 20 },
  { name: 'c', owner: 'bob', contextId: 'red', state: WORKING, at: 30 },
  { name: 'd', owner: 'ann', contextId: 'blue', state: WORKING, at: 40 },
  { name: 'e', owner: '', contextId: 'blue', state: COMPLETED, at: 50 },
] as const;

const from = (at: number) => (bench: StoreBench) => ({ statusFrom: bench.samples.start + at });
const before = (at: number) => (bench: StoreBench) => ({ statusBefore: bench.samples.start + at });
const of = (owner: string) => (bench: StoreBench) => ({ scope: bench.samples.scope({ owner }) });

const FILTERS: readonly FilterCase[] = [
  { name: 'none', query: () => ({}), expected: ['e', 'd', 'c', 'b', 'a'] },
  { name: 'context', query: () => ({ contextId: 'red' }), expected: ['c', 'b', 'a'] },
  { name: 'a context that is not there', query: () => ({ contextId: 're' }), expected: [] },
  { name: 'state', query: () => ({ state: COMPLETED }), expected: ['e', 'b'] },
  { name: 'a state that no task is in', query: () => ({ state: TaskState.REJECTED }), expected: [] },
  { name: 'owner', query: of('ann'), expected: ['d', 'b', 'a'] },
  { name: 'the anonymous owner', query: of(''), expected: ['e'] },
  { name: 'statusFrom, that very time included', query: from(30), expected: ['e', 'd', 'c'] },
  { name: 'statusFrom, a millisecond later', query: from(31), expected: ['e', 'd'] },
  { name: 'statusBefore, that very time excluded', query: before(30), expected: ['b', 'a'] },
  { name: 'statusBefore, a millisecond later', query: before(31), expected: ['c', 'b', 'a'] },
  { name: 'a span of time', query: (b) => ({ ...from(20)(b), ...before(40)(b) }), expected: ['c', 'b'] },
  { name: 'an empty span of time', query: (b) => ({ ...from(20)(b), ...before(20)(b) }), expected: [] },
  { name: 'state and context', query: () => ({ state: WORKING, contextId: 'red' }), expected: ['c', 'a'] },
  { name: 'owner and state', query: (b) => ({ ...of('ann')(b), state: WORKING }), expected: ['d', 'a'] },
  { name: 'owner and context of others', query: (b) => ({ ...of('bob')(b), contextId: 'blue' }), expected: [] },
  {
    name: 'all of them',
    query: (b) => ({ ...of('ann')(b), contextId: 'red', state: WORKING, ...from(10)(b), ...before(20)(b) }),
    expected: ['a'],
  },
];

/** Order, pages, filters and totals. */
export function listContract(it: StoreTest): void {
  it('gives the newest status first, and the same instant by id, descending', async (bench) => {
    const { samples } = bench;
    const ties = Array.from({ length: 6 }, () => samples.record({ at: 20 }));
    const records = [samples.record({ at: 10 }), ...ties, samples.record({ at: 30 }), samples.record({ at: 15 })];
    await bench.create(...records);
    deepStrictEqual(await bench.ids(), expectedIds(records));
  });

  it('says total 0 and no next page where nothing is', async (bench) => {
    for (const limit of [0, 1, 100]) {
      const { records, total, next } = await bench.list({ limit });
      deepStrictEqual([records, total, next], [[], 0, undefined]);
    }
  });

  it('only counts with a limit of 0', async (bench) => {
    await bench.create(...Array.from({ length: 3 }, () => bench.samples.record()));
    const { records, total } = await bench.list({ limit: 0 });
    deepStrictEqual([records, total], [[], 3]);
  });

  for (const limit of [1, 2, 3, 4, 6, 7, 12, 13]) {
    it(`gives each of 12 tasks once in pages of ${limit}, ties included`, async (bench) => {
      const { samples } = bench;
      const records = [0, 0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3].map((at) => samples.record({ at }));
      await bench.create(...records);
      deepStrictEqual(await bench.walk({}, limit), expectedIds(records));
    });
  }

  it('goes on behind a place whose task has gone or has moved', async (bench) => {
    const { samples, store } = bench;
    const records = [9, 8, 7, 6, 5].map((at) => samples.record({ at }));
    await bench.create(...records);
    const [, second, third] = records;
    const { next } = await bench.list({ limit: 2 });
    if (!second || !third) return;
    await store.delete(samples.scope(), second.id);
    await store.save(samples.next(third, { state: WORKING, at: 100 }), 1);
    await bench.create(samples.record({ at: 200 }));
    const page = await bench.list({ after: next });
    deepStrictEqual(idsOf(page), expectedIds(records).slice(3));
    strictEqual(page.total, 5, 'the total counts all matches, whatever the page');
  });

  it('starts behind a place where no task ever was', async (bench) => {
    const { samples } = bench;
    const [newer, older] = [samples.record({ at: 50 }), samples.record({ at: 10 })];
    await bench.create(newer, older);
    const start = (at: number, id: string) => ({ after: { statusMillis: samples.start + at, id } });
    deepStrictEqual(await bench.ids(start(30, 'x')), [older.id]);
    deepStrictEqual(await bench.ids(start(60, 'x')), [newer.id, older.id]);
    deepStrictEqual(await bench.ids(start(5, 'x')), []);
    // Behind the place of the older one, which is taken by its id.
    deepStrictEqual(await bench.ids(start(10, older.id)), []);
    deepStrictEqual(await bench.ids(start(10, `${older.id}~`)), [older.id]);
  });

  for (const { name, query, expected } of FILTERS) {
    it(`finds what matches, in pages of any size: ${name}`, async (bench) => {
      const records = new Map<string, TaskRecord>();
      for (const { name: key, ...input } of LIBRARY) records.set(key, bench.samples.record(input));
      await bench.create(...records.values());
      await bench.create(bench.samples.record({ tenant: 'x', owner: 'ann', contextId: 'red', state: WORKING, at: 15 }));
      const ids = expected.map((key) => records.get(key)?.id);
      for (const limit of [1, 2, 100]) deepStrictEqual(await bench.walk(query(bench), limit), ids);
    });
  }

  it('follows each save: state, time and order', async (bench) => {
    const { samples, store } = bench;
    const [one, two] = [samples.record({ at: 10 }), samples.record({ at: 20 })];
    await bench.create(one, two);
    deepStrictEqual(await bench.ids(), [two.id, one.id]);
    const later = samples.next(one, { state: WORKING, at: 30 });
    await store.save(later, 1);
    await bench.settle();
    deepStrictEqual(await bench.ids(), [one.id, two.id]);
    deepStrictEqual(await bench.ids({ state: SUBMITTED }), [two.id]);
    deepStrictEqual(await bench.ids({ state: WORKING }), [one.id]);
    deepStrictEqual(await bench.ids({ statusFrom: samples.start + 21 }), [one.id]);
    await store.save(samples.next(later, { state: COMPLETED }), 2);
    await bench.settle();
    deepStrictEqual(await bench.ids({ state: WORKING }), []);
    deepStrictEqual(await bench.ids({ state: COMPLETED, scope: samples.scope({ owner: 'ann' }) }), [one.id]);
  });

  it('looks through all tenants of an agent when none is named, and at no other agent', async (bench) => {
    const { samples } = bench;
    const tenants = ['', 'x', 'y', 'x', '', 'y', 'z', 'z'];
    const records = tenants.map((tenant, index) =>
      samples.record({ tenant, at: index % 3, owner: `o${index % 2}`, state: index % 4 ? WORKING : COMPLETED }),
    );
    const foreign = samples.record({ agent: `${samples.agent}-other`, tenant: 'x' });
    await bench.create(...records, foreign);
    const scope = { agent: samples.agent };
    for (const limit of [1, 3, 8, 100]) deepStrictEqual(await bench.walk({ scope }, limit), expectedIds(records));
    const ended = records.filter(({ state }) => state === COMPLETED);
    deepStrictEqual(await bench.walk({ scope, state: COMPLETED }, 1), expectedIds(ended));
    const early = records.filter(({ statusMillis }) => statusMillis < samples.start + 1);
    deepStrictEqual(await bench.walk({ scope, statusBefore: samples.start + 1 }, 2), expectedIds(early));
    deepStrictEqual(await bench.ids({ scope: { agent: foreign.key.agent } }), [foreign.id]);
  });

  it('agrees with a plain filter and sort on many searches', async (bench) => {
    const { samples } = bench;
    const random = seededRandom(7);
    const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)];
    const owners = ['', 'ann', 'bob'];
    const contexts = ['c0', 'c1', 'c2'];
    const records = Array.from({ length: 60 }, () =>
      samples.record({ owner: pick(owners), contextId: pick(contexts), state: pick(STATES), at: random(12) }),
    );
    await bench.create(...records);
    for (let round = 0; round < 30; round++) {
      const query: BenchQuery = {
        scope: samples.scope(random(2) ? { owner: pick(owners) } : {}),
        ...(random(2) && { contextId: pick(contexts) }),
        ...(random(3) === 0 && { state: pick(STATES) }),
        ...(random(3) === 0 && { statusFrom: samples.start + random(12) }),
        ...(random(3) === 0 && { statusBefore: samples.start + random(12) }),
      };
      deepStrictEqual(await bench.walk(query, 1 + random(9)), expectedIds(records, query), JSON.stringify(query));
    }
  });
}
