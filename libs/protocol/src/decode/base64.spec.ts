import { describe, expect, it } from '@jest/globals';
import { normalizeBase64 } from './base64.js';

describe('normalizeBase64', () => {
  it('gives every length back in canonical form, from both alphabets, padded or not', () => {
    for (let length = 0; length < 70; length++) {
      const buffer = Buffer.from(Array.from({ length }, (_, index) => (index * 251 + length * 7 + 0xfb) & 0xff));
      const canonical = buffer.toString('base64');
      const url = buffer.toString('base64url');
      for (const form of [canonical, canonical.replaceAll('=', ''), url, url.padEnd(canonical.length, '=')]) {
        expect(normalizeBase64(form)).toBe(canonical);
      }
    }
  });

  it.each([
    'a',
    'abcde',
    'a=',
    'ab=',
    'abc==',
    'abcd=',
    'abcd==',
    '=',
    '==',
    '===',
    'ab===',
    'a=bc',
    '***',
    'ab c',
    'aGk=\n',
    'äaaa',
    '\ud800aaa',
  ])('%j is refused', (text) => {
    expect(normalizeBase64(text)).toBeUndefined();
  });

  it('tolerates unused bits', () => {
    expect(normalizeBase64('ab')).toBe('ab==');
  });

  it('gives a huge canonical string back itself, and finds a fault at its end', () => {
    const huge = 'A'.repeat(8_000_000);
    expect(normalizeBase64(huge)).toBe(huge);
    expect(normalizeBase64(`${huge.slice(4)}AA*A`)).toBeUndefined();
    expect(normalizeBase64('='.repeat(1_000_000))).toBeUndefined();
  });
});
