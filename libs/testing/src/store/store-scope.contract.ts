import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { TaskScope } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { expectRecord, type StoreBench, type StoreTest } from './store-bench.js';
import { STATES } from './task-samples.js';

interface ScopeCase {
  readonly name: string;
  readonly owner: string;
  readonly scope: (bench: StoreBench) => TaskScope;
  readonly visible: boolean;
}

const OTHER_AGENT = (bench: StoreBench): TaskScope => ({ agent: `${bench.samples.agent}-other`, tenant: '' });

/** Whose task is looked for with which scope, and whether it is there for that scope. */
const CASES: readonly ScopeCase[] = [
  { name: 'its owner', owner: 'ann', scope: ({ samples }) => samples.scope({ owner: 'ann' }), visible: true },
  { name: 'no owner named', owner: 'ann', scope: ({ samples }) => samples.scope(), visible: true },
  { name: 'another owner', owner: 'ann', scope: ({ samples }) => samples.scope({ owner: 'bob' }), visible: false },
  { name: 'the anonymous owner', owner: 'ann', scope: ({ samples }) => samples.scope({ owner: '' }), visible: false },
  { name: 'another tenant', owner: 'ann', scope: ({ samples }) => samples.scope({ tenant: 'x' }), visible: false },
  {
    name: 'its owner in another tenant',
    owner: 'ann',
    scope: ({ samples }) => samples.scope({ tenant: 'x', owner: 'ann' }),
    visible: false,
  },
  { name: 'another agent', owner: 'ann', scope: OTHER_AGENT, visible: false },
  {
    name: 'its owner at another agent',
    owner: 'ann',
    scope: (bench) => ({ ...OTHER_AGENT(bench), owner: 'ann' }),
    visible: false,
  },
  {
    name: 'the anonymous owner, whose it is',
    owner: '',
    scope: ({ samples }) => samples.scope({ owner: '' }),
    visible: true,
  },
  {
    name: 'a named owner, while it is an anonymous one’s',
    owner: '',
    scope: ({ samples }) => samples.scope({ owner: 'ann' }),
    visible: false,
  },
];

/** Agent, tenant and owner, on every method that takes a scope. */
export function scopeContract(it: StoreTest): void {
  for (const { name, owner, scope, visible } of CASES) {
    it(`get, list and delete ${visible ? 'find' : 'do not find'} a task with ${name}`, async (bench) => {
      const { store, samples } = bench;
      const record = samples.record({ owner });
      await bench.create(record);
      const asked = scope(bench);
      const found = await store.get(asked, record.id);
      if (visible) expectRecord(found, record, 'what get gives');
      else strictEqual(found, undefined, 'get gives a task that does not exist in this scope');
      const { total } = await bench.list({ scope: asked, limit: 0 });
      deepStrictEqual([await bench.ids({ scope: asked }), total], visible ? [[record.id], 1] : [[], 0]);
      strictEqual(await store.delete(asked, record.id), visible, 'what delete gives');
      await bench.settle();
      if (visible) await bench.expectGone(samples.scope(), record.id);
      else await bench.expectStored(record, 'what is left after a delete in a foreign scope');
    });
  }

  it('get and delete know nothing of an id that never was', async (bench) => {
    const { samples, store } = bench;
    await bench.create(samples.record());
    const { id } = samples.record();
    await bench.expectGone(samples.scope(), id);
    strictEqual(await store.delete(samples.scope(), id), false);
    strictEqual((await bench.list()).total, 1);
  });

  it('delete removes a task once, in every state, and from every list', async (bench) => {
    const { samples, store } = bench;
    const records = STATES.map((state) => samples.record({ state, contextId: 'c' }));
    await bench.create(...records);
    for (const { id } of records) strictEqual(await store.delete(samples.scope({ owner: 'ann' }), id), true);
    for (const { id } of records) strictEqual(await store.delete(samples.scope({ owner: 'ann' }), id), false);
    await bench.settle();
    for (const query of [
      {},
      { contextId: 'c' },
      { state: TaskState.WORKING },
      { scope: samples.scope({ owner: 'ann' }) },
    ]) {
      const { records: left, total, next } = await bench.list(query);
      deepStrictEqual([left, total, next], [[], 0, undefined]);
    }
    for (const { id } of records) await bench.expectGone(samples.scope(), id);
  });

  it('one of several that delete a task at the same time is told that it did', async (bench) => {
    const { samples, store } = bench;
    const task = samples.record();
    await bench.create(task);
    const results = await Promise.all([1, 2, 3].map(() => store.delete(samples.scope(), task.id)));
    deepStrictEqual(results.sort(), [false, false, true]);
  });
}
