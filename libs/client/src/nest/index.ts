export type {
  A2AAgentAsyncEntry,
  A2AAgentEntry,
  A2AAgentSettings,
  A2AClientModuleExtras,
  A2AClientModuleOptions,
} from './a2a-client-module.options.js';
export {
  type A2AAgentHealth,
  A2AClientHealthIndicator,
  type A2AClientHealthOptions,
} from './a2a-client.health-indicator.js';
export { A2AClientModule } from './a2a-client.module.js';
export { getA2AClientToken } from './a2a-client.tokens.js';
export { InjectA2AClient } from './inject-a2a-client.decorator.js';
export { observe, ObservedA2AClient } from './rx/observed-a2a-client.js';
