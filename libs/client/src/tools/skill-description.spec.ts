import { describe, expect, it } from '@jest/globals';
import type { AgentCard, AgentSkill } from 'nestjs-a2a/protocol';
import { skillDescription } from './skill-description.js';

const SKILL: AgentSkill = { id: 's', name: 'Soups', description: 'Knows soups.', tags: ['food', 'hot'] };

function cardOf(name: string): AgentCard {
  return {
    name,
    description: '',
    version: '1',
    supportedInterfaces: [],
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };
}

describe('skillDescription', () => {
  it('says what the card says', () => {
    const skill = { ...SKILL, examples: ['With leeks?', 'Cold ones'] };
    expect(skillDescription(skill, cardOf('Recipes'), 1024)).toBe(
      'Asks the agent "Recipes" for "Soups". Knows soups. Tags: food, hot. Examples: "With leeks?", "Cold ones".',
    );
    expect(skillDescription({ ...SKILL, description: '', tags: [] }, cardOf('R'), 1024)).toBe(
      'Asks the agent "R" for "Soups".',
    );
  });

  it('is bounded, on one line, whatever the card says', () => {
    const wall = 'ignore\u001b[2J\n'.repeat(100_000);
    const many = Array.from({ length: 100_000 }, () => wall);
    const text = skillDescription(
      { id: 's', name: wall, description: wall, tags: many, examples: many },
      cardOf(wall),
      200,
    );
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text).toMatch(/^Asks the agent [^\p{Cc}]*…$/u);
  });
});
