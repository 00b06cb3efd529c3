/**
 * An immutable list that appends in O(1): lists that grew from one another share one array, and each sees its own
 * length of it. Only appending to a list that is not the longest copies.
 */
export class AppendList<T> {
  private constructor(
    private readonly items: T[],
    readonly length: number,
  ) {}

  static empty<T>(): AppendList<T> {
    return new AppendList<T>([], 0);
  }

  static of<T>(items: readonly T[]): AppendList<T> {
    return new AppendList<T>([...items], items.length);
  }

  append(added: readonly T[]): AppendList<T> {
    const items = this.items.length === this.length ? this.items : this.items.slice(0, this.length);
    for (const item of added) items.push(item);
    return new AppendList<T>(items, items.length);
  }

  /** Puts an item before the one at `index`; copies unless `index` is the end. */
  insert(index: number, item: T): AppendList<T> {
    if (index >= this.length) return this.append([item]);
    const items = [...this.items.slice(0, index), item, ...this.items.slice(index, this.length)];
    return new AppendList<T>(items, items.length);
  }

  map(change: (item: T) => T): AppendList<T> {
    return AppendList.of(this.toArray().map(change));
  }

  /** At most the last `count` items. */
  last(count: number): T[] {
    return this.items.slice(Math.max(0, this.length - count), this.length);
  }

  toArray(): T[] {
    return this.items.slice(0, this.length);
  }
}
