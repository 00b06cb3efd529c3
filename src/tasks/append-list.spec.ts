import { describe, expect, it, jest } from '@jest/globals';
import { AppendList } from './append-list.js';

describe('AppendList', () => {
  it('leaves every list as it was when others grow from it', () => {
    const empty = AppendList.empty<number>();
    const one = empty.append([1]);
    const two = one.append([2, 3]);
    const other = one.append([9]);
    const third = two.append([4]);
    expect([empty, one, two, other, third].map((list) => list.toArray())).toEqual([
      [],
      [1],
      [1, 2, 3],
      [1, 9],
      [1, 2, 3, 4],
    ]);
    expect(other.append([10]).toArray()).toEqual([1, 9, 10]);
  });

  it('does not follow the array that it was made of', () => {
    const source = [1, 2];
    const list = AppendList.of(source);
    source.push(3);
    list.toArray().push(4);
    list.last(1)[0] = 5;
    expect([list.length, list.toArray()]).toEqual([2, [1, 2]]);
  });

  it.each([
    [0, [9, 1, 2, 3]],
    [1, [1, 9, 2, 3]],
    [3, [1, 2, 3, 9]],
    [7, [1, 2, 3, 9]],
  ])('inserts at %i without changing the list or its descendants', (index, expected) => {
    const list = AppendList.of([1, 2, 3]);
    const longer = list.append([4]);
    expect(list.insert(index, 9).toArray()).toEqual(expected);
    expect([list.toArray(), longer.toArray()]).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
    ]);
  });

  it.each([
    [0, []],
    [2, [2, 3]],
    [3, [1, 2, 3]],
    [9, [1, 2, 3]],
  ])('gives at most the last %i of its own items', (count, expected) => {
    const list = AppendList.of([1, 2, 3]);
    list.append([4]);
    expect(list.last(count)).toEqual(expected);
  });

  it('maps only its own items', () => {
    const list = AppendList.of([1, 2]);
    list.append([3]);
    expect(list.map((item) => item * 2).toArray()).toEqual([2, 4]);
  });

  it('copies nothing while one list grows', () => {
    let list = AppendList.empty<number>();
    const slice = jest.spyOn(Array.prototype, 'slice');
    for (let n = 0; n < 2_000; n++) list = list.append([n]);
    const copies = slice.mock.calls.length;
    slice.mockRestore();
    expect(list.length).toBe(2_000);
    expect(copies).toBe(0);
  });

  it('takes very many items at once', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => index);
    expect(AppendList.empty<number>().append(many).length).toBe(50_000);
  });
});
