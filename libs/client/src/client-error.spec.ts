import { describe, expect, it } from '@jest/globals';
import { retryAfterSecondsOf } from './client-error.js';

describe('retryAfterSecondsOf', () => {
  it.each([
    ['7', 7],
    // Longer than anybody waits, and so not the same as nothing said.
    ['9999999999', 9_999_999_999],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %p', (header, expected) => {
    expect(retryAfterSecondsOf(header)).toBe(expected);
  });
});
