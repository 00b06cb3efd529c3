import { describe, expect, it } from '@jest/globals';
import { causesOf, classNameOf, textOf } from './causes.js';

describe('what was thrown', () => {
  it('has an end, also when each cause has a fresh one', () => {
    class Endless extends Error {
      override get cause(): unknown {
        return new Endless();
      }
    }
    expect(causesOf(new Endless())).toHaveLength(100);
  });

  const trap = {
    get name(): string {
      throw new Error('trap');
    },
    get message(): string {
      throw new Error('trap');
    },
    get cause(): unknown {
      throw new Error('trap');
    },
  };
  it.each<[string, unknown, string, string]>([
    ['an error', new TypeError('why'), 'TypeError', 'why'],
    ['an error without a text', new TypeError(' '), 'TypeError', 'TypeError'],
    ['an error with a secret', new Error('Bearer abc'), 'Error', 'Bearer ***'],
    ['a text', 'why', 'Error', 'why'],
    ['a number', 7, 'Error', 'Error'],
    ['a symbol', Symbol('s'), 'Error', 'Error'],
    ['nothing', undefined, 'Error', 'Error'],
    ['an object without a prototype', Object.create(null), 'Error', 'Error'],
    ['an object that throws when it is looked at', trap, 'Object', 'Object'],
  ])('is told in words: %s', (_, thrown, name, text) => {
    expect(classNameOf(thrown)).toBe(name);
    expect(textOf(thrown)).toBe(text);
    expect(causesOf(thrown).length).toBeLessThanOrEqual(1);
  });
});
