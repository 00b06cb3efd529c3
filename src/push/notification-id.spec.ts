import { describe, expect, it } from '@jest/globals';
import { targetOf } from '../../test/support/push-bench.js';
import { notificationIdOf } from './notification-id.js';

describe('notificationIdOf', () => {
  it.each([
    ['c-1', 't1/c-1/7'],
    ['a:b+c=d@e', 't1/a:b+c=d@e/7'],
    ['a/b', 't1/a%2Fb/7'],
    ['100%', 't1/100%25/7'],
    ['a b\r\n', 't1/a%20b%0D%0A/7'],
    ['cönfig', 't1/c%C3%B6nfig/7'],
    ['🙂', 't1/%F0%9F%99%82/7'],
    ['\ud83d', 't1/%EF%BF%BD/7'],
  ])('of the config %j is %s', (configId, expected) => {
    expect(notificationIdOf(targetOf(configId), 7)).toBe(expected);
  });

  it('never makes one id of two configs', () => {
    const ids = ['a/b', 'a%2Fb', 'a%2fb'].map((configId) => notificationIdOf(targetOf(configId), 1));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
