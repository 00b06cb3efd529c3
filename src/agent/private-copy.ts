/**
 * A copy of plain JSON that its receiver may change as it likes. Texts are shared, which costs nothing: they cannot be
 * changed.
 */
export function privateCopy<T>(value: T): T;
export function privateCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => privateCopy(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, privateCopy(item)]));
}
