import { describe, expect, it } from '@jest/globals';
import type { SkillDescriptor } from './skill-descriptor.js';
import { mapToA2ASkill, mapToA2ASkills } from './skill-mapper.js';

describe('mapToA2ASkill', () => {
  it.each<[string, SkillDescriptor | null | undefined]>([
    ['nothing', null],
    ['undefined', undefined],
    ['a blank name', { name: ' \n ', description: 'x' }],
    ['an empty name', { name: '' }],
  ])('gives null for %s', (_what, descriptor) => {
    expect(mapToA2ASkill(descriptor)).toBeNull();
  });

  it('trims, and leaves out what it is not told and what cards have no room for', () => {
    expect(
      mapToA2ASkill({ name: ' Cook ', description: ' Cooks\n', version: '1.0', license: 'MIT', tags: [] }),
    ).toEqual({
      name: 'Cook',
      description: 'Cooks',
    });
    expect(mapToA2ASkill({ name: 'Cook' })).toEqual({ name: 'Cook', description: '' });
    const rich = {
      id: ' c ',
      name: 'Cook',
      tags: ['food'],
      examples: ['Boil'],
      inputModes: ['text/plain'],
      inputSchema: { type: 'object' },
    };
    expect(mapToA2ASkill(rich)).toEqual({ ...rich, id: 'c', description: '' });
  });
});

describe('mapToA2ASkills', () => {
  it.each<[string, (SkillDescriptor | null)[], string[], string[]?]>([
    ['slugs', [{ name: 'Find Recipes!' }, { name: 'Émile  & co' }], ['find-recipes', '-mile-co']],
    ['names without a Latin letter', [{ name: '天气' }, { name: '翻译' }], ['skill-1', 'skill-2']],
    ['places that count what is passed over', [null, { name: ' ' }, { name: '天气' }], ['skill-3']],
    ['a second of the name', [{ name: 'Cook' }, { name: 'cook' }, { name: 'COOK' }], ['cook', 'cook-2', 'cook-3']],
    ['a given id before a derived one', [{ name: 'Cook' }, { id: 'cook', name: 'Chef' }], ['cook-2', 'cook']],
    [
      'an id given twice',
      [
        { id: 'a', name: 'A' },
        { id: 'a', name: 'B' },
      ],
      ['a', 'a-2'],
    ],
    ['a suffix that is taken', [{ name: 'a' }, { name: 'a 2' }, { name: 'a' }], ['a', 'a-2', 'a-3']],
    ['ids in use elsewhere', [{ name: 'Cook' }, { id: 'x', name: 'X' }], ['cook-2', 'x-2'], ['cook', 'x']],
  ])('has unique ids: %s', (_what, descriptors, ids, taken = []) => {
    const skills = mapToA2ASkills(descriptors, taken);
    expect(skills.map(({ id }) => id)).toEqual(ids);
    expect(skills.map(({ tags }) => tags)).toEqual(ids.map((id) => [id]));
  });

  it('finds a number for each of very many of one name, without trying all the numbers before it again', () => {
    const skills = mapToA2ASkills(Array.from({ length: 50_000 }, () => ({ name: 'Cook' })));
    expect(skills.at(-1)?.id).toBe('cook-50000');
    expect(new Set(skills.map(({ id }) => id)).size).toBe(50_000);
  });
});
