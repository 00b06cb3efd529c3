/** A frozen object of names that others chose: `__proto__` is one like any other. */
export function uniqueObject<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  return Object.freeze(Object.fromEntries(entries));
}
