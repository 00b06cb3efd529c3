import { describe, expect, it } from '@jest/globals';
import {
  InMemoryPushNotificationConfigStore,
  PushNotificationConfigStore,
  type PushConfigPage,
  type StoredPushConfig,
  type TaskKey,
} from 'nestjs-a2a';
import { runPushNotificationConfigStoreContract } from 'nestjs-a2a/testing';
import { CollectingRunner } from '../../../../test/support/collecting-runner.js';

/** Another store on the data of one. */
class View extends PushNotificationConfigStore {
  constructor(protected readonly inner: PushNotificationConfigStore = new InMemoryPushNotificationConfigStore()) {
    super();
  }

  override save(key: TaskKey, config: StoredPushConfig, maxPerTask: number): Promise<boolean> {
    return this.inner.save(key, config, maxPerTask);
  }

  override get(key: TaskKey, id: string): Promise<StoredPushConfig | undefined> {
    return this.inner.get(key, id);
  }

  override list(key: TaskKey, limit: number, after?: string): Promise<PushConfigPage> {
    return this.inner.list(key, limit, after);
  }

  override delete(key: TaskKey, id: string): Promise<boolean> {
    return this.inner.delete(key, id);
  }

  override deleteAll(key: TaskKey): Promise<void> {
    return this.inner.deleteAll(key);
  }

  override taskEnded(key: TaskKey): Promise<void> {
    return this.inner.taskEnded(key);
  }
}

runPushNotificationConfigStoreContract({
  describe,
  it,
  name: 'InMemoryPushNotificationConfigStore keeps the contract',
  create: () => new InMemoryPushNotificationConfigStore(),
  destroy: (store) => store instanceof InMemoryPushNotificationConfigStore && store.onApplicationShutdown(),
  createWithRoomFor: (maxTasks) => new InMemoryPushNotificationConfigStore({ maxTasks }),
  reopen: (store) => new View(store),
});

class WithoutLimit extends View {
  override save(key: TaskKey, config: StoredPushConfig): Promise<boolean> {
    return super.save(key, config, Infinity);
  }
}

class WithoutTenant extends View {
  override get(key: TaskKey, id: string): Promise<StoredPushConfig | undefined> {
    return super.get({ ...key, tenant: '' }, id);
  }
}

class Folding extends View {
  override save(key: TaskKey, config: StoredPushConfig, maxPerTask: number): Promise<boolean> {
    return super.save(key, { ...config, id: config.id.toLowerCase() }, maxPerTask);
  }
}

class Forgetting extends View {
  override async taskEnded(key: TaskKey): Promise<void> {
    await super.deleteAll(key);
  }
}

class Unpaged extends View {
  override list(key: TaskKey): Promise<PushConfigPage> {
    return super.list(key, Infinity);
  }
}

class Merging extends View {
  override async save(key: TaskKey, config: StoredPushConfig, maxPerTask: number): Promise<boolean> {
    return super.save(key, { ...(await super.get(key, config.id)), ...config }, maxPerTask);
  }
}

describe('the contract finds', () => {
  it.each([
    ['no limit', WithoutLimit, 'stores no more than a task may have'],
    ['tenants that are one', WithoutTenant, 'apart'],
    ['ids that are folded', Folding, 'tells ids apart by every character'],
    ['configs that leave too early', Forgetting, 'still has the configs'],
    ['pages that are endless', Unpaged, 'lists page by page'],
    ['what is replaced in part only', Merging, 'replaces a config'],
  ])('%s', async (_what, Store, test) => {
    const runner = new CollectingRunner();
    runPushNotificationConfigStoreContract({ ...runner, create: () => new Store() });
    const failed = [...(await runner.failures()).keys()];
    expect(failed).toContainEqual(expect.stringContaining(test));
  });
});
