import { describe, expect, it } from '@jest/globals';
import { stackOfThrown, textOfThrown } from './thrown-value.js';

const refuse = (): never => {
  throw new Error('nobody may look');
};

function errorWith(name: 'stack' | 'message', descriptor: PropertyDescriptor): Error {
  return Object.defineProperty(new Error('went wrong'), name, descriptor);
}

describe('What was thrown', () => {
  it.each<[string, unknown, string]>([
    ['an error', new Error('went wrong'), 'went wrong'],
    ['a text', 'went wrong', 'went wrong'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an error whose stack cannot be read', errorWith('stack', { get: refuse }), 'went wrong'],
  ])('is a text: %s', (_name, value, text) => {
    expect(textOfThrown(value)).toBe(text);
    expect(stackOfThrown(value)).toContain(text);
  });

  it('has the stack of an error', () => {
    const error = new Error('went wrong');
    expect(stackOfThrown(error)).toBe(error.stack);
  });

  it.each<[string, unknown]>([
    ['an object without a prototype', Object.create(null)],
    ['an object whose toString() throws', { toString: refuse }],
    ['an object whose toString() gives no text', { toString: () => ({}) }],
    ['a proxy that refuses everything', new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
    ['a revoked proxy', revoked()],
    ['an error whose message is none', errorWith('message', { value: Object.create(null) })],
    ['an error whose message cannot be read', errorWith('message', { get: refuse })],
  ])('is written about when it cannot be written down: %s', (_name, value) => {
    expect(typeof textOfThrown(value)).toBe('string');
    expect(typeof stackOfThrown(value)).toBe('string');
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
