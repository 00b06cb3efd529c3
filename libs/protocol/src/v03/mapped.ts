import type { Decode } from '../decode/decoder.js';

/** Reads a value in one form and gives it in another. */
export function mapped<A, B>(decode: Decode<A>, map: (value: A) => B | undefined): Decode<B> {
  return (value, issues) => {
    const read = decode(value, issues);
    return read === undefined ? undefined : map(read);
  };
}
