import { describe, expect, it } from '@jest/globals';
import { SortedList } from './sorted-list.js';

const ascending = (a: number, b: number): number => a - b;

function contents(list: SortedList<number>): number[] {
  const items: number[] = [];
  list.descend(list.length, 0, (item) => items.push(item) > 0);
  return items.reverse();
}

function listOf(items: readonly number[]): SortedList<number> {
  const list = new SortedList<number>(ascending);
  for (const item of items) list.add(item);
  return list;
}

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('SortedList', () => {
  it('is empty at first', () => {
    const list = listOf([]);
    expect([list.length, list.first, list.countBelow(() => true), list.remove(1), contents(list)]).toEqual([
      0,
      undefined,
      0,
      false,
      [],
    ]);
  });

  it.each([
    ['ascending', numbers(3000)],
    ['descending', numbers(3000).reverse()],
    ['shuffled', numbers(3000).map((index) => (index * 1777) % 3000)],
  ])('keeps %s additions in order', (_name, items) => {
    const list = listOf(items);
    expect(contents(list)).toEqual(numbers(3000));
    expect(list.first).toBe(0);
    expect([0, 1, 511, 512, 513, 2999, 3000, 9999].map((border) => list.countBelow((item) => item < border))).toEqual([
      0, 1, 511, 512, 513, 2999, 3000, 3000,
    ]);
  });

  it('removes what is there, and nothing else', () => {
    const list = listOf(numbers(3000));
    for (const item of numbers(3000)) if (item % 3 !== 0) expect(list.remove(item)).toBe(true);
    expect(list.remove(1)).toBe(false);
    expect(list.remove(99_999)).toBe(false);
    expect(contents(list)).toEqual(numbers(3000).filter((item) => item % 3 === 0));
    expect(list.countBelow((item) => item < 1500)).toBe(500);
    for (const item of contents(list)) list.remove(item);
    expect([list.length, list.first]).toEqual([0, undefined]);
  });

  it('visits exactly the ranks asked for, across chunks, and stops when told', () => {
    const list = listOf(numbers(2000));
    const visited: [number, number][] = [];
    list.descend(1030, 500, (item, rank) => visited.push([item, rank]) > 0);
    expect(visited).toEqual(
      numbers(530)
        .map((index): [number, number] => [500 + index, 500 + index])
        .reverse(),
    );
    const some: number[] = [];
    list.descend(1030, 500, (item) => some.push(item) < 3);
    expect(some).toEqual([1029, 1028, 1027]);
    list.descend(5, 5, () => {
      throw new Error('an empty range has no items');
    });
  });

  it('does not break up into tiny chunks under random removal', () => {
    const list = listOf(numbers(20_000));
    for (const item of numbers(20_000)) if (item % 500 !== 0) list.remove(item);
    const chunks: unknown = Reflect.get(list, 'chunks');
    expect(Array.isArray(chunks) && chunks.length).toBeLessThanOrEqual(2);
    expect(list.length).toBe(40);
  });
});
