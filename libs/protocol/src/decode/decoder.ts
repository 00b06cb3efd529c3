import type { FieldViolation } from '../types/violation.js';
import { Issues } from './issues.js';

/**
 * Reads a value that is there. Undefined stands for "reported as faulty", or for a default that counts as absent.
 */
export type Decode<T> = (value: unknown, issues: Issues) => T | undefined;

/** The type a decoder yields. */
export type Infer<D> = D extends Decode<infer T> ? T : never;

/** What a decoder makes of a value: a fresh object in wire form, or what is wrong. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; violations: FieldViolation[] };

/** A decoder as the world sees it. */
export type Decoder<T> = (value: unknown) => Decoded<T>;

function run<T>(decode: Decode<T>, value: unknown, issues: Issues): Decoded<T> {
  const result = decode(value, issues);
  if (issues.count > 0) return { ok: false, violations: issues.violations };
  if (result === undefined) return { ok: false, violations: [{ field: '', description: 'is required' }] };
  return { ok: true, value: result };
}

/** For what callers send: the text is taken at its word. */
export function strict<T>(decode: Decode<T>): Decoder<T> {
  return (value) => run(decode, value, new Issues(false));
}

/** For what peers answer: a required list may be empty or absent. */
export function tolerant<T>(decode: Decode<T>): Decoder<T> {
  return (value) => run(decode, value, new Issues(true));
}
