import type { AgentSkillInput } from '../card/agent-card-input.js';

/**
 * A skill as it is described where skills are kept, a `SKILL.md` file for example: what a card can say of it, and what
 * only its own host wants to know.
 *
 * @publicApi
 */
export interface SkillDescriptor extends AgentSkillInput {
  /** Version of the skill; cards have no room for it. */
  version?: string;
  /** Licence of the skill; cards have no room for it. */
  license?: string;
}

/**
 * What lists of skills may hold: entries that are `null` or have a blank name are passed over.
 *
 * @publicApi
 */
export type SkillList = readonly (SkillDescriptor | null | undefined)[];
