import type { AgentCard, AgentSkill } from 'nestjs-a2a/protocol';
import { oneLine } from './tool-text.js';

const MAX_NAME = 100;
const MAX_TAG = 40;
const MAX_TAGS = 10;
const MAX_EXAMPLE = 160;
const MAX_EXAMPLES = 3;
/** So that a long description leaves room for the examples. */
const MAX_SHARE = 0.6;

/** What a skill is for, for a model: bounded, on one line, of visible characters. A card is a stranger's text. */
export function skillDescription(skill: AgentSkill, card: AgentCard, maxLength: number): string {
  const description = oneLine(skill.description, Math.ceil(maxLength * MAX_SHARE));
  const lines = [
    `Asks the agent "${oneLine(card.name, MAX_NAME)}" for "${oneLine(skill.name, MAX_NAME)}".`,
    description,
    listed('Tags', skill.tags, MAX_TAGS, (tag) => oneLine(tag, MAX_TAG)),
    listed('Examples', skill.examples, MAX_EXAMPLES, (example) => `"${oneLine(example, MAX_EXAMPLE)}"`),
  ];
  return oneLine(lines.filter((line) => line !== '').join(' '), maxLength);
}

function listed(title: string, texts: readonly string[] = [], max: number, shown: (text: string) => string): string {
  return texts.length === 0 ? '' : `${title}: ${texts.slice(0, max).map(shown).join(', ')}.`;
}
