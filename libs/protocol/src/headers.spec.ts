import { describe, expect, it } from '@jest/globals';
import { parseExtensionsHeader } from './extensions-header.js';
import { isJsonMediaType, mediaTypeMatches } from './media-types.js';
import { parseProtocolVersion } from './protocol-version.js';

describe('parseProtocolVersion', () => {
  it.each([
    ['1.0', '1.0'],
    [' 1.0 ', '1.0'],
    ['1.0.1', '1.0'],
    ['0.3.0', '0.3'],
    ['99.12', '99.12'],
  ])('%j is %s', (value, text) => {
    expect(parseProtocolVersion(value)).toEqual({
      major: Number(text.split('.')[0]),
      minor: Number(text.split('.')[1]),
      text,
    });
  });

  it.each([undefined, '', '  '])('%j is absent', (value) => {
    expect(parseProtocolVersion(value)).toBe('absent');
  });

  it.each(['1', 'abc', '1.', '.1', 'v1.0', '1.0.0.0', '-1.0', '1.0,1.0', '1.x', '1'.repeat(100_000)])(
    '%j is invalid',
    (value) => {
      expect(parseProtocolVersion(value)).toBe('invalid');
    },
  );
});

describe('parseExtensionsHeader', () => {
  it('joins lists and repeated headers, each URI once', () => {
    expect(parseExtensionsHeader([' a , b,', 'b,c', ''])).toEqual(['a', 'b', 'c']);
    expect(parseExtensionsHeader('a,,a')).toEqual(['a']);
    expect(parseExtensionsHeader(undefined)).toEqual([]);
  });

  it('has bounds', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `u${index}`).join(',');
    expect(parseExtensionsHeader(many)).toHaveLength(64);
    expect(parseExtensionsHeader(`${'x'.repeat(2049)},ok`)).toEqual(['ok']);
    expect(parseExtensionsHeader(','.repeat(1_000_000))).toEqual([]);
  });
});

describe('media types', () => {
  it.each<[string | undefined, boolean]>([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['APPLICATION/A2A+JSON;x=y', true],
    ['text/plain', false],
    ['application/jsonp', false],
    ['', false],
    [undefined, false],
  ])('%j is JSON: %p', (type, json) => {
    expect(isJsonMediaType(type)).toBe(json);
  });

  it.each<[string, string[], boolean]>([
    ['text/plain', ['text/plain'], true],
    ['Text/Plain; charset=utf-8', ['text/plain;format=flowed'], true],
    ['text/html', ['text/*'], true],
    ['textual/html', ['text/*'], false],
    ['image/png', ['*/*'], true],
    ['image/png', ['text/*', 'application/json'], false],
    ['image/png', [], false],
  ])('%s against %j: %p', (type, accepted, matches) => {
    expect(mediaTypeMatches(type, accepted)).toBe(matches);
  });
});
