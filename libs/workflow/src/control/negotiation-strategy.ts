import type { Awaitable } from '../awaitable.js';
import type { NegotiationReply, NegotiationRequest } from '../model/negotiation.js';

/**
 * Answers the proposals of agents.
 *
 * @publicApi
 */
export interface NegotiationStrategy {
  resolve(request: NegotiationRequest): Awaitable<NegotiationReply>;
}
