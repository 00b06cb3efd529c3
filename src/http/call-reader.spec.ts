import { describe, expect, it } from '@jest/globals';
import {
  ContentTypeNotSupportedError,
  InvalidRequestError,
  JSONParseError,
  PayloadTooLargeError,
} from 'nestjs-a2a/protocol';
import { jsonBodyOf, queryOf, type BodyRule } from './call-reader.js';
import type { RequestBody } from './host/http-intake.js';

const rule: BodyRule = { accepts: (type) => type === 'application/json', expected: 'application/json', maxBytes: 20 };
const optional: BodyRule = { ...rule, empty: {} };

function read(body: RequestBody, contentType: string | undefined, bodyRule: BodyRule): unknown {
  return jsonBodyOf({ target: undefined, rawUrl: '/', body, contentType }, bodyRule);
}

const text = (value: string): RequestBody => ({ kind: 'text', text: value, bytes: Buffer.byteLength(value) });

describe('Body of a call', () => {
  it.each([
    [text('{"a":1}'), { a: 1 }],
    [text('[]'), []],
    [text('null'), null],
  ])('%j', (body, value) => {
    expect(read(body, 'application/json', rule)).toEqual(value);
  });

  it.each<[string, RequestBody, string | undefined, abstract new (...args: never[]) => Error]>([
    ['of another type', text('{}'), 'text/plain', ContentTypeNotSupportedError],
    ['of no type', text('{}'), undefined, ContentTypeNotSupportedError],
    // The media type comes before size and parse.
    ['of another type and too large', { kind: 'too-large', limit: 5 }, 'text/plain', ContentTypeNotSupportedError],
    ['of another type and broken', text('{'), 'text/plain', ContentTypeNotSupportedError],
    ['that is missing', { kind: 'none' }, 'application/json', JSONParseError],
    ['that is empty', text(''), 'application/json', JSONParseError],
    ['that is no JSON', text('{"a":'), 'application/json', JSONParseError],
    ['larger than this agent takes', text(`"${'x'.repeat(20)}"`), 'application/json', PayloadTooLargeError],
    ['larger and broken', text(`{${'x'.repeat(20)}`), 'application/json', PayloadTooLargeError],
    ['larger than anybody takes', { kind: 'too-large', limit: 5 }, 'application/json', PayloadTooLargeError],
    ['that is no UTF-8', { kind: 'malformed' }, 'application/json', JSONParseError],
    [
      'in an unknown encoding',
      { kind: 'unsupported-encoding', encoding: 'zst' },
      'application/json',
      ContentTypeNotSupportedError,
    ],
    ['that did not arrive', { kind: 'timeout' }, 'application/json', InvalidRequestError],
  ])('%s is refused', (_, body, type, error) => {
    expect(() => read(body, type, rule)).toThrow(error);
  });

  it.each<[RequestBody, string | undefined]>([
    [{ kind: 'none' }, undefined],
    [text(''), 'text/plain'],
  ])('may be absent where that is said: %j', (body, type) => {
    expect(read(body, type, optional)).toEqual({});
  });

  it('when it is there it is held to the rules all the same', () => {
    expect(() => read(text('{}'), 'text/plain', optional)).toThrow(ContentTypeNotSupportedError);
  });
});

describe('Query of a call', () => {
  it.each([
    ['/tasks', []],
    ['/tasks?', []],
    [
      '/tasks?a=1&b=x%20y',
      [
        ['a', '1'],
        ['b', 'x y'],
      ],
    ],
    ['/tasks?a=1?b=2', [['a', '1?b=2']]],
  ])('%s', (url, entries) => {
    expect([...queryOf(url)]).toEqual(entries);
  });
});
