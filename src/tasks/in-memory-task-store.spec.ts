import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Role, TaskState, UnavailableError } from 'nestjs-a2a/protocol';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { TaskRecord } from './task-record.js';
import { TaskSnapshot } from './task-snapshot.js';

const SCOPE = { agent: '', tenant: '' };
const { SUBMITTED, WORKING, INPUT_REQUIRED, COMPLETED, CANCELED } = TaskState;

function record(
  id: string,
  { state = SUBMITTED as TaskState, at = 0, bytes = 10, owner = 'ann', agent = '' } = {},
): TaskRecord {
  const message = { messageId: id, role: Role.USER, parts: [{ text: id }] };
  const snapshot = TaskSnapshot.first(id, `context of ${id}`, message, { state, at, bytes });
  return new TaskRecord({ agent, tenant: '', id }, owner, 1, at, snapshot);
}

function changed(from: TaskRecord, state: TaskState, at = from.statusMillis, bytes = 0): TaskRecord {
  return from.next(from.snapshot.withStatus({ state, at, bytes }));
}

async function ids(store: InMemoryTaskStore): Promise<string[]> {
  return (await store.list({ scope: SCOPE, limit: 1000 })).records.map(({ id }) => id).reverse();
}

/** Everything that maps, sets and arrays inside of an object still hold. */
function heldItems(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  const inner: unknown[] = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  const own = value instanceof Map || value instanceof Set || Array.isArray(value) ? inner.length : 0;
  return inner.reduce<number>((sum, item) => sum + heldItems(item, seen), own);
}

describe('InMemoryTaskStore', () => {
  describe('create and get', () => {
    it('refuses a key that exists, whoever owns it', async () => {
      const store = new InMemoryTaskStore();
      await store.create(record('t'));
      await expect(async () => store.create(record('t', { owner: 'bob' }))).rejects.toThrow('exists already');
      expect(store.gauges()).toEqual({ tasks: 1, bytes: 10 });
    });

    it.each([
      ['the owner', { ...SCOPE, owner: 'ann' }, true],
      ['no owner named', SCOPE, true],
      ['another owner', { ...SCOPE, owner: 'bob' }, false],
      ['the anonymous owner', { ...SCOPE, owner: '' }, false],
      ['another agent', { agent: 'x', tenant: '' }, false],
      ['another tenant', { agent: '', tenant: 'x' }, false],
    ])('looks for a task with %s', async (_name, scope, found) => {
      const store = new InMemoryTaskStore();
      await store.create(record('t'));
      expect((await store.get(scope, 't')) !== undefined).toBe(found);
      expect(await store.delete(scope, 't')).toBe(found);
      expect(await store.delete(scope, 't')).toBe(false);
    });

    it.each(['__proto__', 'constructor', '', '\u0000'])('takes %j for an id like any other', async (id) => {
      const store = new InMemoryTaskStore();
      expect(await store.get(SCOPE, id)).toBeUndefined();
      await store.create(record(id, { owner: id }));
      expect((await store.get({ ...SCOPE, owner: id }, id))?.id).toBe(id);
    });
  });

  describe('save', () => {
    it('lets one of two racing saves win and tells the other what is stored', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const first = record('t');
      await store.create(first);
      const [one, two] = [changed(first, COMPLETED), changed(first, CANCELED)];
      const results = await Promise.all([store.save(one, 1), store.save(two, 1)]);
      expect(results).toEqual([{ saved: true }, { saved: false, current: one }]);
      expect(await store.get(SCOPE, 't')).toBe(one);
    });

    it('refuses a save of an ended task, even with the right version', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const ended = record('t', { state: COMPLETED });
      await store.create(ended);
      expect(await store.save(changed(ended, WORKING), 1)).toEqual({ saved: false, current: ended });
    });

    it('tells that a task is gone', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      expect(await store.save(changed(record('t'), WORKING), 1)).toEqual({ saved: false, current: undefined });
      expect(store.gauges()).toEqual({ tasks: 0, bytes: 0 });
    });

    it.each([0, 2, 7])('throws when the record does not follow version %i', async (version) => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const first = record('t');
      await store.create(first);
      await expect(async () => store.save(changed(first, WORKING), version)).rejects.toThrow('cannot follow');
      expect(await store.get(SCOPE, 't')).toBe(first);
    });

    it('throws when the owner would change', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const first = record('t');
      await store.create(first);
      const stolen = new TaskRecord(first.key, 'bob', 2, 0, first.snapshot);
      await expect(async () => store.save(stolen, 1)).rejects.toThrow('cannot change');
    });

    it('touches no index when neither state nor time changed', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const first = record('t');
      await store.create(first);
      const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
      const second = first.next(first.snapshot.withArtifact({ artifact, append: false, bytes: 5 }));
      await store.save(second, 1);
      const { records } = await store.list({ scope: { ...SCOPE, owner: 'ann' }, state: SUBMITTED, limit: 9 });
      expect(records).toEqual([second]);
      expect(store.gauges().bytes).toBe(15);
    });

    it('moves a task in the index of all owners too', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const first = record('t');
      await store.create(first);
      await store.list({ scope: SCOPE, limit: 1 });
      await store.save(changed(first, WORKING, 50), 1);
      const query = { scope: SCOPE, statusFrom: 50, limit: 9 };
      expect((await store.list({ ...query, state: WORKING })).total).toBe(1);
      expect((await store.list({ ...query, state: SUBMITTED })).total).toBe(0);
    });
  });

  describe('bounds', () => {
    it('evicts finished tasks, oldest status first, whatever their age', async () => {
      const store = new InMemoryTaskStore({ maxTasks: 4, taskTtlSeconds: 0 });
      await store.create(record('newer end', { state: COMPLETED, at: 30 }));
      await store.create(record('running', { state: WORKING, at: 1 }));
      await store.create(record('older end', { state: CANCELED, at: 20 }));
      await store.create(record('waiting', { state: INPUT_REQUIRED, at: 2 }));
      await store.create(record('five', { at: 40 }));
      expect(await ids(store)).toEqual(['running', 'waiting', 'newer end', 'five']);
      await store.create(record('six', { at: 50 }));
      expect(await ids(store)).toEqual(['running', 'waiting', 'five', 'six']);
    });

    it('evicts over agents', async () => {
      const store = new InMemoryTaskStore({ maxTasks: 2, taskTtlSeconds: 0 });
      await store.create(record('t', { agent: 'x', state: COMPLETED }));
      await store.create(record('t', { agent: 'y', state: COMPLETED }));
      await store.create(record('t', { agent: 'z' }));
      expect(await store.get({ agent: 'x', tenant: '' }, 't')).toBeUndefined();
      expect(await store.get({ agent: 'y', tenant: '' }, 't')).toBeDefined();
    });

    it.each([
      ['maxTasks', { maxTasks: 2 }],
      ['maxStoreBytes', { maxStoreBytes: 25 }],
    ])('is full when only unfinished tasks are left: %s', async (name, options) => {
      const store = new InMemoryTaskStore({ ...options, taskTtlSeconds: 0 });
      await store.create(record('one', { state: WORKING }));
      await store.create(record('two', { state: INPUT_REQUIRED }));
      const error: unknown = await (async () => store.create(record('three')))().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UnavailableError);
      expect(error).toMatchObject({ retryAfterSeconds: 1, message: expect.stringContaining(name) });
      expect(await ids(store)).toEqual(['one', 'two']);
      await store.delete(SCOPE, 'one');
      await store.create(record('three'));
    });

    it('evicts nothing for a task that would not fit even then', async () => {
      const store = new InMemoryTaskStore({ maxStoreBytes: 30, taskTtlSeconds: 0 });
      await store.create(record('ended', { state: COMPLETED }));
      await store.create(record('running', { state: WORKING }));
      await expect(async () => store.create(record('large', { bytes: 21 }))).rejects.toBeInstanceOf(UnavailableError);
      expect(store.gauges()).toEqual({ tasks: 2, bytes: 20 });
      await store.create(record('fits', { bytes: 20 }));
      expect(await ids(store)).toEqual(['fits', 'running']);
    });

    it('lets a task grow over the bound after all finished ones are gone', async () => {
      const store = new InMemoryTaskStore({ maxStoreBytes: 30, taskTtlSeconds: 0 });
      const running = record('running', { state: WORKING });
      await store.create(record('ended', { state: COMPLETED }));
      await store.create(running);
      expect(await store.save(changed(running, WORKING, 0, 100), 1)).toEqual({ saved: true });
      expect(store.gauges()).toEqual({ tasks: 1, bytes: 110 });
    });

    it('never evicts the very task that is being saved', async () => {
      const store = new InMemoryTaskStore({ maxStoreBytes: 30, taskTtlSeconds: 0 });
      const running = record('running', { state: WORKING });
      await store.create(running);
      await store.save(changed(running, COMPLETED, 0, 100), 1);
      expect((await store.get(SCOPE, 'running'))?.state).toBe(COMPLETED);
      await store.create(record('next'));
      expect(await ids(store)).toEqual(['next']);
    });

    it('counts only the finished tasks that are still there as room', async () => {
      const store = new InMemoryTaskStore({ maxStoreBytes: 30, taskTtlSeconds: 0 });
      await store.create(record('ended', { state: COMPLETED }));
      await store.delete(SCOPE, 'ended');
      await store.create(record('running', { bytes: 20 }));
      await expect(async () => store.create(record('large', { bytes: 20 }))).rejects.toBeInstanceOf(UnavailableError);
    });

    it('forgets owners and contexts whose last task is gone, while others have some', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      await store.create(record('stays'));
      await store.list({ scope: SCOPE, limit: 1 });
      const before = heldItems(store);
      for (const owner of ['ann', 'bob']) {
        await store.create(record('goes', { owner }));
        await store.delete(SCOPE, 'goes');
      }
      expect(heldItems(store)).toBe(before);
    });

    it('holds nothing, and counts nothing, after all tasks are gone', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      const empty = heldItems(store);
      for (let n = 0; n < 1500; n++) {
        const first = record(`t${n}`, { at: n % 50, owner: `o${n % 20}`, agent: `a${n % 3}`, bytes: n });
        await store.create(first);
        await store.list({ scope: { agent: `a${n % 3}`, tenant: '' }, limit: 1 });
        if (n % 2) await store.save(changed(first, n % 3 ? WORKING : COMPLETED, n, 7), 1);
      }
      expect(heldItems(store)).toBeGreaterThan(1500);
      for (let n = 0; n < 1500; n++) await store.delete({ agent: `a${n % 3}`, tenant: '' }, `t${n}`);
      expect(store.gauges()).toEqual({ tasks: 0, bytes: 0 });
      expect(heldItems(store)).toBe(empty);
    });
  });

  describe('time to live', () => {
    beforeEach(() => {
      jest.useFakeTimers({ now: 0 });
    });

    afterEach(() => {
      jest.useRealTimers();
    });

    it('lets finished tasks go at their time, unfinished ones never', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 10 });
      const late = record('late', { state: WORKING });
      await store.create(record('early', { state: COMPLETED, at: 0 }));
      await store.create(late);
      await store.create(record('running', { state: WORKING, at: 1 }));
      jest.setSystemTime(5000);
      await store.save(changed(late, COMPLETED, 5000), 1);
      jest.setSystemTime(9999);
      expect(await ids(store)).toEqual(['early', 'running', 'late']);
      jest.setSystemTime(10_000);
      expect(await store.get(SCOPE, 'early')).toBeUndefined();
      expect(await ids(store)).toEqual(['running', 'late']);
      jest.setSystemTime(1_000_000);
      expect(await ids(store)).toEqual(['running']);
      expect(store.gauges()).toEqual({ tasks: 1, bytes: 10 });
    });

    it('needs no access for that, and one timer for all', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 10 });
      const empty = heldItems(store);
      await store.create(record('running', { state: WORKING }));
      expect(jest.getTimerCount()).toBe(0);
      for (let n = 0; n < 100; n++) await store.create(record(`t${n}`, { state: COMPLETED, at: n * 10 }));
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(12_000);
      expect(jest.getTimerCount()).toBe(0);
      await store.delete(SCOPE, 'running');
      expect(heldItems(store)).toBe(empty);
    });

    it('stops its timer with the last finished task, and at shutdown', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 10 });
      await store.create(record('a', { state: COMPLETED }));
      await store.delete(SCOPE, 'a');
      expect(jest.getTimerCount()).toBe(0);
      await store.create(record('b', { state: COMPLETED }));
      expect(jest.getTimerCount()).toBe(1);
      store.onApplicationShutdown();
      await store.create(record('c', { state: COMPLETED }));
      expect(jest.getTimerCount()).toBe(0);
      expect(await ids(store)).toEqual(['b', 'c']);
    });

    it('never lets a task go when the time is 0', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 0 });
      await store.create(record('a', { state: COMPLETED }));
      expect(jest.getTimerCount()).toBe(0);
      jest.setSystemTime(10 ** 12);
      expect(await ids(store)).toEqual(['a']);
    });

    it('stands a time to live beyond what a timer can wait', async () => {
      const store = new InMemoryTaskStore({ taskTtlSeconds: 10_000_000 });
      await store.create(record('a', { state: COMPLETED }));
      jest.advanceTimersByTime(9_999_999_000);
      expect(await ids(store)).toEqual(['a']);
      jest.advanceTimersByTime(1000);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('refuses the save of a task that is gone by time', async () => {
      let now = 0;
      const store = new InMemoryTaskStore({ taskTtlSeconds: 10, now: () => now });
      const ended = record('a', { state: COMPLETED });
      await store.create(ended);
      now = 10_000;
      expect(await store.save(changed(ended, WORKING), 1)).toEqual({ saved: false, current: undefined });
      await store.create(record('a', { state: COMPLETED, at: now }));
    });
  });
});
