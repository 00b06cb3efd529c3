import { describe, expect, it } from '@jest/globals';
import { findJsonFault } from './json-fault.js';

describe('findJsonFault', () => {
  it.each([
    '{}',
    ' [ ] ',
    '0',
    '-0.5e+10',
    'null',
    '"a\\u00e9\\n\\""',
    '"€😀"',
    '{"a":[1,{"b":true},[]],"c":{}}',
    `"${'x'.repeat(2_000_000)}"`,
  ])('%.40s is JSON', (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(findJsonFault(text)).toBeUndefined();
  });

  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['[1,]', 1, 4],
    ['[1 2]', 1, 4],
    ['[1}', 1, 3],
    ['{"a"}', 1, 5],
    ['{a:1}', 1, 2],
    ["{'a':1}", 1, 2],
    ['01', 1, 1],
    ['+1', 1, 1],
    ['1.', 1, 1],
    ['truely', 1, 1],
    ['{} x', 1, 4],
    ['"a\nb"', 1, 1],
    ['"\\x"', 1, 1],
    ['{"a": // why\n1}', 1, 7],
    [']', 1, 1],
    [':', 1, 1],
  ])('%j fails at line %i, column %i', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonFault(text)).toEqual({ line, column });
  });
});
