import { createHash } from 'node:crypto';
import { COUNTERS_AFTER_OVERFLOW, MAX_KEPT_LENGTH } from './analysis-limits.js';
import { Cardinality } from './cardinality.js';
import { shownText } from './shown-text.js';

/** One value and how often it was seen. */
export interface ValueCount {
  readonly value: string;
  /** Exact, or a lower bound when the top values are approximate. */
  readonly count: number;
}

/** The most frequent values of a column. */
export interface TopValues {
  readonly values: readonly ValueCount[];
  readonly approximate: boolean;
  /** By how much a count may be too low; absent when counts are exact. */
  readonly maxError?: number;
}

/** How many different values a column has. */
export interface DistinctCount {
  readonly count: number;
  readonly approximate: boolean;
}

/**
 * Counts values in bounded memory: exact while there are at most `capacity` distinct ones. Then all but the most
 * frequent are dropped and those lowered by the same amount, again and again (the frequent-items form of Misra-Gries).
 * A value that makes up more than 1/5,000 of a column (a larger share in a wide table) stays, and the error is known.
 */
export class FrequentValues {
  private counts = new Map<string, number>();
  private error = 0;
  private overflow: Cardinality | undefined;

  constructor(private capacity: number) {}

  add(text: string): void {
    const key = text.length > MAX_KEPT_LENGTH ? shortKey(text) : text;
    this.overflow?.add(key);
    const count = this.counts.get(key);
    this.counts.set(key, count === undefined ? 1 : count + 1);
    if (count === undefined && this.counts.size > this.capacity) this.prune();
  }

  distinct(): DistinctCount {
    if (!this.overflow) return { count: this.counts.size, approximate: false };
    return { count: this.overflow.estimate(), approximate: true };
  }

  /** The `limit` most frequent values; equal counts in the order of the values. */
  top(limit: number): TopValues {
    const ranked = [...this.counts].sort(
      ([left, leftCount], [right, rightCount]) => rightCount - leftCount || (left < right ? -1 : left > right ? 1 : 0),
    );
    const values = ranked.slice(0, limit).map(([key, count]) => ({ value: shownText(key), count }));
    if (!this.overflow) return { values, approximate: false };
    // What is left with a count of one after a cut is the last value that came by, not a frequent one.
    return { values: values.filter(({ count }) => count > 1), approximate: true, maxError: this.error };
  }

  private prune(): void {
    if (!this.overflow) {
      this.overflow = new Cardinality();
      for (const key of this.counts.keys()) this.overflow.add(key);
      this.capacity = Math.min(this.capacity, COUNTERS_AFTER_OVERFLOW * 2);
    }
    const kept = Math.floor(this.capacity / 2);
    const ordered = Float64Array.from(this.counts.values()).sort();
    const cut = ordered[ordered.length - 1 - kept];
    this.error += cut;
    // A new map instead of deletions: the tables that a map grew out of point to the next one, so one that has reached
    // the old heap drags all that follow along, until a full collection.
    const lowered = new Map<string, number>();
    for (const [key, count] of this.counts) if (count > cut) lowered.set(key, count - cut);
    this.counts = lowered;
  }
}

/** Two long texts that begin alike stay two values. */
function shortKey(text: string): string {
  const digest = createHash('sha256').update(text).digest('base64');
  // shownText copies: a slice would keep the whole text alive.
  return `${shownText(text, MAX_KEPT_LENGTH)}${digest}`;
}
