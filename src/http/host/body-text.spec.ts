import { describe, expect, it } from '@jest/globals';
import { BodyText } from './body-text.js';

/** The same bytes, cut where the sizes say. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  let at = 0;
  return sizes.map((size) => bytes.subarray(at, (at += size)));
}

function textOf(pieces: readonly Buffer[]): string | undefined {
  const body = new BodyText();
  for (const piece of pieces) body.add(piece);
  return body.whole();
}

describe('BodyText', () => {
  it('is nothing when nothing came', () => {
    expect(new BodyText().whole()).toBeUndefined();
  });

  it.each([
    ['one piece', [200_000]],
    ['bytes', Array.from({ length: 200_000 }, () => 1)],
    ['large pieces', [50_000, 50_000, 50_000, 50_000]],
    ['small and large ones in turn', Array.from({ length: 10 }, () => [3, 19_997]).flat()],
    ['pieces about a block', [1, 65_535, 1, 65_536, 16_383, 16_384, 36_160]],
    ['empty ones between', [0, 100_000, 0, 0, 100_000, 0]],
  ])('puts %s together in their order, characters of several bytes too', (_name, sizes) => {
    const text = 'aé€😀'.repeat(20_000);
    expect(Buffer.byteLength(text)).toBe(200_000);
    expect(textOf(cut(Buffer.from(text), sizes))).toBe(text);
  });

  it.each([
    ['one piece', [6]],
    ['bytes', [1, 1, 1, 1, 1, 1]],
  ])('leaves out a byte order mark in %s, and no other', (_name, sizes) => {
    expect(textOf(cut(Buffer.from('\uFEFF\uFEFF'), sizes))).toBe('\uFEFF');
  });

  it.each([
    ['a byte that is none', [Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]],
    ['a byte that is none, in one piece', [Buffer.from([0x7b, 0xff])]],
    ['a character that is cut off', [Buffer.from('a'), Buffer.from([0xe2, 0x82])]],
    ['a large piece that is none', [Buffer.from('a'), Buffer.alloc(20_000, 0xff)]],
  ])('throws on %s', (_name, pieces) => {
    expect(() => textOf(pieces)).toThrow('not valid');
  });
});
