const FIRST_SIZE = 64;

/**
 * Quantiles of numbers seen one at a time: exact up to a number of values, then from a uniform random sample of that
 * size (Vitter's algorithm R), and marked approximate.
 */
export class QuantileSketch {
  private values: Float64Array;
  private seen = 0;
  private sorted = false;
  private random = 0x9e3779b9;

  constructor(private readonly capacity: number) {
    this.values = new Float64Array(Math.min(FIRST_SIZE, capacity));
  }

  add(value: number): void {
    this.seen += 1;
    if (this.seen <= this.capacity) {
      if (this.seen > this.values.length) this.grow();
      this.values[this.seen - 1] = value;
      return;
    }
    const place = Math.floor(this.nextRandom() * this.seen);
    if (place < this.capacity) this.values[place] = value;
  }

  get approximate(): boolean {
    return this.seen > this.capacity;
  }

  /** Linear interpolation between the two nearest values; `share` is 0 to 1. Null when there is no value. */
  quantile(share: number): number | null {
    const kept = Math.min(this.seen, this.capacity);
    if (kept === 0) return null;
    if (!this.sorted) {
      this.values = this.values.subarray(0, kept).sort();
      this.sorted = true;
    }
    const position = share * (kept - 1);
    const below = Math.floor(position);
    const low = this.values[below];
    const high = this.values[Math.min(below + 1, kept - 1)];
    const weight = position - below;
    // Written as a weighted mean: the difference of the two could overflow.
    return weight === 0 || low === high ? low : low * (1 - weight) + high * weight;
  }

  private grow(): void {
    const larger = new Float64Array(Math.min(this.values.length * 2, this.capacity));
    larger.set(this.values);
    this.values = larger;
  }

  /** xorshift32 with a fixed seed: the same table gives the same report. */
  private nextRandom(): number {
    this.random ^= this.random << 13;
    this.random ^= this.random >>> 17;
    this.random ^= this.random << 5;
    return (this.random >>> 0) / 0x1_0000_0000;
  }
}
