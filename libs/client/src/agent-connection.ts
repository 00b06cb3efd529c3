import type { AgentCalls } from './calls/agent-calls.js';
import type { DiscoveredAgent } from './discovery/discovered-agent.js';

/** An agent that was found, and how to talk to it. */
export interface AgentConnection {
  readonly agent: DiscoveredAgent;
  readonly calls: AgentCalls;
  /** Whether the agent says that it can stream. */
  readonly streams: boolean;
  close(): void;
}

/** Has the interface moved, or does it speak otherwise now? */
export function isSameInterface({ interface: one, legacy }: DiscoveredAgent, other: DiscoveredAgent): boolean {
  const two = other.interface;
  return (
    legacy?.url === other.legacy?.url &&
    one?.url === two?.url &&
    one?.protocolBinding === two?.protocolBinding &&
    one?.protocolVersion === two?.protocolVersion &&
    one?.tenant === two?.tenant
  );
}

/** What the card says of streams. */
export function canStream({ card, interface: chosen }: Pick<DiscoveredAgent, 'card' | 'interface'>): boolean {
  return chosen !== undefined && card.capabilities.streaming === true;
}
