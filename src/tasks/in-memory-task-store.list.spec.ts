import { describe, expect, it } from '@jest/globals';
import { Role, TaskState } from 'nestjs-a2a/protocol';
import { InMemoryTaskStore } from './in-memory-task-store.js';
import { TaskRecord } from './task-record.js';
import { TaskSnapshot } from './task-snapshot.js';
import type { TaskCursor, TaskQuery } from './task-store.js';

const STATES = Object.values(TaskState);
const OWNERS = ['', 'ann', 'bob'];
const CONTEXTS = ['c0', 'c1', 'c2', 'c3'];
const SCOPE = { agent: '', tenant: '' };

/** A small seeded generator, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

function record(
  id: string,
  { owner = 'ann', contextId = 'c0', state = STATES[1], at = 0, agent = '', tenant = '' } = {},
): TaskRecord {
  const message = { messageId: id, role: Role.USER, parts: [{ text: id }] };
  const snapshot = TaskSnapshot.first(id, contextId, message, { state, at, bytes: 1 });
  return new TaskRecord({ agent, tenant, id }, owner, 1, at, snapshot);
}

function newStore(): InMemoryTaskStore {
  return new InMemoryTaskStore({ maxTasks: 1_000_000, taskTtlSeconds: 0 });
}

function naivePage(records: readonly TaskRecord[], query: TaskQuery): unknown {
  const { scope, contextId, state, statusFrom = -Infinity, statusBefore = Infinity, limit, after } = query;
  const behind = (task: TaskRecord, place: TaskCursor): boolean =>
    task.statusMillis < place.statusMillis || (task.statusMillis === place.statusMillis && task.id < place.id);
  const all = records
    .filter((task) => task.key.agent === scope.agent)
    .filter((task) => scope.tenant === undefined || task.key.tenant === scope.tenant)
    .filter((task) => scope.owner === undefined || task.owner === scope.owner)
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => state === undefined || task.state === state)
    .filter((task) => task.statusMillis >= statusFrom && task.statusMillis < statusBefore)
    .sort((a, b) => b.statusMillis - a.statusMillis || (a.id < b.id ? 1 : -1));
  const rest = after ? all.filter((task) => behind(task, after)) : all;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next = last && rest.length > page.length ? { statusMillis: last.statusMillis, id: last.id } : undefined;
  return { records: page, total: all.length, next };
}

async function pageOf(store: InMemoryTaskStore, query: TaskQuery): Promise<unknown> {
  const { records, total, next } = await store.list(query);
  return { records, total, next };
}

describe('InMemoryTaskStore.list', () => {
  it.each([1, 2, 3, 4, 5])('agrees with a naive model over 2,000 random operations (seed %i)', async (seed) => {
    const pick = random(seed);
    const one = <T>(items: readonly T[]): T => items[pick(items.length)];
    const store = newStore();
    const model = new Map<string, TaskRecord>();
    let cursor: TaskCursor | undefined;

    for (let step = 0; step < 2000; step++) {
      const action = pick(10);
      const known = model.size > 0 ? one([...model.values()]) : undefined;
      if (action < 3 || !known) {
        const options = { owner: one(OWNERS), contextId: one(CONTEXTS), state: one(STATES), at: pick(40) };
        const id = `t${pick(100_000)}`;
        const scoped = record(id, { ...options, agent: one(['', 'second']), tenant: one(['', 'acme']) });
        const name = JSON.stringify(scoped.key);
        if (model.has(name)) await expect(async () => store.create(scoped)).rejects.toThrow('exists already');
        else {
          await store.create(scoped);
          model.set(name, scoped);
        }
      } else if (action < 6) {
        const change = {
          state: one([known.state, ...STATES]),
          at: one([known.statusMillis, pick(40)]),
          bytes: pick(5),
        };
        const next = known.next(known.snapshot.withStatus(change));
        const { saved } = await store.save(next, known.version);
        expect(saved).toBe(!known.snapshot.ended);
        if (saved) model.set(JSON.stringify(known.key), next);
      } else if (action === 6) {
        expect(await store.delete({ ...known.key, owner: known.owner }, known.id)).toBe(true);
        model.delete(JSON.stringify(known.key));
      } else {
        const owner = pick(3) > 0 ? one(OWNERS) : undefined;
        const query: TaskQuery = {
          scope: {
            agent: one(['', '', 'second']),
            tenant: one(['', '', 'acme']),
            ...(owner !== undefined && { owner }),
          },
          ...(pick(2) && { contextId: one([...CONTEXTS, 'unknown']) }),
          ...(pick(2) && { state: one(STATES) }),
          ...(pick(3) === 0 && { statusFrom: pick(45) }),
          ...(pick(3) === 0 && { statusBefore: pick(45) }),
          ...(pick(2) && { after: cursor ?? { statusMillis: pick(45), id: `t${pick(100_000)}` } }),
          limit: one([0, 1, 2, 5, 50]),
        };
        expect(await pageOf(store, query)).toEqual(naivePage([...model.values()], query));
        cursor = (await store.list({ ...query, after: undefined, limit: 3 })).next;
      }
    }
    expect(store.gauges().tasks).toBe(model.size);
  });

  it('orders equal times by id, descending, as code units', async () => {
    const store = newStore();
    for (const id of ['b', 'a', 'B', 'é', 'aa', '10', '9']) await store.create(record(id));
    const { records } = await store.list({ scope: SCOPE, limit: 10 });
    expect(records.map(({ id }) => id)).toEqual(['é', 'b', 'aa', 'a', 'B', '9', '10']);
  });

  it('walks every unmoved task exactly once while others move, vanish and arrive', async () => {
    const store = newStore();
    for (let n = 0; n < 200; n++) {
      await store.create(record(`t${String(n).padStart(3, '0')}`, { at: Math.floor(n / 7) }));
    }
    const moved = new Set<string>();
    const seen: string[] = [];
    let after: TaskCursor | undefined;
    do {
      const page = await store.list({ scope: { ...SCOPE, owner: 'ann' }, limit: 9, after });
      seen.push(...page.records.map(({ id }) => id));
      after = page.next;
      const last = page.records.at(-1);
      const first = page.records[0];
      // The very task that the cursor names goes away, and the first of the page comes to the top.
      if (last) await store.delete(SCOPE, last.id);
      if (first && first !== last) {
        const change = { state: TaskState.WORKING, at: 1000, bytes: 0 };
        await store.save(first.next(first.snapshot.withStatus(change)), first.version);
        moved.add(first.id);
      }
      await store.create(record(`new${seen.length}`, { at: 2000 }));
    } while (after);
    expect(seen).toHaveLength(200);
    expect(new Set(seen).size).toBe(200);
    expect(moved.size).toBeGreaterThan(20);
  });

  it('gives no next place on the last page, nor when only counting', async () => {
    const store = newStore();
    for (const id of ['a', 'b', 'c', 'd']) await store.create(record(id));
    const scope = { ...SCOPE, owner: 'ann' };
    expect(await pageOf(store, { scope, limit: 4 })).toMatchObject({ total: 4, next: undefined });
    expect(await pageOf(store, { scope, limit: 2, after: { statusMillis: 0, id: 'c' } })).toMatchObject({
      total: 4,
      next: undefined,
    });
    expect(await pageOf(store, { scope, limit: 0 })).toEqual({ records: [], total: 4, next: undefined });
  });

  it('keeps agents, tenants and owners apart', async () => {
    const store = newStore();
    await store.create(record('t', { agent: 'x' }));
    await store.create(record('t', { tenant: 'y' }));
    await store.create(record('t', { owner: 'bob' }));
    const totals = await Promise.all(
      [
        { agent: '', tenant: '' },
        { agent: 'x', tenant: '' },
        { agent: '', tenant: 'y', owner: 'bob' },
        { agent: '', tenant: '', owner: 'bob' },
        { agent: 'x', tenant: 'y' },
      ].map(async (scope) => (await store.list({ scope, limit: 1 })).total),
    );
    expect(totals).toEqual([1, 1, 0, 1, 0]);
  });

  it('walks all tenants of an agent as one list', async () => {
    const store = newStore();
    const all: TaskRecord[] = [];
    for (let n = 0; n < 120; n++) {
      const state = n % 4 ? TaskState.WORKING : TaskState.INPUT_REQUIRED;
      all.push(record(`t${n}`, { tenant: `tenant ${n % 5}`, owner: `o${n % 3}`, at: (n * 7) % 30, state }));
    }
    all.push(record('other agent', { agent: 'x' }));
    for (const one of all) await store.create(one);
    const queries: Omit<TaskQuery, 'limit'>[] = [
      { scope: { agent: '' } },
      { scope: { agent: '' }, state: TaskState.INPUT_REQUIRED, statusBefore: 20 },
      { scope: { agent: 'x' } },
      { scope: { agent: 'unknown' } },
    ];
    for (const query of queries) {
      for (const limit of [0, 1, 7, 30, 120, 500]) {
        let after: TaskCursor | undefined;
        do {
          const page = await pageOf(store, { ...query, limit, after });
          expect(page).toEqual(naivePage(all, { ...query, limit, after }));
          after = (await store.list({ ...query, limit, after })).next;
        } while (after);
      }
    }
  });

  it('hands out the stored record itself', async () => {
    const store = newStore();
    const stored = record('t');
    await store.create(stored);
    expect((await store.list({ scope: SCOPE, limit: 1 })).records[0]).toBe(stored);
    expect(await store.get(SCOPE, 't')).toBe(stored);
  });

  it('keeps one task without a valid time from unsettling the order', async () => {
    const store = newStore();
    for (const at of [5, 3, 9]) await store.create(record(`t${at}`, { at }));
    const broken = TaskSnapshot.restore(
      { id: 'broken', contextId: 'c0', status: { state: TaskState.WORKING, timestamp: 'yesterday' } },
      1,
      0,
      1,
    );
    await store.create(new TaskRecord({ ...SCOPE, id: 'broken' }, 'ann', 1, 0, broken));
    await store.create(record('t4', { at: 4 }));
    const { records } = await store.list({ scope: SCOPE, limit: 9 });
    expect(records.map(({ id }) => id)).toEqual(['t9', 't5', 't4', 't3', 'broken']);
  });
});
