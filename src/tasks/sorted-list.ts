const CHUNK_SIZE = 512;
const NEAR_END = 4;

/**
 * A list that keeps its items in order and knows their ranks. The items lie in chunks of some hundreds, so that adding,
 * removing and counting cost a binary search and a short move, and a fraction of a microsecond more for each ten
 * thousand items. Growing at the end, which is where new items mostly go, moves nothing.
 *
 * Items are told apart by the order alone: no two items may compare as equal, and the order of an item must not change
 * while it is in the list.
 */
export class SortedList<T> {
  private readonly chunks: T[][] = [];
  private size = 0;

  constructor(private readonly compare: (a: T, b: T) => number) {}

  get length(): number {
    return this.size;
  }

  get first(): T | undefined {
    return this.chunks.length === 0 ? undefined : this.chunks[0][0];
  }

  add(item: T): void {
    this.size++;
    const index = this.chunkOf(item);
    if (index === this.chunks.length) {
      this.append(item);
      return;
    }
    const chunk = this.chunks[index];
    chunk.splice(this.placeOf(item, chunk), 0, item);
    if (chunk.length > CHUNK_SIZE) this.chunks.splice(index + 1, 0, chunk.splice(CHUNK_SIZE / 2));
  }

  /** @returns false when the item is not in the list */
  remove(item: T): boolean {
    if (this.first === item) {
      this.removeFirst();
      return true;
    }
    const index = this.chunkOf(item);
    if (index === this.chunks.length) return false;
    const chunk = this.chunks[index];
    const place = this.placeOf(item, chunk);
    if (chunk[place] !== item) return false;
    chunk.splice(place, 1);
    this.size--;
    if (chunk.length < CHUNK_SIZE / 4) this.shrink(index);
    return true;
  }

  /** How many items are below a border. `isBelow` must hold for all items up to some place, and for none after it. */
  countBelow(isBelow: (item: T) => boolean): number {
    const { chunks } = this;
    const index = firstIndex(chunks.length, (at) => !isBelow(chunks[at][chunks[at].length - 1]));
    let count = 0;
    for (let at = 0; at < index; at++) count += chunks[at].length;
    if (index === chunks.length) return count;
    const chunk = chunks[index];
    return count + firstIndex(chunk.length, (at) => !isBelow(chunk[at]));
  }

  /** Visits the items of the ranks `high - 1` down to `low`, until `visit` answers false. */
  descend(high: number, low: number, visit: (item: T, rank: number) => boolean): void {
    let start = this.size;
    for (let index = this.chunks.length - 1; index >= 0 && start > low; index--) {
      const chunk = this.chunks[index];
      start -= chunk.length;
      const bottom = Math.max(low, start);
      for (let rank = Math.min(high, start + chunk.length) - 1; rank >= bottom; rank--) {
        if (!visit(chunk[rank - start], rank)) return;
      }
    }
  }

  // Lists of tasks lose their oldest items: those are found without a look at any other.
  private removeFirst(): void {
    const [chunk] = this.chunks;
    chunk.shift();
    this.size--;
    if (chunk.length === 0) this.chunks.shift();
  }

  private append(item: T): void {
    const last = this.chunks.length === 0 ? undefined : this.chunks[this.chunks.length - 1];
    if (last && last.length < CHUNK_SIZE) last.push(item);
    else this.chunks.push([item]);
  }

  /** The first chunk that ends at the item or behind it. */
  private chunkOf(item: T): number {
    const { chunks, compare } = this;
    const last = chunks.length === 0 ? undefined : chunks[chunks.length - 1];
    if (!last || compare(last[last.length - 1], item) < 0) return chunks.length;
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle];
      if (compare(chunk[chunk.length - 1], item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private placeOf(item: T, chunk: readonly T[]): number {
    let high = chunk.length;
    // What comes in belongs near the end.
    const near = Math.max(0, high - NEAR_END);
    while (high > near && this.compare(chunk[high - 1], item) >= 0) high--;
    if (high > near) return high;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(chunk[middle], item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Without merging, a list that items leave at random would end as one chunk an item.
  private shrink(index: number): void {
    const chunk = this.chunks[index];
    if (chunk.length === 0) {
      this.chunks.splice(index, 1);
      return;
    }
    const left = index > 0 ? index - 1 : index;
    if (left + 1 >= this.chunks.length) return;
    if (this.chunks[left].length + this.chunks[left + 1].length > CHUNK_SIZE / 2) return;
    const [right] = this.chunks.splice(left + 1, 1);
    this.chunks[left].push(...right);
  }
}

/** The first index below `length` where `holds`, which must then hold for all that follow; else `length`. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
