import { afterEach, describe, expect, it } from '@jest/globals';
import type { TaskKey } from '../tasks/task-record.js';
import { InMemoryPushNotificationConfigStore } from './in-memory-push-config.store.js';

let stores: InMemoryPushNotificationConfigStore[] = [];
let clock = 0;

function storeWith(options: { maxTasks?: number; taskTtlSeconds?: number }): InMemoryPushNotificationConfigStore {
  const store = new InMemoryPushNotificationConfigStore({ now: () => clock, ...options });
  stores.push(store);
  return store;
}

afterEach(() => {
  for (const store of stores) store.onApplicationShutdown();
  stores = [];
  clock = 0;
});

const keyOf = (id: string): TaskKey => ({ agent: '', tenant: '', id });

async function save(store: InMemoryPushNotificationConfigStore, id: string): Promise<boolean> {
  return store.save(keyOf(id), { id: 'c', taskId: id, url: 'https://a.example' }, 32);
}

async function has(store: InMemoryPushNotificationConfigStore, id: string): Promise<boolean> {
  return (await store.get(keyOf(id), 'c')) !== undefined;
}

describe('InMemoryPushNotificationConfigStore', () => {
  it('drops the configs of a task so long after its end', async () => {
    const store = storeWith({ taskTtlSeconds: 10 });
    await save(store, 'ended');
    await save(store, 'live');
    await store.taskEnded(keyOf('ended'));
    clock = 9_999;
    expect(await has(store, 'ended')).toBe(true);
    clock = 10_000;
    expect([await has(store, 'ended'), await has(store, 'live')]).toEqual([false, true]);
    expect(store.size).toBe(1);
  });

  it('keeps them until room is needed when there is no such time', async () => {
    const store = storeWith({ taskTtlSeconds: 0, maxTasks: 2 });
    for (const id of ['a', 'b']) {
      await save(store, id);
      await store.taskEnded(keyOf(id));
    }
    clock = 1e12;
    expect(await has(store, 'a')).toBe(true);
    await save(store, 'c');
    expect([await has(store, 'a'), await has(store, 'b'), await has(store, 'c')]).toEqual([false, true, true]);
  });

  it('has room again when a task lost its last config', async () => {
    const store = storeWith({ maxTasks: 1 });
    await save(store, 'a');
    await expect(save(store, 'b')).rejects.toMatchObject({ name: 'UnavailableError' });
    await store.delete(keyOf('a'), 'c');
    expect(await save(store, 'b')).toBe(true);
    expect(store.size).toBe(1);
  });

  it('hands out what cannot be changed', async () => {
    const store = storeWith({});
    const authentication = { scheme: 'Bearer', credentials: 'c' };
    await store.save(keyOf('a'), { id: 'c', taskId: 'a', url: 'https://a.example', authentication }, 1);
    const config = await store.get(keyOf('a'), 'c');
    expect([Object.isFrozen(config), Object.isFrozen(config?.authentication)]).toEqual([true, true]);
  });

  it('drops everything when the app stops', async () => {
    const store = storeWith({});
    await save(store, 'a');
    store.onApplicationShutdown();
    expect(store.size).toBe(0);
  });
});
