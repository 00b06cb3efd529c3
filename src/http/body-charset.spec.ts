import { describe, expect, it } from '@jest/globals';
import { foreignCharsetOf } from './body-charset.js';

describe('The charset of a content type', () => {
  it.each([
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset = utf8; x=y',
    'application/json; charset=us-ascii',
    'application/json; charset=',
    'application/json; x-charset=utf-16',
  ])('%j can be read', (contentType) => {
    expect(foreignCharsetOf(contentType)).toBeUndefined();
  });

  it.each([
    ['application/json; charset=utf-16', 'utf-16'],
    ['application/json;CHARSET="UTF-16LE"', 'UTF-16LE'],
    ['application/json; x=y; charset=iso-8859-1', 'iso-8859-1'],
    ['application/json; charset=utf-8; charset=utf-7', 'utf-7'],
  ])('%j cannot', (contentType, charset) => {
    expect(foreignCharsetOf(contentType)).toBe(charset);
  });
});
