import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { isTerminal, TaskState } from 'nestjs-a2a/protocol';
import { expectRefused, expectSaved, type StoreTest } from './store-bench.js';
import { STATES } from './task-samples.js';

const ENDS = STATES.filter((state) => isTerminal(state));
const WRITERS = 4;
const SAVES_EACH = 3;

/** Compare-and-set, and that an end is an end. */
export function saveContract(it: StoreTest): void {
  it('replaces the record of the expected version, in get and in list', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    const second = samples.next(first, { state: TaskState.WORKING, at: 10 });
    const third = samples.next(second);
    await bench.create(first);
    expectSaved(await store.save(second, 1));
    await bench.expectStored(second);
    expectSaved(await store.save(third, 2));
    await bench.expectStored(third);
    await bench.settle();
    const { records, total } = await bench.list();
    deepStrictEqual([total, records.map(({ version }) => version)], [1, [3]]);
  });

  it('refuses a save that expects an older version, and tells what is stored', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    const second = samples.next(first, { state: TaskState.WORKING });
    await bench.create(first);
    expectSaved(await store.save(second, 1));
    expectRefused(await store.save(samples.next(first, { state: TaskState.FAILED }), 1), second);
    await bench.expectStored(second);
  });

  it('refuses a save that expects a version that is yet to come', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    await bench.create(first);
    const third = samples.next(samples.next(first));
    expectRefused(await store.save(third, 2), first);
    await bench.expectStored(first);
  });

  it('refuses the save of a task that is not there, and stores nothing', async (bench) => {
    const { samples, store } = bench;
    const neighbour = samples.record();
    await bench.create(neighbour);
    const absent = samples.record();
    expectRefused(await store.save(samples.next(absent), 1), undefined);
    await bench.expectGone(samples.scope(), absent.id);
    for (const moved of [{ tenant: 'x' }, { agent: `${samples.agent}-other` }]) {
      expectRefused(await store.save(samples.next(samples.record({ id: neighbour.id, ...moved })), 1), undefined);
    }
    await bench.expectStored(neighbour);
  });

  it('refuses the save of a task that was deleted', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    await bench.create(first);
    await store.delete(samples.scope(), first.id);
    expectRefused(await store.save(samples.next(first), 1), undefined);
    await bench.expectGone(samples.scope(), first.id);
  });

  it('lets one of several saves at the same time win, and tells the others which', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    await bench.create(first);
    const rivals = [10, 20, 30, 40, 50].map((at) => samples.next(first, { state: TaskState.WORKING, at }));
    const results = await Promise.all(rivals.map((rival) => store.save(rival, 1)));
    const winners = rivals.filter((_rival, index) => results[index]?.saved);
    strictEqual(winners.length, 1, `${winners.length} of ${rivals.length} saves of version 2 went through`);
    for (const winner of winners) {
      await bench.expectStored(winner);
      for (const result of results) if (!result.saved) expectRefused(result, winner);
    }
  });

  it('loses no save of writers that try again', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record();
    await bench.create(first);
    const write = async (): Promise<void> => {
      for (let saved = 0; saved < SAVES_EACH;) {
        const current = await store.get(samples.scope(), first.id);
        ok(current, 'the task is gone');
        const result = await store.save(samples.next(current), current.version);
        if (result.saved) saved++;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    const last = await store.get(samples.scope(), first.id);
    strictEqual(last?.version, 1 + WRITERS * SAVES_EACH);
  });

  it('saves different tasks at the same time without mixing them up', async (bench) => {
    const { samples, store } = bench;
    const firsts = Array.from({ length: 12 }, (_, index) => samples.record({ at: index }));
    await bench.create(...firsts);
    const seconds = firsts.map((first, index) => samples.next(first, { state: TaskState.WORKING, at: 100 + index }));
    for (const result of await Promise.all(seconds.map((second) => store.save(second, 1)))) expectSaved(result);
    for (const second of seconds) await bench.expectStored(second);
  });

  for (const state of ENDS) {
    it(`never changes a task that is ${state}`, async (bench) => {
      const { samples, store } = bench;
      const running = samples.record({ state: TaskState.WORKING });
      const born = samples.record({ state });
      await bench.create(running, born);
      const ended = samples.next(running, { state, at: 5 });
      expectSaved(await store.save(ended, 1));
      for (const next of [TaskState.WORKING, state, TaskState.COMPLETED]) {
        expectRefused(await store.save(samples.next(ended, { state: next, at: 9 }), 2), ended);
        expectRefused(await store.save(samples.next(born, { state: next, at: 9 }), 1), born);
      }
      await bench.expectStored(ended);
      await bench.expectStored(born);
    });
  }

  it('lets one of two ends that race win', async (bench) => {
    const { samples, store } = bench;
    const running = samples.record({ state: TaskState.WORKING });
    await bench.create(running);
    const ends = ENDS.map((state) => samples.next(running, { state }));
    const results = await Promise.all(ends.map((end) => store.save(end, 1)));
    const winners = ends.filter((_end, index) => results[index]?.saved);
    strictEqual(winners.length, 1, `${winners.length} ends of one task were stored`);
    for (const winner of winners) await bench.expectStored(winner);
  });
}
