import { describe, expect, it } from '@jest/globals';
import { freshnessOf } from './freshness.js';

const DEFAULT_MS = 300_000;
const date = 'Mon, 02 Mar 2026 10:00:00 GMT';

describe('freshnessOf', () => {
  it.each<readonly [headers: Record<string, string>, seconds: number]>([
    [{}, 300],
    [{ 'cache-control': 'max-age=60' }, 60],
    [{ 'cache-control': 'public, MAX-AGE="60", s-maxage=10' }, 60],
    [{ 'cache-control': 'max-age=60, max-age=90' }, 60],
    [{ 'cache-control': 'max-age=60', age: '20' }, 40],
    [{ 'cache-control': 'max-age=60', age: '90' }, 0],
    [{ 'cache-control': 'max-age=60', age: 'old' }, 60],
    [{ 'cache-control': 'max-age=soon' }, 0],
    [{ 'cache-control': 'max-age=-1' }, 0],
    [{ 'cache-control': 'max-age=9999999999' }, 86_400],
    [{ 'cache-control': 'no-cache, max-age=60' }, 0],
    [{ 'cache-control': 'private' }, 300],
    [{ expires: 'Mon, 02 Mar 2026 10:01:00 GMT', date }, 60],
    [{ expires: 'Mon, 02 Mar 2026 09:00:00 GMT', date }, 0],
    [{ expires: '0', date: 'today' }, 0],
    [{ 'cache-control': 'max-age=60', expires: '0' }, 60],
  ])('%j: %d s', (headers, seconds) => {
    expect(freshnessOf(headers, DEFAULT_MS)).toEqual({ storable: true, lifetimeMs: seconds * 1000 });
  });

  it.each<Record<string, string>>([{ 'cache-control': 'max-age=60, no-store' }, { vary: '*' }])(
    'keeps nothing with %j',
    (headers) => {
      expect(freshnessOf(headers, DEFAULT_MS).storable).toBe(false);
    },
  );
});
