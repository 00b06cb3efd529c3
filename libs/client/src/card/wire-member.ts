import { isRecord } from 'nestjs-a2a/protocol';

/** A JSON object as it came. */
export type WireObject = Readonly<Record<string, unknown>>;

/** A member by its JSON name or by the name in the proto file; null is none. */
export function memberOf(object: WireObject, name: string): unknown {
  const value = object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  return value ?? undefined;
}

/** A member that is text and not empty. */
export function textOf(object: WireObject, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The items of a member that is a list; none when it is no list. */
export function itemsOf(object: WireObject, name: string): readonly unknown[] {
  const value = memberOf(object, name);
  return Array.isArray(value) ? value : [];
}

/** Those items that are objects. */
export function objectsOf(object: WireObject, name: string): readonly WireObject[] {
  return itemsOf(object, name).filter(isRecord);
}

/** Members that have a value. */
export function defined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
