import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { plainOf, type PushConfigTest } from './push-config-bench.js';

/** Ids that clients may choose, and that some database folds, trims, escapes or takes for a pattern. */
const IDS = [
  'plain',
  'Plain',
  'plain ',
  ' plain',
  'a|b',
  'a/b',
  '%',
  '_',
  "o'clock",
  '"',
  '\\',
  '__proto__',
  'é',
  'e\u0301',
  '🙂',
];

/** What is stored, found, replaced and deleted. */
export function configKeepingContract(it: PushConfigTest): void {
  it('gives back what was stored, secrets included', async (bench) => {
    const key = bench.key({ tenant: 'x' });
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const config = bench.config(key, 'c', { tenant: 'x', token: 'tok', authentication });
    strictEqual(await bench.store.save(key, config, 1), true, 'save says that it stored');
    await bench.settle();
    await bench.expectStored(key, config);
    const { configs, next } = await bench.store.list(key, 10);
    deepStrictEqual(configs.map(plainOf), [plainOf(config)]);
    strictEqual(next, undefined);
  });

  it('knows nothing of what was never stored', async (bench) => {
    const key = bench.key();
    await bench.expectNone(key, 'c');
    deepStrictEqual(await bench.ids(key), []);
    strictEqual(await bench.store.delete(key, 'c'), false);
    await bench.store.deleteAll(key);
    await bench.store.taskEnded(key);
  });

  it('replaces a config with the same id, wholly', async (bench) => {
    const key = bench.key();
    await bench.store.save(key, bench.config(key, 'c', { token: 'old' }), 9);
    const second = bench.config(key, 'c', { url: 'https://other.example' });
    strictEqual(await bench.store.save(key, second, 9), true);
    await bench.settle();
    await bench.expectStored(key, second);
    deepStrictEqual(await bench.ids(key), ['c']);
  });

  it('keeps configs of different tasks, tenants and agents apart', async (bench) => {
    const key = bench.key();
    const keys = [key, { ...key, tenant: 'x' }, { ...key, agent: `${key.agent}x` }, bench.key()];
    for (const [index, each] of keys.entries()) {
      await bench.store.save(each, bench.config(each, 'c', { token: `${index}` }), 1);
    }
    await bench.settle();
    for (const [index, each] of keys.entries()) {
      await bench.expectStored(each, bench.config(each, 'c', { token: `${index}` }));
    }
    strictEqual(await bench.store.delete(key, 'c'), true);
    await bench.settle();
    await bench.expectNone(key, 'c');
    for (const [index, each] of keys.entries()) {
      if (index > 0) await bench.expectStored(each, bench.config(each, 'c', { token: `${index}` }));
    }
  });

  it('tells ids apart by every character', async (bench) => {
    const key = bench.key();
    const configs = await bench.save(key, ...IDS);
    for (const config of configs) await bench.expectStored(key, config);
    deepStrictEqual(await bench.ids(key), [...IDS].sort());
  });

  it('does not let what was handed in or out change what is stored', async (bench) => {
    const key = bench.key();
    const given = { ...bench.config(key, 'c'), authentication: { scheme: 'Bearer', credentials: 'secret' } };
    const expected = structuredClone(given);
    await bench.store.save(key, given, 1);
    Object.assign(given, { url: 'https://changed.example' });
    given.authentication.credentials = 'changed';
    await bench.settle();
    await bench.expectStored(key, expected);
  });

  it('deletes one config, once', async (bench) => {
    const key = bench.key();
    const [, second] = await bench.save(key, 'a', 'b');
    strictEqual(await bench.store.delete(key, 'a'), true);
    await bench.settle();
    strictEqual(await bench.store.delete(key, 'a'), false);
    await bench.expectNone(key, 'a');
    ok(second);
    await bench.expectStored(key, second);
  });

  it('deletes all configs of a task, and of no other', async (bench) => {
    const [key, other] = [bench.key(), bench.key()];
    await bench.save(key, 'a', 'b');
    await bench.save(other, 'a');
    await bench.store.deleteAll(key);
    await bench.settle();
    deepStrictEqual(await bench.ids(key), []);
    deepStrictEqual(await bench.ids(other), ['a']);
  });

  it('still has the configs of a task that has just ended, and takes more', async (bench) => {
    const key = bench.key();
    const [config] = await bench.save(key, 'a');
    await bench.store.taskEnded(key);
    await bench.settle();
    ok(config);
    await bench.expectStored(key, config);
    await bench.save(key, 'b');
    deepStrictEqual(await bench.ids(key), ['a', 'b']);
  });
}
