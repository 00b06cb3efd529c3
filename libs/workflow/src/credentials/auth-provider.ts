import type { AgentCard } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../awaitable.js';

/**
 * Authenticates calls in a way of its own. It may be the only source of credentials, also for agents whose card asks for
 * some.
 *
 * @publicApi
 */
export interface AuthProvider {
  /**
   * Called for every message and every other call to an agent.
   *
   * @param headers empty: put the headers of the call into it
   * @param signal aborted when the call is given up
   * @throws whatever keeps the call from being made
   */
  applyAuth(agentName: string, card: AgentCard, headers: Record<string, string>, signal?: AbortSignal): Awaitable<void>;
}
