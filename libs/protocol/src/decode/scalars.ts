import { normalizeTimestamp } from '../timestamps.js';
import { normalizeBase64 } from './base64.js';
import type { Decode } from './decoder.js';

const MAX_INT32 = 2_147_483_647;
const MIN_INT32 = -2_147_483_648;
const DECIMAL = /^-?(?:0|[1-9]\d{0,9})$/;

/** A string whose presence counts, so that it may be empty. */
export const anyString: Decode<string> = (value, issues) =>
  typeof value === 'string' ? value : issues.add('must be a string');

/** A plain proto3 string: empty is the default and the same as absent. */
export const plainString: Decode<string> = (value, issues) => {
  if (typeof value !== 'string') return issues.add('must be a string');
  return value === '' ? undefined : value;
};

// Events, frames and log lines repeat an id, so a long one costs far more than its sender paid for it.
const MAX_ID_LENGTH = 1024;

/** As {@link plainString}, of the length that an id may have. */
export const idString: Decode<string> = (value, issues) => {
  if (typeof value === 'string' && value.length > MAX_ID_LENGTH) {
    return issues.add(`must have at most ${MAX_ID_LENGTH} characters`);
  }
  return plainString(value, issues);
};

/** `true` or `false`. */
export const boolean: Decode<boolean> = (value, issues) =>
  typeof value === 'boolean' ? value : issues.add('must be true or false');

/** Base64 in whatever alphabet and padding, as padded base64 of the standard alphabet. */
export const bytes: Decode<string> = (value, issues) => {
  if (typeof value !== 'string') return issues.add('must be a base64 string');
  return normalizeBase64(value) ?? issues.add('must be base64');
};

/** An RFC 3339 timestamp, as UTC with milliseconds. */
export const timestamp: Decode<string> = (value, issues) => {
  const text = typeof value === 'string' ? normalizeTimestamp(value) : undefined;
  return text ?? issues.add('must be an RFC 3339 timestamp');
};

/** An int32 between two bounds, as a number or a decimal string. */
export function int32(min: number = MIN_INT32, max: number = MAX_INT32): Decode<number> {
  const range =
    max < MAX_INT32 ? `must be between ${min} and ${max}` : min === 0 ? 'must not be negative' : 'must fit in 32 bits';
  return (value, issues) => {
    const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) return issues.add('must be an integer');
    if (number > MAX_INT32) return issues.add('must fit in 32 bits');
    // + 0 makes 0 of -0, which JSON would write as another number.
    return number < min || number > max ? issues.add(range) : number + 0;
  };
}

/** A plain proto3 int32 that is not negative: 0 is the default and the same as absent. */
export const plainCount: Decode<number> = (value, issues) => {
  const count = countDecoder(value, issues);
  return count === 0 ? undefined : count;
};

const countDecoder = int32(0);

/**
 * An enum by name or by number.
 *
 * @param names the names, each at the index that is its number; the first one is the "unspecified" default
 */
export function enumOf<T extends string>(names: readonly T[]): Decode<T> {
  const known: ReadonlyMap<unknown, T> = new Map(
    names.flatMap((name, number): [unknown, T][] => [
      [name, name],
      [number, name],
    ]),
  );
  const unspecified = names[0];
  return (value, issues) => {
    const name = known.get(value);
    if (name === undefined) return issues.add('has an unknown value');
    return name === unspecified ? undefined : name;
  };
}
