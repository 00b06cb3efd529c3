import type { TaskStore } from 'nestjs-a2a';
import type { ContractOptions } from '../contract/contract-runner.js';

/**
 * What `runTaskStoreContract` is told about a store.
 *
 * @publicApi
 */
export interface TaskStoreContractOptions extends ContractOptions<TaskStore> {
  /** Makes a store that has room for so many unfinished tasks. Without it, a full store is not tested. */
  readonly createWithRoomFor?: (tasks: number) => TaskStore | Promise<TaskStore>;
  /**
   * Makes a second store on the data of the first, as another process has it: what one writes, the other must see. It
   * is destroyed like the first. Without `reopen`, only one store at a time is tested.
   */
  readonly reopen?: (store: TaskStore) => TaskStore | Promise<TaskStore>;
}
