import { ResourceExhaustedError, UnavailableError } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskRecord } from '../tasks/task-record.js';
import type { TaskCursor, TaskPage, TaskQuery, TaskStore } from '../tasks/task-store.js';
import type { TaskAccess } from './task-access.js';

/** After so many questions a call gives up looking for more: it must not cost without limit. */
const MAX_ASKED = 10_000;
const SCAN_PAGE_SIZE = 100;
const ASKED_AT_ONCE = 16;
/** Comes before every id, and names none. */
const BEFORE_ALL_IDS = ' ';

/** What is listed, and who says what of it the caller may see. */
export interface ReadableTasksSources {
  readonly store: TaskStore;
  readonly access: TaskAccess;
}

/**
 * One page of what a provider lets the caller see. It says so task by task, so all matches are asked about, this
 * page's first. When `MAX_ASKED` is reached, `total` is what was found until then, and a page that is not full says
 * where to go on.
 */
export function readablePage(
  query: TaskQuery,
  call: ServerCallContext,
  sources: ReadableTasksSources,
): Promise<TaskPage> {
  return new ReadableTasks(query, call, sources).page();
}

/** Where the questions ended before the tasks did. */
interface Stop {
  readonly firstMillis: number;
  readonly lastMillis: number;
}

class ReadableTasks {
  private asked = 0;

  constructor(
    private readonly query: TaskQuery,
    private readonly call: ServerCallContext,
    private readonly sources: ReadableTasksSources,
  ) {}

  async page(): Promise<TaskPage> {
    const { after, limit } = this.query;
    const found: TaskRecord[] = [];
    let total = 0;
    const stop = await this.scan(after, (record) => {
      total++;
      if (found.length <= limit) found.push(record);
    });
    if (after && stop === undefined) await this.scan(undefined, () => total++, after);

    const records = found.slice(0, limit);
    const last = records.at(-1);
    if (found.length > limit || (stop && found.length === limit)) return { records, total, ...(last && nextOf(last)) };
    return stop ? { ...cutBefore(stop, records), total } : { records, total };
  }

  /** Visits what is readable behind a place, as far as another one. @returns where it had to stop */
  private async scan(
    after: TaskCursor | undefined,
    visit: (record: TaskRecord) => void,
    until?: TaskCursor,
  ): Promise<Stop | undefined> {
    let firstMillis: number | undefined;
    for (let cursor = after, more = true; more;) {
      const page = await this.sources.store.list({ ...this.query, after: cursor, limit: SCAN_PAGE_SIZE });
      const records = until ? page.records.filter((record) => !isBehind(record, until)) : page.records;
      for (const record of await this.readableOf(records)) visit(record);
      const last = records.at(-1);
      if (page.next === undefined || last === undefined || records.length < page.records.length) return undefined;
      firstMillis ??= page.records[0]?.statusMillis ?? last.statusMillis;
      if (this.asked >= MAX_ASKED) return { firstMillis, lastMillis: last.statusMillis };
      cursor = page.next;
      await this.pause();
    }
    return undefined;
  }

  private async readableOf(records: readonly TaskRecord[]): Promise<TaskRecord[]> {
    const readable: TaskRecord[] = [];
    for (let start = 0; start < records.length; start += ASKED_AT_ONCE) {
      const some = records.slice(start, start + ASKED_AT_ONCE);
      const verdicts = await Promise.all(
        some.map((record) => this.sources.access.mayRead(this.call, record.id, 'ListTasks')),
      );
      readable.push(...some.filter((_, index) => verdicts[index]));
    }
    this.asked += records.length;
    return readable;
  }

  /** Others have their turn, and nobody is served who has left. */
  private async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.call.caller?.gone) throw new UnavailableError('The caller has left');
  }
}

/**
 * Goes on at the last instant that was looked at, once more: a place within it could only be named by a task that the
 * caller may not know of.
 */
function cutBefore({ firstMillis, lastMillis }: Stop, records: readonly TaskRecord[]): Omit<TaskPage, 'total'> {
  if (firstMillis === lastMillis) {
    throw new ResourceExhaustedError('Too many tasks to look through: ask for one contextId, status or time');
  }
  return {
    records: records.filter(({ statusMillis }) => statusMillis > lastMillis),
    next: { statusMillis: lastMillis + 1, id: BEFORE_ALL_IDS },
  };
}

function nextOf({ statusMillis, id }: TaskRecord): Pick<TaskPage, 'next'> {
  return { next: { statusMillis, id } };
}

function isBehind(record: TaskRecord, cursor: TaskCursor): boolean {
  if (record.statusMillis !== cursor.statusMillis) return record.statusMillis < cursor.statusMillis;
  return record.id < cursor.id;
}
