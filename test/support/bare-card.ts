import type { AgentCard } from 'nestjs-a2a/protocol';

/** A card that says no more than it must. */
export function bareCard(more: Partial<AgentCard> = {}): AgentCard {
  return {
    name: 'A',
    description: '',
    version: '1',
    supportedInterfaces: [],
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    ...more,
  };
}
