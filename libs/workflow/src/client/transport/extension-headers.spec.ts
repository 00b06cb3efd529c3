import { describe, expect, it } from '@jest/globals';
import { withExtensions } from './extension-headers.js';

describe('the header of extensions', () => {
  it.each<[Record<string, string>, readonly string[], Record<string, string>]>([
    [{}, [], {}],
    [{}, ['u:1', 'u:2'], { 'A2A-Extensions': 'u:1, u:2' }],
    [{ 'a2a-extensions': 'u:3, u:1' }, ['u:1', 'u:2'], { 'A2A-Extensions': 'u:1, u:2, u:3' }],
    [{ 'A2A-EXTENSIONS': 'u:3', 'a2a-extensions': 'u:4' }, [], { 'A2A-Extensions': 'u:3, u:4' }],
    [{ 'A2A-Extensions': ' ' }, [], {}],
    [{ Authorization: 'Bearer x' }, ['u:1'], { Authorization: 'Bearer x', 'A2A-Extensions': 'u:1' }],
  ])('of %j and %j is %j', (headers, uris, expected) => {
    expect(withExtensions(headers, uris)).toEqual(expected);
  });
});
