import type { AgentExecutor } from '../agent/agent-executor.js';
import type { ServerCallContext } from '../agent/server-call-context.js';

/** Where runs get their executor from: one for all, or a new one for each run. */
export interface ExecutorSource {
  /** The executor for one run of this call. */
  executorFor(call: ServerCallContext): AgentExecutor | Promise<AgentExecutor>;
}
