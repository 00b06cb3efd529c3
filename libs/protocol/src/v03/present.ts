/** A fresh object without the members that have no value. */
export function present<T extends object>(fresh: T): T {
  for (const key of Object.keys(fresh)) {
    if (Reflect.get(fresh, key) === undefined) Reflect.deleteProperty(fresh, key);
  }
  return fresh;
}
