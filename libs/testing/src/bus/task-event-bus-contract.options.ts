import type { TaskEventBus } from 'nestjs-a2a';
import type { ContractOptions } from '../contract/contract-runner.js';

/**
 * What `runTaskEventBusContract` is told about a bus.
 *
 * @publicApi
 */
export interface TaskEventBusContractOptions extends ContractOptions<TaskEventBus> {
  /**
   * Makes the bus, once for each test: with a replay window of at least 16 small events a task, which outlives
   * `release` for a while.
   */
  readonly create: () => TaskEventBus | Promise<TaskEventBus>;
  /** True of a bus that sends events to other processes: it makes their JSON, whoever reads. Default false. */
  readonly serialises?: boolean;
  /** How many events are published to find where the replay window ends. Default 5,000. */
  readonly windowEvents?: number;
  /** How long an event that does not come is waited for. Default 2,000. */
  readonly patienceMillis?: number;
}
