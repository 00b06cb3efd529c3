/**
 * Which optional parts of the protocol are really there.
 *
 * @publicApi
 */
export interface CardWiring {
  /** Streams are served. */
  readonly streaming: boolean;
  /** Push notifications are sent. */
  readonly pushNotifications: boolean;
  /** A card with more in it is given to authenticated callers. */
  readonly extendedAgentCard: boolean;
}
