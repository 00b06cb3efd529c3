import { describe, expect, it } from '@jest/globals';
import {
  InMemoryTaskStore,
  TaskRecord,
  TaskStore,
  type TaskPage,
  type TaskQuery,
  type TaskSaveResult,
  type TaskScope,
} from 'nestjs-a2a';
import { runTaskStoreContract } from 'nestjs-a2a/testing';
import { CollectingRunner } from '../../../../test/support/collecting-runner.js';
import { CopyingStore } from '../../../../test/support/copying-store.js';

/** Another store on the data of one. */
class View extends TaskStore {
  constructor(protected readonly inner: TaskStore = new InMemoryTaskStore()) {
    super();
  }

  override async create(record: TaskRecord): Promise<void> {
    return this.inner.create(record);
  }

  override async get(scope: TaskScope, id: string): Promise<TaskRecord | undefined> {
    return this.inner.get(scope, id);
  }

  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    return this.inner.save(record, expectedVersion);
  }

  override async list(query: TaskQuery): Promise<TaskPage> {
    return this.inner.list(query);
  }

  override async delete(scope: TaskScope, id: string): Promise<boolean> {
    return this.inner.delete(scope, id);
  }
}

runTaskStoreContract({
  describe,
  it,
  name: 'InMemoryTaskStore keeps the TaskStore contract',
  create: () => new InMemoryTaskStore(),
  destroy: (store) => store instanceof InMemoryTaskStore && store.onApplicationShutdown(),
  createWithRoomFor: (maxTasks) => new InMemoryTaskStore({ maxTasks }),
  reopen: (store) => new View(store),
});

runTaskStoreContract({
  describe,
  it,
  name: 'a store that copies keeps the TaskStore contract',
  create: () => new CopyingStore(0),
});

const shared = new CopyingStore(2, true);

runTaskStoreContract({
  describe,
  it,
  name: 'a slow store that is shared by all tests keeps the TaskStore contract',
  create: () => new View(shared),
  reopen: (store) => new View(store),
  timeoutMillis: 20_000,
});

class ReadsBeforeItWrites extends View {
  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    const current = await this.inner.get(record.key, record.id);
    if (!current || current.version !== expectedVersion || current.snapshot.ended) return { saved: false, current };
    await new Promise((resolve) => setImmediate(resolve));
    await this.inner.delete(record.key, record.id);
    await this.inner.create(record);
    return { saved: true };
  }
}

class SavesEnded extends View {
  override async save(record: TaskRecord, expectedVersion: number): Promise<TaskSaveResult> {
    const current = await this.inner.get(record.key, record.id);
    if (!current || current.version !== expectedVersion) return { saved: false, current };
    await this.inner.delete(record.key, record.id);
    await this.inner.create(record);
    return { saved: true };
  }
}

class CreatesAnew extends View {
  override async create(record: TaskRecord): Promise<void> {
    await this.inner.delete(record.key, record.id);
    await this.inner.create(record);
  }
}

class TiesByIdAscending extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    const { total, records } = await this.inner.list({ ...query, after: undefined, limit: 10_000 });
    const place = (a: { statusMillis: number; id: string }, b: { statusMillis: number; id: string }): number =>
      b.statusMillis - a.statusMillis || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
    const { after } = query;
    const behind = [...records].sort(place).filter((record) => !after || place(after, record) < 0);
    const page = behind.slice(0, query.limit);
    const last = page.at(-1);
    return { total, records: page, ...(last && behind.length > page.length && { next: last }) };
  }
}

class ForgetsOwnerInGet extends View {
  override async get({ agent, tenant }: TaskScope, id: string): Promise<TaskRecord | undefined> {
    return this.inner.get({ agent, tenant }, id);
  }
}

class ForgetsOwnerInDelete extends View {
  override async delete({ agent, tenant }: TaskScope, id: string): Promise<boolean> {
    return this.inner.delete({ agent, tenant }, id);
  }
}

class TakesAnonymousForAnybody extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    const { agent, tenant, owner } = query.scope;
    return tenant === undefined
      ? this.inner.list(query)
      : this.inner.list({ ...query, scope: { agent, tenant, ...(owner && { owner }) } });
  }
}

class HandsOutOneMutableRecord extends View {
  private readonly shown = new Map<string, TaskRecord>();

  override async get(scope: TaskScope, id: string): Promise<TaskRecord | undefined> {
    const found = await this.inner.get(scope, id);
    if (!found) return undefined;
    const kept = this.shown.get(id) ?? TaskRecord.restore(found.toData());
    this.shown.set(id, Object.assign(kept, found));
    return kept;
  }
}

class FoldsCase extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    return this.inner.list({ ...query, contextId: query.contextId?.toLowerCase() });
  }
}

class CountsThePage extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    const page = await this.inner.list(query);
    return { ...page, total: query.limit === 0 ? page.total : page.records.length };
  }
}

class AlwaysHasANextPage extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    const page = await this.inner.list(query);
    const last = page.records.at(-1);
    return last ? { ...page, next: { statusMillis: last.statusMillis, id: last.id } } : page;
  }
}

class IncludesStatusBefore extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    const { statusBefore } = query;
    return this.inner.list({ ...query, statusBefore: statusBefore === undefined ? undefined : statusBefore + 1 });
  }
}

class LooksOnlyAtOneTenant extends View {
  override async list(query: TaskQuery): Promise<TaskPage> {
    const { agent, tenant = '', owner } = query.scope;
    return this.inner.list({ ...query, scope: { agent, tenant, ...(owner !== undefined && { owner }) } });
  }
}

class LosesArtifacts extends View {
  override async create(record: TaskRecord): Promise<void> {
    const data = record.toData();
    return this.inner.create(TaskRecord.restore({ ...data, task: { ...data.task, artifacts: undefined } }));
  }
}

class DropsWhatIsTooMuch extends View {
  override async create(record: TaskRecord): Promise<void> {
    try {
      await this.inner.create(record);
    } catch {
      return;
    }
  }
}

interface Mutant {
  readonly name: string;
  readonly make: () => TaskStore;
  /** Makes one with so much room; most mutants have enough. */
  readonly makeWithRoomFor?: (tasks: number) => TaskStore;
  /** What must be among the tests that fail. */
  readonly caught: RegExp;
}

const MUTANTS: readonly Mutant[] = [
  { name: 'a lost compare-and-set', make: () => new ReadsBeforeItWrites(), caught: /saves at the same time win/ },
  { name: 'lost saves', make: () => new ReadsBeforeItWrites(), caught: /loses no save/ },
  { name: 'an end that changes', make: () => new SavesEnded(), caught: /never changes a task that is .*COMPLETED/ },
  { name: 'a second create that wins', make: () => new CreatesAnew(), caught: /refuses to create a task whose key/ },
  { name: 'ties in the wrong order', make: () => new TiesByIdAscending(), caught: /same instant by id, descending/ },
  { name: 'another owner’s task in get', make: () => new ForgetsOwnerInGet(), caught: /not find .* another owner/ },
  { name: 'another owner’s task deleted', make: () => new ForgetsOwnerInDelete(), caught: /not find .* another owner/ },
  {
    name: 'everybody’s tasks listed for anonymous callers',
    make: () => new TakesAnonymousForAnybody(),
    caught: /not find .* the anonymous owner/,
  },
  { name: 'records that change', make: () => new HandsOutOneMutableRecord(), caught: /of get never changes/ },
  { name: 'names without case', make: () => new FoldsCase(), caught: /apart by every character: case/ },
  { name: 'a total of the page', make: () => new CountsThePage(), caught: /gives each of 12 tasks once/ },
  { name: 'a next page behind the last', make: () => new AlwaysHasANextPage(), caught: /gives each of 12 tasks once/ },
  { name: 'an inclusive statusBefore', make: () => new IncludesStatusBefore(), caught: /statusBefore, that very time/ },
  { name: 'one tenant for all', make: () => new LooksOnlyAtOneTenant(), caught: /through all tenants/ },
  { name: 'tasks without artifacts', make: () => new LosesArtifacts(), caught: /everything that a task can hold/ },
  {
    name: 'a full store that says nothing',
    make: () => new InMemoryTaskStore(),
    makeWithRoomFor: (maxTasks) => new DropsWhatIsTooMuch(new InMemoryTaskStore({ maxTasks })),
    caught: /refuses a task when it is full/,
  },
];

describe('runTaskStoreContract', () => {
  it.each(MUTANTS)('finds $name', async ({ make, makeWithRoomFor, caught }) => {
    const runner = new CollectingRunner();
    runTaskStoreContract({ ...runner, create: make, createWithRoomFor: makeWithRoomFor });
    const failed = [...(await runner.failures()).keys()];
    expect(failed).toContainEqual(expect.stringMatching(caught));
    expect(failed.length).toBeLessThan(runner.names.length);
  });

  it('finds two stores on one database that do not see each other', async () => {
    const runner = new CollectingRunner();
    let open = 0;
    const create = (): TaskStore => {
      open++;
      return new InMemoryTaskStore();
    };
    runTaskStoreContract({ ...runner, create, reopen: create, destroy: () => open-- });
    expect([...(await runner.failures()).keys()]).toEqual([
      expect.stringMatching(/another store on the same data what it wrote/),
      expect.stringMatching(/another store on the same data who creates/),
    ]);
    expect(open).toBe(0);
  });

  it('puts each store away, also after a failure, and hands the time limit on', async () => {
    const runner = new CollectingRunner();
    const made: TaskStore[] = [];
    const destroyed: TaskStore[] = [];
    runTaskStoreContract({
      ...runner,
      create: async () => {
        const store = new LosesArtifacts();
        made.push(store);
        return store;
      },
      destroy: async (store) => destroyed.push(store),
      timeoutMillis: 1234,
    });
    expect((await runner.failures()).size).toBeGreaterThan(0);
    expect(made).toHaveLength(runner.names.length);
    expect(destroyed).toEqual(made);
    expect(new Set(runner.timeouts)).toEqual(new Set([1234]));
  });
});
