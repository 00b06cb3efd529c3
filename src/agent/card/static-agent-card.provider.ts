import type { AgentCardInput } from './agent-card-input.js';
import { loadAgentCardFile } from './agent-card.loader.js';
import { AgentCardProvider } from './agent-card.provider.js';

/**
 * The card of the option `agentCard`: as it was written, or from the file it names.
 *
 * @publicApi
 */
export class StaticAgentCardProvider extends AgentCardProvider {
  /** @param source the card, or the path of its JSON file */
  constructor(private readonly source: AgentCardInput | string) {
    super();
  }

  /** @throws AgentCardError when the file cannot be used */
  override getCard(): AgentCardInput {
    return typeof this.source === 'string' ? loadAgentCardFile(this.source) : this.source;
  }
}
