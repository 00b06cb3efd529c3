import { setFlagsFromString } from 'node:v8';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withFields } from './with-fields.js';

describe('withFields', () => {
  it('makes a copy in which the new fields win', () => {
    const given = { a: 1, b: 2 };
    expect(withFields(given, { b: 3, c: 4 })).toEqual({ a: 1, b: 3, c: 4 });
    expect(given).toEqual({ a: 1, b: 2 });
  });

  describe('on V8', () => {
    let sameClass: (a: object, b: object) => boolean;
    beforeAll(() => {
      setFlagsFromString('--allow-natives-syntax');
      const compiled: unknown = new Function('a', 'b', 'return %HaveSameMap(a, b)');
      if (typeof compiled !== 'function') throw new Error('no function');
      sameClass = (a, b) => compiled(a, b) === true;
    });

    it('gives all objects that it makes one hidden class', () => {
      const make = (): object => withFields(parsed('{"a":1,"b":[]}'), { c: 'x', d: 'y' });
      const made = Array.from({ length: 100 }, make);
      expect(made.every((object) => sameClass(object, made[0] ?? {}))).toBe(true);
    });
  });
});

function parsed(json: string): object {
  const value: object = JSON.parse(json);
  return value;
}
