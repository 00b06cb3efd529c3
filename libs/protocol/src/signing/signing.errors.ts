/** Why a card cannot be signed. */
export type AgentCardSigningErrorCode =
  /** A key is none, not private, or does not fit its algorithm. */
  | 'AGENT_CARD_SIGNING_KEY'
  /** The card is not a valid agent card. */
  | 'AGENT_CARD_INVALID';

/** A card cannot be signed. The message holds no key. */
export class AgentCardSigningError extends Error {
  constructor(
    readonly code: AgentCardSigningErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'AgentCardSigningError';
  }
}

/** Why a card is not verified. */
export type AgentCardVerificationErrorCode =
  /** It is not a valid agent card. */
  | 'AGENT_CARD_INVALID'
  /** It has no signatures. */
  | 'AGENT_CARD_NOT_SIGNED'
  /** None of its signatures was made over this card with a trusted key. */
  | 'AGENT_CARD_NOT_VERIFIED';

/** What was wrong with one signature. */
export interface AgentCardSignatureFault {
  /** The key that the signature names; undefined when it names none. */
  readonly kid: string | undefined;
  /** For people. */
  readonly reason: string;
}

/** A card must not be trusted. */
export class AgentCardVerificationError extends Error {
  constructor(
    readonly code: AgentCardVerificationErrorCode,
    message: string,
    /** Signature by signature. */
    readonly faults: readonly AgentCardSignatureFault[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'AgentCardVerificationError';
  }
}
