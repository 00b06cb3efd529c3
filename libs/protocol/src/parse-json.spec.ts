import { describe, expect, it } from '@jest/globals';
import { JSONParseError } from './errors/request-errors.js';
import { parseJson } from './parse-json.js';

describe('parseJson', () => {
  it.each(['', '{"jsonrpc":', 'null{', '{"a":1}}', 'undefined', "{'a':1}", '\ufeff', '\ufeff\ufeff1'])(
    '%j is no JSON',
    (text) => {
      expect(() => parseJson(text)).toThrow(JSONParseError);
    },
  );

  it('skips a byte order mark', () => {
    expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it.each(['0', '""', 'null', 'false', '[]', '"__proto__"'])('%s is itself', (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  it.each([
    '__proto__',
    '\\u005f_proto__',
    '__pr\\u006Fto__',
    '\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f',
  ])('never yields the key %s', (key) => {
    const value = parseJson(`[{"${key}":{"x":1},"a":[{"b":{"${key}":1,"c":2}}]}, 0, null]`);
    expect(JSON.stringify(value)).toBe('[{"a":[{"b":{"c":2}}]},0,null]');
  });

  it('removes the key from deep JSON', () => {
    const levels = 200_000;
    const value = parseJson('{"__proto__":1,"a":'.repeat(levels) + '1' + '}'.repeat(levels));
    expect(Object.keys(Object(value))).toEqual(['a']);
  });

  it('says nothing of the text in its message', () => {
    expect(() => parseJson('{"secret": x}')).toThrow('Invalid JSON payload');
  });
});
