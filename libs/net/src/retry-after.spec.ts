import { describe, expect, it } from '@jest/globals';
import { retryAfterOf } from './retry-after.js';

describe('retryAfterOf', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['99999999999999999999', 1e23],
    ['soon', undefined],
    ['-1', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %p', (header, expected) => {
    expect(retryAfterOf(header, now)).toBe(expected);
  });
});
