import { ok, rejects, strictEqual } from 'node:assert/strict';
import { TaskState, UnavailableError } from 'nestjs-a2a/protocol';
import { itWith } from '../contract/contract-runner.js';
import { StoreBench, type StoreTest } from './store-bench.js';
import type { TaskStoreContractOptions } from './task-store-contract.options.js';

const ROOM = 3;

/** A store that is full, and what a store says of itself. */
export function capacityContract(it: StoreTest, options: TaskStoreContractOptions): void {
  it('holds many tasks at once', async (bench) => {
    const records = Array.from({ length: 150 }, (_, index) => bench.samples.record({ at: index }));
    await bench.create(...records);
    strictEqual((await bench.list({ limit: 0 })).total, records.length);
  });

  const { createWithRoomFor } = options;
  if (createWithRoomFor === undefined) return;

  itWith({ ...options, create: () => createWithRoomFor(ROOM) }, 'refuses a task when it is full', async (store) => {
    const bench = new StoreBench(store, options.settle);
    const { samples } = bench;
    const kept = Array.from({ length: ROOM }, () => samples.record({ state: TaskState.WORKING }));
    await bench.create(...kept);
    const extra = samples.record();
    await rejects(async () => store.create(extra), UnavailableError, 'a full store throws UnavailableError');
    await bench.expectGone(samples.scope(), extra.id);
    strictEqual((await bench.list({ limit: 0 })).total, ROOM);
    for (const record of kept) await bench.expectStored(record, 'what is stored after a refusal');
    const [first] = kept;
    ok(first && (await store.delete(samples.scope(), first.id)));
    await bench.create(extra);
    await bench.expectStored(extra);
  });
}
