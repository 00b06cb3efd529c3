import type { AgentCard } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../../authorization/a2a-user.js';
import type { AgentCardInput } from '../../agent/card/agent-card-input.js';
import type { AgentCardTemplate } from '../../agent/card/agent-card-template.js';
import { camelCased, isFields } from '../../agent/card/card-fields.js';
import { normaliseAgentCard } from '../../agent/card/agent-card.normaliser.js';
import type { AgentCardProvider } from '../../agent/card/agent-card.provider.js';
import type { DeclaredScheme } from '../../agent/card/card-security.js';
import type { CardWiring } from '../../agent/card/card-wiring.js';
import { cardWithSkills } from '../../agent/skills/card-with-skills.js';
import type { SkillList } from '../../agent/skills/skill-descriptor.js';

/** What a card is made of, besides its skills and addresses. */
export interface CardParts {
  readonly provider: AgentCardProvider;
  /** Those that requests are checked by. Default: none. */
  readonly schemes?: readonly DeclaredScheme[];
  /** Whether push notifications are sent. */
  readonly pushNotifications: boolean;
}

/** Makes cards of what the author wrote and what is wired, each checked in full. */
export class CardMaker {
  private input: AgentCardInput | undefined;

  constructor(
    private readonly parts: CardParts,
    /** Whether there are skills that only some callers may see. */
    private readonly personalSkills: boolean,
  ) {}

  /** Asks for the author's card, once. */
  async read(): Promise<void> {
    this.input = await this.parts.provider.getCard();
  }

  /** The author's card with these skills behind its own. @throws AgentCardError */
  make(skills: SkillList): { card: AgentCardTemplate; warnings: string[] } {
    const { input } = this;
    if (input === undefined) throw new Error('The agent card is read when the module is initialised');
    return normaliseAgentCard(cardWithSkills(input, skills), this.wiring(input), this.parts.schemes);
  }

  /**
   * The card for one caller; undefined when there is none.
   *
   * @param own the public card, with the skills that this caller may see
   * @throws AgentCardError
   */
  async extended(user: A2AUser, own: AgentCard): Promise<AgentCardTemplate | 'own' | undefined> {
    const { provider, schemes } = this.parts;
    if (provider.getExtendedCard === undefined) return this.personalSkills ? 'own' : undefined;
    const extended = await provider.getExtendedCard(user, own);
    return extended && normaliseAgentCard(extended, this.wiring(this.input), schemes).card;
  }

  private wiring(input: AgentCardInput | undefined): CardWiring {
    const { provider, pushNotifications } = this.parts;
    const extendedAgentCard = provider.getExtendedCard !== undefined || (this.personalSkills && this.mayLogIn(input));
    return { streaming: true, pushNotifications, extendedAgentCard };
  }

  /** Without a way to log in nobody could read an extended card, unless its author knows of one (a guard) and says so. */
  private mayLogIn(input: AgentCardInput | undefined): boolean {
    if ((this.parts.schemes ?? []).length > 0) return true;
    const { securitySchemes, capabilities } = isFields(input) ? camelCased(input) : {};
    if (isFields(securitySchemes) && Object.keys(securitySchemes).length > 0) return true;
    return isFields(capabilities) && camelCased(capabilities)['extendedAgentCard'] === true;
  }
}
