import { describe, expect, it } from '@jest/globals';
import { boundedAnswer, oneLine, startOf } from './tool-text.js';

describe('oneLine', () => {
  it.each<[string, string, string]>([
    ['joins lines', ' a\r\n\tb\u2028c ', 'a b c'],
    ['takes out terminal codes', 'a\u001b[31mb', 'a [31mb'],
    ['takes out what turns the direction', 'a\u202eb\u2066c', 'abc'],
    ['takes out words in invisible letters', 'a\u{e0068}\u{e0069}b', 'ab'],
    ['takes out halves of characters', 'a\ud83db', 'ab'],
    ['leaves what joins letters', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['leaves what joins emoji', '👩\u200d🍳 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3', '👩\u200d🍳 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3'],
    ['takes out bytes in variation selectors', 'a\ufe00\ufe0f\u{e0100}\u{e01ef}b', 'ab'],
    ['takes out bytes in a row of selectors at an emoji', '😀\ufe0f\ufe01\u{e0155}\ufe0f!', '😀\ufe0f!'],
    ['takes out bits in joiners', 'a\u200c\u200d\u200db ä\u200c\u200dö', 'ab äö'],
    ['takes out letters that show nothing', 'a\u3164\u115f\uffa0\u034f\u2800b', 'ab'],
  ])('%s', (_what, text, line) => {
    expect(oneLine(text, 100)).toBe(line);
  });

  it('cuts what is too long, and says so', () => {
    expect(oneLine('abcdefgh', 5)).toBe('abcd…');
    expect(oneLine('a'.repeat(1_000_000), 5)).toBe('aaaa…');
  });
});

describe('boundedAnswer', () => {
  it.each<[string, number, string]>([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc\n[The answer was cut here: it has 4 characters]'],
  ])('of %s is at most %i long', (text, max, answer) => {
    expect(boundedAnswer(text, max)).toBe(answer);
  });
});

describe('startOf', () => {
  it('halves no character', () => {
    expect(startOf('a😀b', 2)).toBe('a');
    expect(startOf('a😀b', 3)).toBe('a😀');
  });
});
