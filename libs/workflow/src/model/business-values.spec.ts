import { describe, expect, it } from '@jest/globals';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { BusinessValues } from './business-values.js';

describe('BusinessValues', () => {
  it('copies deeply and freezes, and keeps lists in lists', () => {
    const source = { a: [[1], { b: null }] as unknown[], at: new Date(0), gone: undefined };
    const copied = BusinessValues.map(source);
    source.a.push('later');
    expect(copied).toEqual({ a: [[1], { b: null }], at: '1970-01-01T00:00:00.000Z' });
    expect(Object.isFrozen(copied)).toBe(true);
    expect(Object.isFrozen(copied.a)).toBe(true);
    expect(BusinessValues.list([[1, 2], 'x'])).toEqual([[1, 2], 'x']);
    expect(BusinessValues.map(null)).toEqual({});
    expect(BusinessValues.list(undefined)).toEqual([]);
  });

  it('keeps a member called __proto__ a member', () => {
    const copied = BusinessValues.map(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(copied)).toEqual(['__proto__']);
    expect('polluted' in copied).toBe(false);
  });

  const loop: Record<string, unknown> = {};
  loop.self = [loop];
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  it.each<[string, unknown, string]>([
    ['a function', { f: () => 1 }, 'Not a JSON value at $.f: function'],
    ['NaN', [1, Number.NaN], 'Not a JSON value at $[1]: NaN'],
    ['a bigint', 1n, 'Not a JSON value at $: bigint'],
    ['a cycle', loop, 'Not a JSON value at $.self[0]: it contains itself'],
    ['a tower', deep(501), 'Not a JSON value: deeper than 500 levels'],
  ])('refuses %s', (_, value, text) => {
    expect(() => BusinessValues.snapshot(value)).toThrow(new WorkflowArgumentError(text));
  });

  it.each([[[]], ['text'], [7]])('is no object: %j', (value) => {
    // @ts-expect-error: hosts without types can do so
    expect(() => BusinessValues.map(value)).toThrow('A JSON object is required');
  });
});
