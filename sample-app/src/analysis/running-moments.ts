// A power of two, so that scaling loses no digit; small enough that 2^63 values of any size add up to a finite sum.
const SCALE = 2 ** -64;

/** Count, minimum, maximum, mean and standard deviation of numbers seen one at a time. */
export class RunningMoments {
  private seen = 0;
  private least = Infinity;
  private greatest = -Infinity;
  private sum = 0;
  private lost = 0;
  private scaledSum = 0;
  private center = 0;
  private squares = 0;

  add(value: number): void {
    this.seen += 1;
    if (value < this.least) this.least = value;
    if (value > this.greatest) this.greatest = value;
    // Neumaier's summation: the digits that an addition drops are kept apart, so a million cents stay exact.
    const next = this.sum + value;
    this.lost += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
    this.scaledSum += value * SCALE;
    // Welford's recurrence for the spread: the difference of two large sums would cancel out.
    const distance = value - this.center;
    this.center += distance / this.seen;
    this.squares += distance * (value - this.center);
  }

  get count(): number {
    return this.seen;
  }

  get min(): number | null {
    return this.seen === 0 ? null : this.least;
  }

  get max(): number | null {
    return this.seen === 0 ? null : this.greatest;
  }

  get mean(): number | null {
    if (this.seen === 0) return null;
    const mean = (this.sum + this.lost) / this.seen;
    return Number.isFinite(mean) ? mean : this.scaledSum / this.seen / SCALE;
  }

  /** Of the sample (n - 1). Null for fewer than two values, or when it is beyond what a double holds. */
  get standardDeviation(): number | null {
    if (this.seen < 2) return null;
    const deviation = Math.sqrt(this.squares / (this.seen - 1));
    return Number.isFinite(deviation) ? deviation : null;
  }
}
