import { deepStrictEqual } from 'node:assert/strict';
import { TaskState } from 'nestjs-a2a/protocol';
import { expectRefused, expectSaved, plainOf, type StoreTest } from './store-bench.js';

/** What was handed out once stays as it was. */
export function snapshotContract(it: StoreTest): void {
  it('a record of get never changes, whatever becomes of the task', async (bench) => {
    const { samples, store } = bench;
    const first = samples.richRecord();
    await bench.create(first);
    const got = await store.get(samples.scope(), first.id);
    const second = samples.next(first, { state: TaskState.INPUT_REQUIRED, at: 10 });
    expectSaved(await store.save(second, first.version));
    // A store that keeps what it hands out may change it only when the task is read again.
    await bench.expectStored(second);
    deepStrictEqual(got && plainOf(got), plainOf(first), 'after a save');
    expectSaved(await store.save(samples.next(second, { state: TaskState.FAILED }), 2));
    await store.delete(samples.scope(), first.id);
    deepStrictEqual(got && plainOf(got), plainOf(first), 'after an end and a delete');
  });

  it('the records and the length of a page never change', async (bench) => {
    const { samples, store } = bench;
    const [one, two, three] = [samples.record({ at: 3 }), samples.record({ at: 2 }), samples.record({ at: 1 })];
    await bench.create(one, two, three);
    const page = await bench.list();
    expectSaved(await store.save(samples.next(two, { state: TaskState.COMPLETED, at: 9 }), 1));
    await store.delete(samples.scope(), one.id);
    await bench.create(samples.record({ at: 8 }));
    await bench.list();
    deepStrictEqual([page.total, page.records.map(plainOf)], [3, [one, two, three].map(plainOf)]);
  });

  it('what a refused save told never changes', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    const second = samples.next(first);
    await bench.create(first);
    expectSaved(await store.save(second, 1));
    const refused = await store.save(samples.next(first), 1);
    expectSaved(await store.save(samples.next(second, { state: TaskState.WORKING, at: 7 }), 2));
    expectRefused(refused, second);
  });

  it('what was given to create and save stays as it was', async (bench) => {
    const { samples, store } = bench;
    const first = samples.richRecord();
    const second = samples.next(first, { state: TaskState.AUTH_REQUIRED, at: 4 });
    const before = [plainOf(first), plainOf(second)];
    await bench.create(first);
    expectSaved(await store.save(second, first.version));
    expectSaved(await store.save(samples.next(second, { state: TaskState.CANCELED, at: 5 }), 2));
    deepStrictEqual([plainOf(first), plainOf(second)], before);
  });
}
