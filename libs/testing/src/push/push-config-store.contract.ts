import { itWith } from '../contract/contract-runner.js';
import { PushConfigBench, type PushConfigTest } from './push-config-bench.js';
import { configBoundsContract } from './push-config-bounds.contract.js';
import { configKeepingContract } from './push-config-keeping.contract.js';
import type { PushConfigStoreContractOptions } from './push-config-store-contract.options.js';

/**
 * Registers a suite that holds a `PushNotificationConfigStore` to its contract. Each test has a store of its own, and
 * works under an agent name of its own.
 *
 * ```ts
 * runPushNotificationConfigStoreContract({ describe, it, create: () => new SqliteConfigStore(':memory:') });
 * ```
 *
 * @publicApi
 */
export function runPushNotificationConfigStoreContract(options: PushConfigStoreContractOptions): void {
  const it: PushConfigTest = (name, test) =>
    itWith(options, name, (store) => test(new PushConfigBench(store, options.settle)));
  options.describe(options.name ?? 'PushNotificationConfigStore contract', () => {
    options.describe('configs', () => configKeepingContract(it));
    options.describe('bounds', () => configBoundsContract(it, options));
  });
}
