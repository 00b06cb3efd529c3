import { describe, expect, it } from '@jest/globals';
import { BodyPieces } from './body-pieces.js';

/** The same bytes, cut where the sizes say. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  let at = 0;
  return sizes.map((size) => bytes.subarray(at, (at += size)));
}

describe('BodyPieces', () => {
  it('is nothing when nothing came', () => {
    expect(new BodyPieces().whole()).toBeUndefined();
  });

  it('hands out a single piece as it is', () => {
    const piece = Buffer.from('{"a":1}');
    const pieces = new BodyPieces();
    pieces.add(piece);
    expect(pieces.whole()).toBe(piece);
  });

  it.each([
    ['bytes', Array.from({ length: 200_000 }, () => 1)],
    ['large pieces', [50_000, 50_000, 50_000, 50_000]],
    ['small and large ones in turn', Array.from({ length: 10 }, () => [3, 19_997]).flat()],
    ['pieces about a block', [1, 65_535, 1, 65_536, 16_383, 16_384, 36_160]],
    ['empty ones between', [0, 100_000, 0, 0, 100_000, 0]],
  ])('puts %s together in their order', (_name, sizes) => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const pieces = new BodyPieces();
    for (const piece of cut(bytes, sizes)) pieces.add(piece);
    expect(pieces.whole()?.equals(bytes)).toBe(true);
  });
});
