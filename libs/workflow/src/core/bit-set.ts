/** A set of small whole numbers, made for graphs: uniting and comparing costs a word for 32 of them. */
export class BitSet {
  private readonly words: Uint32Array;

  /** @param size one more than the largest number */
  constructor(size: number) {
    this.words = new Uint32Array(Math.ceil(size / 32));
  }

  add(value: number): void {
    const at = value >>> 5;
    this.words[at] = (this.words[at] ?? 0) | (1 << (value & 31));
  }

  has(value: number): boolean {
    return ((this.words[value >>> 5] ?? 0) & (1 << (value & 31))) !== 0;
  }

  addAll(other: BitSet): void {
    for (let at = 0; at < this.words.length; at += 1) {
      this.words[at] = (this.words[at] ?? 0) | (other.words[at] ?? 0);
    }
  }

  /** Is there one that is in this set and in `other`, but not in `without`? */
  meets(other: BitSet, without: BitSet): boolean {
    for (let at = 0; at < this.words.length; at += 1) {
      if (((this.words[at] ?? 0) & (other.words[at] ?? 0) & ~(without.words[at] ?? 0)) !== 0) return true;
    }
    return false;
  }
}
