import { itWith, nextTurn } from '../contract/contract-runner.js';
import { BusBench, type BusTest } from './bus-bench.js';
import { deliveryContract } from './bus-delivery.contract.js';
import { failureContract } from './bus-failure.contract.js';
import { isolationContract } from './bus-isolation.contract.js';
import { replayContract } from './bus-replay.contract.js';
import type { TaskEventBusContractOptions } from './task-event-bus-contract.options.js';

const PATIENCE_MILLIS = 2_000;
const WINDOW_EVENTS = 5_000;

/**
 * Registers a suite that holds a `TaskEventBus` to its contract. Each test has a bus of its own, and tasks of its own,
 * so that the buses may share a server that nobody cleans.
 *
 * ```ts
 * runTaskEventBusContract({ describe, it, create: () => new RxJsTaskEventBus() });
 * ```
 *
 * @publicApi
 */
export function runTaskEventBusContract(options: TaskEventBusContractOptions): void {
  const { describe, settle = nextTurn, patienceMillis = PATIENCE_MILLIS } = options;
  const { windowEvents = WINDOW_EVENTS, serialises = false } = options;
  const it: BusTest = (name, test) =>
    itWith(options, name, async (bus) => {
      const bench = new BusBench(bus, { settle, patienceMillis });
      try {
        await test(bench);
      } finally {
        bench.leaveAll();
      }
    });
  describe(options.name ?? 'TaskEventBus contract', () => {
    describe('delivery', () => deliveryContract(it));
    describe('replay', () => replayContract(it, windowEvents));
    describe('isolation', () => isolationContract(it, serialises));
    describe('fail and release', () => failureContract(it));
  });
}
