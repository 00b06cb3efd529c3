import type { PushNotificationConfigStore } from 'nestjs-a2a';
import type { ContractOptions } from '../contract/contract-runner.js';

/**
 * What `runPushNotificationConfigStoreContract` is told about a store.
 *
 * @publicApi
 */
export interface PushConfigStoreContractOptions extends ContractOptions<PushNotificationConfigStore> {
  /** Makes a store that has room for so many tasks that have not ended. Without it, a full store is not tested. */
  readonly createWithRoomFor?: (tasks: number) => PushNotificationConfigStore | Promise<PushNotificationConfigStore>;
  /**
   * Makes a second store on the data of the first, as another process has it. It is destroyed like the first. Without
   * `reopen`, only one store at a time is tested.
   */
  readonly reopen?: (
    store: PushNotificationConfigStore,
  ) => PushNotificationConfigStore | Promise<PushNotificationConfigStore>;
}
