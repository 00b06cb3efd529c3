import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { TaskPage, TaskQuery, TaskRecord, TaskSaveResult, TaskScope, TaskStore } from 'nestjs-a2a';
import { nextTurn } from '../contract/contract-runner.js';
import { TaskSamples } from './task-samples.js';

/** A query whose scope is that of the bench, if it names none. */
export type BenchQuery = Partial<TaskQuery>;

const MANY = 1000;

/** A store under test, and what is asked of it again and again. */
export class StoreBench {
  readonly samples = new TaskSamples();

  constructor(
    readonly store: TaskStore,
    readonly settle: () => Promise<void> = nextTurn,
  ) {}

  /** Stores records, all at the same time. */
  async create(...records: TaskRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.store.create(record)));
    await this.settle();
  }

  async list(query: BenchQuery = {}): Promise<TaskPage> {
    return this.store.list({ scope: this.samples.scope(), limit: MANY, ...query });
  }

  async ids(query: BenchQuery = {}): Promise<string[]> {
    return idsOf(await this.list(query));
  }

  /** Reads a search to its end, page by page. */
  async walk(query: BenchQuery, limit: number): Promise<string[]> {
    const found: string[] = [];
    const { total } = await this.list({ ...query, limit: 0 });
    let after: TaskQuery['after'];
    do {
      const page = await this.list({ ...query, limit, after });
      const { length } = page.records;
      ok(length <= limit, `a page of ${limit} holds ${length} records`);
      strictEqual(page.total, total, 'the total counts all matches on every page');
      ok(length > 0 || page.next === undefined, 'a page that is not the last one holds something');
      ok(length > 0 || found.length === 0, 'the last page holds something, unless nothing matches');
      found.push(...idsOf(page));
      ok(found.length <= total, `the pages give more than the ${total} records there are: ${found.join(', ')}`);
      after = page.next;
    } while (after !== undefined);
    strictEqual(found.length, total, 'the pages together give as many records as the total says');
    return found;
  }

  /** What is stored under the key of a record must be this record. */
  async expectStored(record: TaskRecord, what = 'what get gives'): Promise<void> {
    const { agent, tenant, id } = record.key;
    expectRecord(await this.store.get({ agent, tenant }, id), record, what);
  }

  async expectGone(scope: TaskScope, id: string): Promise<void> {
    strictEqual(await this.store.get(scope, id), undefined, `there is no task ${id} in ${JSON.stringify(scope)}`);
  }
}

export function idsOf(page: TaskPage): string[] {
  return page.records.map(({ id }) => id);
}

/** The record as it would be written down. A store may keep it as JSON, where a member without a value is absent. */
export function plainOf(record: TaskRecord): unknown {
  const data: unknown = JSON.parse(JSON.stringify(record.toData()));
  return data;
}

export function expectRecord(actual: TaskRecord | undefined, expected: TaskRecord, what: string): void {
  ok(actual !== undefined, `${what}: no record, expected version ${expected.version} of ${expected.id}`);
  deepStrictEqual(plainOf(actual), plainOf(expected), `${what} is not the record that was stored`);
}

export function expectSaved(result: TaskSaveResult): void {
  ok(result.saved, 'the save was refused');
}

/** The save must have been refused, and tell what is stored. */
export function expectRefused(result: TaskSaveResult, current: TaskRecord | undefined): void {
  ok(!result.saved, 'the save went through');
  if (current === undefined) strictEqual(result.current, undefined, 'nothing is stored, so there is no current record');
  else expectRecord(result.current, current, 'current');
}

/** Registers one test of the contract. */
export type StoreTest = (name: string, test: (bench: StoreBench) => Promise<void>) => void;
