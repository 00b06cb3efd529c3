import { describe, expect, it } from '@jest/globals';
import { SecretTable } from './secret-table.js';

describe('SecretTable', () => {
  it('finds what each secret stands for, wherever it stands', () => {
    const table = new SecretTable<string>();
    for (const secret of ['a', 'ab', 'b', 'ü', 'x'.repeat(10_000)])
      expect(table.add(secret, `of ${secret}`)).toBe(true);
    for (const secret of ['a', 'ab', 'b', 'ü', 'x'.repeat(10_000)]) expect(table.find(secret)).toBe(`of ${secret}`);
  });

  it.each(['', 'A', 'ab ', 'abc', 'x'.repeat(9_999), 'u\u0308'])('does not find %j', (secret) => {
    const table = new SecretTable<string>();
    for (const known of ['a', 'ab', 'ü', 'x'.repeat(10_000)]) table.add(known, known);
    expect(table.find(secret)).toBeUndefined();
  });

  it('takes a secret once', () => {
    const table = new SecretTable<number>();
    expect([table.add('a', 1), table.add('a', 2), table.find('a')]).toEqual([true, false, 1]);
  });
});
