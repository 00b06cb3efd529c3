import { isDeepStrictEqual } from 'node:util';

/** A part of an expectation that was altered. */
export interface Altered<T> {
  readonly what: string;
  readonly value: T;
}

/**
 * A list with one entry altered, left out, twice, or more than there were, and with two neighbours changed over.
 *
 * @param alter what else an entry might be
 * @param more an entry that was not in the list
 * @param isOrdered whether it counts which of two neighbours comes first
 */
export function* changedLists<T>(
  list: readonly T[],
  alter: (entry: T) => readonly T[],
  more: T,
  isOrdered: (a: T, b: T, at: number) => boolean,
): Generator<Altered<T[]>> {
  yield { what: 'has one more', value: [...list, more] };
  for (const [at, entry] of list.entries()) {
    const name = `${at + 1} (${JSON.stringify(entry)})`;
    for (const other of alter(entry)) yield { what: `${name} altered`, value: list.with(at, other) };
    yield { what: `${name} left out`, value: list.toSpliced(at, 1) };
    yield { what: `${name} twice`, value: list.toSpliced(at, 0, entry) };
    const next = list[at + 1];
    if (next === undefined || isDeepStrictEqual(entry, next) || !isOrdered(entry, next, at)) continue;
    yield { what: `${name} after the next`, value: list.toSpliced(at, 2, next, entry) };
  }
}
