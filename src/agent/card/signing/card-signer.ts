import { canonicalAgentCard, signAgentCard, type AgentCard } from 'nestjs-a2a/protocol';
import type { CardSigningSettings } from './card-signing.options.js';

/** Signs the agent's cards, the finished ones. */
export class CardSigner {
  constructor(
    private readonly settings: CardSigningSettings,
    /** Where the public keys are served, once the routes are there. */
    private readonly jwksUrl: () => string | undefined,
  ) {}

  /** @throws AgentCardSigningError */
  async sign(card: AgentCard): Promise<AgentCard> {
    const { keys, sdkForm } = this.settings;
    const own = this.jwksUrl();
    const located = keys.map((key) => ({ jku: own, ...key }));
    return signAgentCard(card, located, { forms: sdkForm ? ['spec', 'sdk'] : ['spec'] });
  }

  /** What the author should be told of a card; undefined when everybody will understand its signatures. */
  warningOf(card: AgentCard): string | undefined {
    const text = canonicalAgentCard(card);
    if (this.settings.sdkForm || text === canonicalAgentCard(card, 'sdk')) return undefined;
    const paths = emptyPaths(JSON.parse(text), '');
    return (
      'the official JavaScript and Python SDKs will not accept its signature, as they leave out empty values and ' +
      `there are some: ${paths.join(', ')}. Fill them in, or set cardSigning.sdkForm`
    );
  }
}

function emptyPaths(value: unknown, path: string): string[] {
  if (value === '') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  if (members.length === 0) return [path];
  return members.flatMap(([key, member]) => {
    const step = Array.isArray(value) ? `[${key}]` : `${path === '' ? '' : '.'}${key}`;
    return emptyPaths(member, path + step);
  });
}
