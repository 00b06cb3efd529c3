import type { AgentCard, AgentInterface } from 'nestjs-a2a/protocol';
import type { CardDialect } from '../card/card-interfaces.js';

/** Where an agent is called that has no interface of the standard: as agents were before there was one. */
export interface LegacyEndpoint {
  /** For `POST`. */
  readonly url: string;
}

/** Whose signature a card has. */
export interface CardSignature {
  readonly kid: string;
  readonly alg: string;
}

/**
 * An agent whose card was read.
 *
 * @publicApi
 */
export interface DiscoveredAgent {
  /** In the form of A2A 1.0, however it was written. */
  readonly card: AgentCard;
  /** How it was written. */
  readonly dialect: CardDialect;
  /** Absent when the card itself was given. */
  readonly cardUrl?: string;
  /** Of what the user named; credentials go there and nowhere else, unless more is allowed. */
  readonly origin: string;
  /** The one to use; undefined when the card has none that this client speaks. */
  readonly interface: AgentInterface | undefined;
  readonly legacy?: LegacyEndpoint;
  /** Present when a trust list was given: the card was verified then. */
  readonly signature?: CardSignature;

  /** Asks for the card again, whatever the cache has. A card that was given stays as it is. */
  refresh(signal?: AbortSignal): Promise<DiscoveredAgent>;

  /**
   * The same agent with its extended card over the public one.
   *
   * @param card as it was answered
   * @throws A2AClientError `AGENT_CARD_INVALID`, `AGENT_CARD_NOT_TRUSTED`
   */
  withExtendedCard(card: unknown, signal?: AbortSignal): Promise<DiscoveredAgent>;
}
