import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import type { TaskStore } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { expectRefused, expectSaved, StoreBench, type StoreTest } from './store-bench.js';
import type { TaskStoreContractOptions } from './task-store-contract.options.js';

/** `durable` must be true of the store that says so. */
export function lifespanContract(it: StoreTest, { reopen, settle, destroy }: TaskStoreContractOptions): void {
  it('says whether it is durable', async ({ store }) => {
    strictEqual(typeof store.durable, 'boolean');
  });

  if (reopen === undefined) return;

  const itWithAnother = (name: string, test: (bench: StoreBench, another: TaskStore) => Promise<void>): void =>
    it(name, async (bench) => {
      const another = await reopen(bench.store);
      try {
        await test(bench, another);
      } finally {
        await destroy?.(another);
      }
    });

  itWithAnother('shows another store on the same data what it wrote', async (bench, another) => {
    const { samples, store } = bench;
    const [kept, changed, gone] = [samples.richRecord(), samples.record({ at: 1 }), samples.record()];
    await bench.create(kept, changed, gone);
    const next = samples.next(changed, { state: TaskState.WORKING, at: 2 });
    expectSaved(await store.save(next, 1));
    await store.delete(samples.scope(), gone.id);
    await bench.settle();
    const other = new StoreBench(another, settle);
    const scope = samples.scope();
    for (const record of [kept, next]) await other.expectStored(record, 'what the other store gives');
    await other.expectGone(scope, gone.id);
    deepStrictEqual(await other.ids({ scope }), [next.id, kept.id]);
  });

  itWithAnother('decides with another store on the same data who creates and who saves', async (bench, other) => {
    const { samples, store } = bench;
    const first = samples.record();
    await bench.create(first);
    await rejects(async () => other.create(samples.record({ id: first.id })), Error);
    const rivals = [samples.next(first, { at: 1 }), samples.next(first, { at: 2 })];
    const results = await Promise.all(rivals.map((rival, index) => (index ? other : store).save(rival, 1)));
    strictEqual(results.filter(({ saved }) => saved).length, 1, 'one of two stores may save version 2');
    const current = await store.get(samples.scope(), first.id);
    ok(current);
    const end = samples.next(current, { state: TaskState.COMPLETED });
    expectSaved(await other.save(end, current.version));
    expectRefused(await store.save(samples.next(end), end.version), end);
  });
}
