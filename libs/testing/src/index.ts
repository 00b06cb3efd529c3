export { A2ATestAgent } from './agent/a2a-test-agent.js';
export type { TestAgentOptions } from './agent/agent-module.js';
export type { TestMessage, TestSendOptions } from './agent/test-message.js';
export { TestStream } from './agent/test-stream.js';
export {
  expectArtifact,
  expectHistory,
  expectState,
  expectStatusText,
  expectText,
  textOf,
  type ExpectedArtifact,
} from './assertions/task-assertions.js';
export { describeTask } from './assertions/task-description.js';
export { runTaskEventBusContract } from './bus/task-event-bus.contract.js';
export type { TaskEventBusContractOptions } from './bus/task-event-bus-contract.options.js';
export type { ContractOptions, ContractRunner } from './contract/contract-runner.js';
export { runPushNotificationConfigStoreContract } from './push/push-config-store.contract.js';
export type { PushConfigStoreContractOptions } from './push/push-config-store-contract.options.js';
export { runTaskStoreContract } from './store/task-store.contract.js';
export type { TaskStoreContractOptions } from './store/task-store-contract.options.js';
