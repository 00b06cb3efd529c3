import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { TaskState } from 'nestjs-a2a/protocol';
import { idsOf, expectRecord, type StoreTest } from './store-bench.js';

/** Names that clients and hosts may choose, and that some database folds, trims, escapes or takes for a pattern. */
const NAMES = ['', 'plain', 'Plain', 'plain ', ' plain', 'a|b', 'a:b', '%', '_', "o'clock", '"', '\\', '__proto__'];
const UNICODE_NAMES = ['é', 'e\u0301', 'ß', 'ss', '半', '🙂'];

/** Create, and what tells one task from the next. */
export function keyContract(it: StoreTest): void {
  it('gives back what was created, with everything that a task can hold', async (bench) => {
    const record = bench.samples.richRecord();
    await bench.create(record);
    await bench.expectStored(record);
    const [listed] = (await bench.list()).records;
    expectRecord(listed, record, 'what list gives');
  });

  it('refuses to create a task whose key exists, whoever owns it, and keeps the first', async (bench) => {
    const first = bench.samples.record();
    await bench.create(first);
    for (const owner of ['ann', 'bob', '']) {
      const second = bench.samples.record({ id: first.id, owner, state: TaskState.WORKING });
      await rejects(
        async () => bench.store.create(second),
        Error,
        `a second task ${first.id}, of the owner '${owner}'`,
      );
    }
    await bench.expectStored(first);
    strictEqual((await bench.list()).total, 1);
  });

  it('refuses to create a task again that has been saved or has ended since', async (bench) => {
    const first = bench.samples.record();
    await bench.create(first);
    const ended = bench.samples.next(first, { state: TaskState.COMPLETED });
    await bench.store.save(ended, 1);
    await rejects(async () => bench.store.create(first), Error);
    await bench.expectStored(ended);
  });

  it('lets one of several that create the same task at the same time succeed', async (bench) => {
    const { id } = bench.samples.record();
    const records = ['ann', 'bob', 'cid', 'dan'].map((owner) => bench.samples.record({ id, owner }));
    const results = await Promise.allSettled(records.map(async (record) => bench.store.create(record)));
    const winners = records.filter((_record, index) => results[index]?.status === 'fulfilled');
    strictEqual(winners.length, 1, `${winners.length} of 4 tasks with the same key were created`);
    await bench.settle();
    deepStrictEqual(await bench.ids(), [id]);
    for (const winner of winners) await bench.expectStored(winner);
  });

  it('keeps tasks with the same id under different agents and tenants apart', async (bench) => {
    const { samples, store } = bench;
    const { id } = samples.record();
    const other = `${samples.agent}-other`;
    const records = [
      samples.record({ id }),
      samples.record({ id, tenant: 'x', owner: 'bob' }),
      samples.record({ id, agent: other }),
      samples.record({ id, agent: other, tenant: 'x' }),
    ];
    await bench.create(...records);
    for (const record of records) await bench.expectStored(record);
    const [first, second, ...others] = records;
    if (!first || !second) return;
    const changed = samples.next(second, { state: TaskState.WORKING });
    await store.save(changed, 1);
    strictEqual(await store.delete(samples.scope(), id), true);
    await bench.expectGone(samples.scope(), id);
    for (const record of [changed, ...others]) await bench.expectStored(record);
  });

  it('does not take the end of one name for the beginning of the next', async (bench) => {
    const { samples } = bench;
    const { id } = samples.record();
    const records = [
      samples.record({ id: `b${id}`, tenant: 'a' }),
      samples.record({ id, tenant: 'ab' }),
      samples.record({ id, agent: `${samples.agent}a`, tenant: 'b' }),
      samples.record({ id: `|${id}`, tenant: 'ab' }),
      samples.record({ id, tenant: 'ab|' }),
    ];
    await bench.create(...records);
    for (const record of records) await bench.expectStored(record);
  });

  for (const [what, names] of [
    ['case, blanks and special characters', NAMES],
    ['letters that look alike or take two places', UNICODE_NAMES],
  ] as const) {
    it(`tells tenants, owners and contexts apart by every character: ${what}`, async (bench) => {
      const { samples } = bench;
      const records = names.map((name) => samples.record({ tenant: name, owner: name, contextId: `c${name}` }));
      const owned = names.map((name) => samples.record({ tenant: 'one', owner: name, contextId: `c${name}` }));
      await bench.create(...records, ...owned);
      for (const [index, name] of names.entries()) {
        const [record, own] = [records[index], owned[index]];
        if (!record || !own) continue;
        await bench.expectStored(record);
        const where = JSON.stringify(name);
        deepStrictEqual(await bench.ids({ scope: samples.scope({ tenant: name }) }), [record.id], `tenant ${where}`);
        const scope = samples.scope({ tenant: 'one' });
        deepStrictEqual(await bench.ids({ scope: { ...scope, owner: name } }), [own.id], `owner ${where}`);
        deepStrictEqual(await bench.ids({ scope, contextId: `c${name}` }), [own.id], `context ${where}`);
      }
    });
  }

  it('makes a task that was deleted anew', async (bench) => {
    const { samples, store } = bench;
    const first = samples.record({ state: TaskState.COMPLETED });
    await bench.create(first);
    await store.delete(samples.scope(), first.id);
    const second = samples.record({ id: first.id, owner: 'bob' });
    await bench.create(second);
    await bench.expectStored(second);
    deepStrictEqual(idsOf(await bench.list({ scope: samples.scope({ owner: 'ann' }) })), []);
  });
}
