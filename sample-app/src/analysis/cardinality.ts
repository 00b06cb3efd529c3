const INDEX_BITS = 12;
const REGISTERS = 1 << INDEX_BITS;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/** Estimates how many distinct texts were seen (HyperLogLog with 4,096 registers: within about 2 %). */
export class Cardinality {
  private readonly registers = new Uint8Array(REGISTERS);

  add(text: string): void {
    const hash = hashOf(text);
    const index = hash >>> (32 - INDEX_BITS);
    const rank = Math.min(Math.clz32((hash << INDEX_BITS) | 0), 32 - INDEX_BITS) + 1;
    if (rank > this.registers[index]) this.registers[index] = rank;
  }

  estimate(): number {
    let harmonic = 0;
    let empty = 0;
    for (const register of this.registers) {
      harmonic += 2 ** -register;
      if (register === 0) empty += 1;
    }
    const raw = (ALPHA * REGISTERS * REGISTERS) / harmonic;
    // The two ends where the raw estimate is biased: few values (count the empty registers), and so many that 32 bits
    // of hash begin to collide.
    if (raw <= 2.5 * REGISTERS && empty > 0) return Math.round(REGISTERS * Math.log(REGISTERS / empty));
    if (raw > 2 ** 32 / 30) return Math.round(-(2 ** 32) * Math.log(1 - raw / 2 ** 32));
    return Math.round(raw);
  }
}

/** FNV-1a with a final mix, since HyperLogLog reads the upper bits, which FNV stirs least. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
