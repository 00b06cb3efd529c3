import { describe, expect, it } from '@jest/globals';
import { describeGiven } from './given-value.js';

describe('describeGiven', () => {
  it.each([
    ['plain', '"plain"'],
    ['two\nlines', '"two\\nlines"'],
    ['x'.repeat(90), `"${'x'.repeat(80)}…"`],
    ['https://user:pass@host/a', '"https://***@host/a"'],
    ['https://user:p@ss@host', '"https://***@host"'],
    ['https:/user:pass@host', '"https:/***@host"'],
    ['user:pass@host', '"***@host"'],
    ['https://host/?token=abc', '"https://host/?***"'],
    ['https://host/a@b', '"https://host/a@b"'],
    [Number.NaN, 'NaN'],
    [null, 'null'],
    [undefined, 'undefined'],
    [['a'], 'an array'],
    [{ secret: 1 }, 'an object'],
    [() => 1, 'a function'],
  ])('%p: %s', (value, expected) => {
    expect(describeGiven(value)).toBe(expected);
  });
});
