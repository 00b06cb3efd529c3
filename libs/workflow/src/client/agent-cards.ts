import type { AgentCard } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';

/** The agents that can be called, by the names on their cards. */
export class AgentCards {
  private readonly byName = new Map<string, AgentCard>();

  /** @throws WorkflowArgumentError when a card lacks what a call needs, or two have the same name */
  constructor(cards: Iterable<AgentCard>) {
    for (const card of cards) {
      // Cards come out of JSON: the types promise what nobody has checked.
      const { name, capabilities, supportedInterfaces }: Partial<AgentCard> = card;
      if (name === undefined || isBlank(name)) throw new WorkflowArgumentError('AgentCard name must not be blank');
      if (typeof capabilities !== 'object' || capabilities === null) {
        throw new WorkflowArgumentError(`AgentCard capabilities are required: ${name}`);
      }
      if (!Array.isArray(supportedInterfaces) || supportedInterfaces.length === 0) {
        throw new WorkflowArgumentError(`AgentCard supportedInterfaces are required: ${name}`);
      }
      if (this.byName.has(name)) throw new WorkflowArgumentError(`Duplicate AgentCard name: ${name}`);
      this.byName.set(name, card);
    }
  }

  /** @throws WorkflowArgumentError `Agent not found: <name>` */
  of(name: string): AgentCard {
    const card = this.byName.get(name);
    if (card === undefined) throw new WorkflowArgumentError(`Agent not found: ${name}`);
    return card;
  }
}

/** Does the card say that the agent knows this extension? */
export function declares(card: AgentCard, uri: string): boolean {
  return card.capabilities.extensions?.some((extension) => extension.uri === uri) ?? false;
}
