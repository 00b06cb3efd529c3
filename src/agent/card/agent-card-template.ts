import type { AgentCapabilities, AgentCard, AgentInterface } from 'nestjs-a2a/protocol';
import type { CardWiring } from './card-wiring.js';

/**
 * A checked card that lacks only what is known once the server listens: the addresses.
 *
 * @publicApi
 */
export interface AgentCardTemplate extends Omit<AgentCard, 'supportedInterfaces' | 'signatures' | 'capabilities'> {
  /** What is on, each flag said outright. A feature that is `false` here is off, wired or not. */
  capabilities: AgentCapabilities & CardWiring;
  /** Interfaces on custom bindings; they follow the mounted ones. */
  customInterfaces: AgentInterface[];
  /** Schemas of what skills take, by the skill's id; only the older card tells them. */
  skillInputSchemas?: Readonly<Record<string, object>>;
}
