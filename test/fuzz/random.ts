const GOLDEN = 0x9e3779b1;

/** Numbers that look random and are the same for the same seed. */
export class Random {
  private constructor(private state: number) {}

  /** The numbers of one case of a run: they do not depend on the cases before it. */
  static of(seed: number, index: number): Random {
    return new Random(Math.imul(seed + 1, GOLDEN) ^ Math.imul(index + 1, 0x85ebca6b));
  }

  /** From 0 up to and without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to and without `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
