import { describe, expect, it } from '@jest/globals';
import { ResourceExhaustedError, Role, TaskState, UnavailableError } from 'nestjs-a2a/protocol';
import { callerOf } from '../../test/support/caller.js';
import { ServerCallContext } from '../agent/server-call-context.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';
import { TaskRecord } from '../tasks/task-record.js';
import { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskCursor, TaskPage } from '../tasks/task-store.js';
import { readablePage } from './readable-tasks.js';
import { TaskAccess } from './task-access.js';

const SCOPE = { agent: '', tenant: '' };
const BOUND = 10_000;

/** Lets see what is named so, and counts how often it is asked, and how often at once. */
class Naming extends TaskAuthorizationProvider {
  asked = 0;
  most = 0;
  private open = 0;

  constructor(private readonly readable: (id: string) => boolean) {
    super();
  }

  override async checkRead(_call: ServerCallContext, id: string): Promise<boolean> {
    this.asked++;
    this.most = Math.max(this.most, ++this.open);
    await Promise.resolve();
    this.open--;
    return this.readable(id);
  }

  checkCreate = (): boolean => true;
  checkWrite = (): boolean => true;
  isTaskRecorded = (): boolean => true;
  recordOwnership = (): void => undefined;
}

/** A store in which each task has a status of its own time, the first one the newest, unless told otherwise. */
async function storeOf(ids: readonly string[], at = (index: number) => ids.length - index): Promise<InMemoryTaskStore> {
  const store = new InMemoryTaskStore({ maxTasks: 1_000_000, taskTtlSeconds: 0 });
  for (const [index, id] of ids.entries()) {
    const message = { messageId: id, role: Role.USER, parts: [] };
    const snapshot = TaskSnapshot.first(id, 'c', message, { state: TaskState.WORKING, at: at(index), bytes: 1 });
    await store.create(new TaskRecord({ ...SCOPE, id }, 'somebody', 1, at(index), snapshot));
  }
  return store;
}

/** So many tasks, of which these may be seen. */
function named(count: number, isMine: (index: number) => boolean): string[] {
  return Array.from({ length: count }, (_, index) => `${isMine(index) ? 'mine' : 'other'}-${index}`);
}

const mine = (id: string): boolean => id.startsWith('mine');

class Listing {
  readonly provider = new Naming(mine);

  constructor(private readonly store: InMemoryTaskStore) {}

  page(limit: number, after?: TaskCursor, signal?: AbortSignal): Promise<TaskPage> {
    const { store } = this;
    const access = new TaskAccess('', { authorization: this.provider });
    return readablePage({ scope: SCOPE, limit, ...(after && { after }) }, callWith(signal), { store, access });
  }

  /** Page after page, to the end. */
  async pages(limit: number): Promise<TaskPage[]> {
    const pages = [await this.page(limit)];
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
      pages.push(await this.page(limit, next));
    }
    return pages;
  }
}

function callWith(signal: AbortSignal | undefined): ServerCallContext {
  return new ServerCallContext({
    user: { id: 'ann', authenticated: true },
    tenant: '',
    protocolVersion: '1.0',
    binding: 'IN_PROCESS',
    requestedExtensions: [],
    headers: {},
    ...(signal && { caller: callerOf(signal) }),
  });
}

const idsOf = (pages: readonly TaskPage[]): string[] => pages.flatMap(({ records }) => records.map(({ id }) => id));

describe('A page of readable tasks', () => {
  it.each([
    ['none of none', 0, () => true],
    ['all', 250, () => true],
    ['none', 250, () => false],
    ['every third', 250, (index: number) => index % 3 === 0],
    ['the last one only', 250, (index: number) => index === 249],
    ['the first one only', 250, (index: number) => index === 0],
    ['as many as a page has', 250, (index: number) => index < 20],
    ['a whole number of pages', 250, (index: number) => index >= 190],
  ] as const)('%s: full pages, each task once and in order, the right total on each', async (_, count, isMine) => {
    const ids = named(count, isMine);
    const listing = new Listing(await storeOf(ids));
    const pages = await listing.pages(20);
    const wanted = ids.filter(mine);
    expect(idsOf(pages)).toEqual(wanted);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => wanted.length));
    expect(pages.slice(0, -1).map(({ records }) => records.length)).toEqual(pages.slice(0, -1).map(() => 20));
    expect(pages).toHaveLength(Math.max(1, Math.ceil(wanted.length / 20)));
  });

  it('asks about each match once, and 16 at a time at most', async () => {
    const listing = new Listing(await storeOf(named(250, (index) => index % 2 === 0)));
    const first = await listing.page(10);
    expect([listing.provider.asked, listing.provider.most]).toEqual([250, 16]);
    await listing.page(10, first.next);
    expect(listing.provider.asked).toBe(500);
  });

  it('many tasks of one instant are told apart', async () => {
    const ids = named(250, (index) => index % 3 === 0);
    const listing = new Listing(await storeOf(ids, () => 7));
    const pages = await listing.pages(20);
    expect(idsOf(pages)).toEqual(ids.filter(mine).sort().reverse());
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([84]));
  });

  it('nobody is served who has left', async () => {
    const listing = new Listing(await storeOf(named(1_000, () => true)));
    const leaving = new AbortController();
    leaving.abort();
    await expect(listing.page(10, undefined, leaving.signal)).rejects.toBeInstanceOf(UnavailableError);
    expect(listing.provider.asked).toBe(100);
  });
});

describe('More tasks than one call asks about', () => {
  it('a full page comes all the same; the total is what was found', async () => {
    const listing = new Listing(await storeOf(named(BOUND + 1_000, (index) => index % 2 === 0)));
    const page = await listing.page(20);
    expect([page.records.length, page.total, listing.provider.asked]).toEqual([20, BOUND / 2, BOUND]);
    expect(page.next).toEqual({ statusMillis: page.records.at(-1)?.statusMillis, id: 'mine-38' });
  });

  it('a page that is not full says where to go on, names no task, and none is lost or shown twice', async () => {
    // Two tasks an instant, so that the stop is in the middle of one.
    const ids = named(BOUND + 1_000, (index) => [5, BOUND - 1, BOUND, BOUND + 900].includes(index));
    const listing = new Listing(await storeOf(ids, (index) => Math.floor((ids.length - index) / 2)));
    const pages = await listing.pages(20);
    expect(pages).toHaveLength(2);
    expect(pages[0]?.next?.id).toBe(' ');
    expect(idsOf(pages).sort()).toEqual(ids.filter(mine).sort());
    expect(listing.provider.asked).toBeLessThanOrEqual(2 * (BOUND + 200));
  });

  it('of one instant: refused, with what to do', async () => {
    const listing = new Listing(
      await storeOf(
        named(BOUND + 200, () => false),
        () => 7,
      ),
    );
    await expect(listing.page(20)).rejects.toBeInstanceOf(ResourceExhaustedError);
    expect(listing.provider.asked).toBe(BOUND);
  });
});
