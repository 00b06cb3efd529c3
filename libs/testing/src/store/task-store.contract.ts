import { itWith } from '../contract/contract-runner.js';
import { capacityContract } from './store-capacity.contract.js';
import { keyContract } from './store-keys.contract.js';
import { listContract } from './store-list.contract.js';
import { lifespanContract } from './store-lifespan.contract.js';
import { saveContract } from './store-save.contract.js';
import { scopeContract } from './store-scope.contract.js';
import { snapshotContract } from './store-snapshots.contract.js';
import { StoreBench, type StoreTest } from './store-bench.js';
import type { TaskStoreContractOptions } from './task-store-contract.options.js';

/**
 * Registers a suite that holds a `TaskStore` to its contract. Each test has a store of its own, and works under
 * agent names of its own, so that the stores may share a database that nobody cleans.
 *
 * ```ts
 * runTaskStoreContract({ describe, it, create: () => new SqliteTaskStore(':memory:') });
 * ```
 *
 * @publicApi
 */
export function runTaskStoreContract(options: TaskStoreContractOptions): void {
  const it: StoreTest = (name, test) => itWith(options, name, (store) => test(new StoreBench(store, options.settle)));
  options.describe(options.name ?? 'TaskStore contract', () => {
    options.describe('keys', () => keyContract(it));
    options.describe('scope', () => scopeContract(it));
    options.describe('save', () => saveContract(it));
    options.describe('what is handed out', () => snapshotContract(it));
    options.describe('list', () => listContract(it));
    options.describe('lifespan', () => lifespanContract(it, options));
    options.describe('capacity', () => capacityContract(it, options));
  });
}
