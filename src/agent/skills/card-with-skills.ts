import { isFields } from '../card/card-fields.js';
import type { AgentCardInput } from '../card/agent-card-input.js';
import { skillIdOf } from '../card/skill-id.js';
import type { SkillList } from './skill-descriptor.js';
import { mapToA2ASkills } from './skill-mapper.js';

/** A card with skills behind those that its author wrote. What is wrong with the author's is left for its check. */
export function cardWithSkills(card: AgentCardInput, skills: SkillList): AgentCardInput {
  if (!isFields(card) || skills.length === 0) return card;
  const own: unknown = card.skills ?? [];
  if (!Array.isArray(own)) return card;
  const taken = own.map((skill: unknown, index) => idOf(skill, index + 1));
  return { ...card, skills: [...(card.skills ?? []), ...mapToA2ASkills(skills, taken)] };
}

function idOf(skill: unknown, position: number): string {
  if (!isFields(skill)) return '';
  const { id, name } = skill;
  return typeof id === 'string' && id.trim() !== '' ? id.trim() : skillIdOf(String(name), position);
}
