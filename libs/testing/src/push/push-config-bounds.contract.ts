import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { itWith } from '../contract/contract-runner.js';
import { PushConfigBench, type PushConfigTest } from './push-config-bench.js';
import type { PushConfigStoreContractOptions } from './push-config-store-contract.options.js';

/** How many there may be, and how they are read page by page. */
export function configBoundsContract(it: PushConfigTest, options: PushConfigStoreContractOptions): void {
  it('stores no more than a task may have, but replaces one always', async (bench) => {
    const key = bench.key();
    const save = (id: string, token?: string) => bench.store.save(key, bench.config(key, id, { token }), 2);
    deepStrictEqual([await save('a'), await save('b'), await save('c')], [true, true, false]);
    await bench.settle();
    deepStrictEqual(await bench.ids(key), ['a', 'b']);
    strictEqual(await save('a', 'new'), true);
    await bench.settle();
    await bench.expectStored(key, bench.config(key, 'a', { token: 'new' }));
    await bench.store.delete(key, 'b');
    await bench.settle();
    strictEqual(await save('c'), true, 'there is room again');
  });

  it('holds the limit when several are stored at the same time', async (bench) => {
    const key = bench.key();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const saved = await Promise.all(ids.map((id) => bench.store.save(key, bench.config(key, id), 3)));
    await bench.settle();
    strictEqual(saved.filter(Boolean).length, 3);
    strictEqual((await bench.ids(key)).length, 3);
  });

  it('lists page by page, each config once, also when some go meanwhile', async (bench) => {
    const key = bench.key();
    const ids = ['d', 'b', 'e', 'a', 'c', 'f', 'g'];
    await bench.save(key, ...ids);
    const walk = async (between: () => Promise<unknown>): Promise<string[]> => {
      const found: string[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < 9; pages++) {
        const page = await bench.store.list(key, 3, after);
        ok(page.configs.length <= 3, 'a page is no longer than asked for');
        ok(page.next === undefined || page.configs.length > 0, 'a page with another one behind it holds something');
        found.push(...page.configs.map(({ id }) => id));
        if (page.next === undefined) return found;
        after = page.next;
        await between();
      }
      throw new Error('the list does not come to its end');
    };
    const whole = await walk(async () => undefined);
    deepStrictEqual([...whole].sort(), [...ids].sort());
    deepStrictEqual(await walk(async () => undefined), whole, 'the order stays the same');
    // The last of the first page is what many stores go on from.
    const gone = whole[2] ?? '';
    const rest = await walk(() => bench.store.delete(key, gone));
    deepStrictEqual(rest, whole);
  });

  const { createWithRoomFor, reopen } = options;
  if (createWithRoomFor) {
    itWith(
      { ...options, create: () => createWithRoomFor(2) },
      'a full store refuses another task, until one has ended',
      async (store) => {
        const bench = new PushConfigBench(store, options.settle);
        const [first, second, third] = [bench.key(), bench.key(), bench.key()];
        await bench.save(first, 'a');
        await bench.save(second, 'a');
        await rejects(bench.save(third, 'a'), { name: 'UnavailableError' });
        await bench.save(first, 'b');
        await store.taskEnded(first);
        await bench.save(third, 'a');
        deepStrictEqual(await bench.ids(second), ['a'], 'configs of a task that goes on never leave');
        deepStrictEqual(await bench.ids(third), ['a']);
      },
    );
  }
  if (reopen) {
    it('shows what another process stored and deleted', async (bench) => {
      const other = await reopen(bench.store);
      try {
        const key = bench.key();
        const [config] = await bench.save(key, 'a', 'b');
        ok(config);
        await bench.expectStored(key, config, other);
        await other.delete(key, 'a');
        await bench.settle();
        await bench.expectNone(key, 'a');
        strictEqual(await other.save(key, bench.config(key, 'c'), 1), false, 'the limit holds for both together');
      } finally {
        await options.destroy?.(other);
      }
    });
  }
}
