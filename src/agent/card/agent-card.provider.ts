import type { AgentCard } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../../authorization/a2a-user.js';
import type { AgentCardInput } from './agent-card-input.js';

/** A card, now or later. */
export type AgentCardResult<T> = T | Promise<T>;

/**
 * Where the agent card comes from. The class is its own injection token; a provider for it replaces the option
 * `agentCard`.
 *
 * @publicApi
 */
export abstract class AgentCardProvider {
  /** The card that everybody may read. Asked once, at start. */
  abstract getCard(): AgentCardResult<AgentCardInput>;

  /**
   * The card for one authenticated caller. Leave the method out when there is no such card.
   *
   * @param user who asks
   * @param card the public card as it is served, to build on
   * @returns `undefined` if there is none for this caller
   */
  getExtendedCard?(user: A2AUser, card: AgentCard): AgentCardResult<AgentCardInput | AgentCard | undefined>;
}
