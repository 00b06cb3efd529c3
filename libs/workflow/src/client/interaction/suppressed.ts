/**
 * Puts what failed during a clean-up on the error that made it necessary, as `suppressed`, a list: it must not take the
 * place of that error.
 */
export function attachSuppressed(primary: unknown, failure: unknown): void {
  if (typeof primary !== 'object' || primary === null || primary === failure || !Object.isExtensible(primary)) return;
  const before: unknown = Reflect.get(primary, 'suppressed');
  const value = [...(Array.isArray(before) ? before : []), failure];
  try {
    Object.defineProperty(primary, 'suppressed', { value, configurable: true, writable: true });
  } catch {
    // An error that cannot be written to stays as it is.
  }
}
