import type { AgentCard } from 'nestjs-a2a/protocol';

/**
 * How an agent is named: by its URL, by the URL of its card, or by the card.
 *
 * @publicApi
 */
export type AgentTarget = string | URL | AgentCard;
