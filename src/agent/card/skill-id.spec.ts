import { describe, expect, it } from '@jest/globals';
import { skillIdOf } from './skill-id.js';

describe('skillIdOf', () => {
  it.each([
    ['Find recipes', 'find-recipes'],
    ['  Find   recipes!! ', 'find-recipes'],
    ['snake_case 2', 'snake_case-2'],
    ['a- b', 'a-b'],
    ['a -b', 'a--b'],
    ['-lead', '-lead'],
    ['!lead', '-lead'],
    ['trail--', 'trail'],
    ['Crème brûlée', 'cr-me-br-l-e'],
    ['料理', 'skill-3'],
    ['---', 'skill-3'],
    ['', 'skill-3'],
    ['   ', 'skill-3'],
  ])('%p: %p', (name, expected) => {
    expect(skillIdOf(name, 3)).toBe(expected);
  });

  it('is made of a name of very many dashes in a time that grows with the name alone', () => {
    const dashes = '-'.repeat(300_000);
    expect(skillIdOf(`${dashes}x--`, 3) === `${dashes}x`).toBe(true);
  });
});
