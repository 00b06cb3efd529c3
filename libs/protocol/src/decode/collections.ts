import { printable } from '../errors/printable.js';
import type { Decode } from './decoder.js';
import { isRecord } from '../is-record.js';
import type { Issues } from './issues.js';

const MAX_KEY_IN_PATH = 64;

/** A repeated field whose emptiness counts. */
export function arrayOf<T>(item: Decode<T>): Decode<T[]> {
  return (value, issues) => {
    if (!Array.isArray(value)) return issues.add('must be an array');
    const items: readonly unknown[] = value;
    const result: T[] = [];
    for (let index = 0; index < items.length && !issues.full; index++) {
      const decoded = decodeItem(item, items[index], index, issues);
      if (decoded !== undefined) result.push(decoded);
    }
    return result;
  };
}

function decodeItem<T>(item: Decode<T>, value: unknown, index: number, issues: Issues): T | undefined {
  if (value === null || value === undefined) return issues.add('must not be null', `[${index}]`);
  const before = issues.count;
  const decoded = item(value, issues);
  if (issues.count !== before) issues.nest(before, `[${index}]`);
  return decoded;
}

/** A plain repeated field: empty is the default and the same as absent. */
export function plainArrayOf<T>(item: Decode<T>): Decode<T[]> {
  const decode = arrayOf(item);
  return (value, issues) => {
    const items = decode(value, issues);
    return items?.length === 0 ? undefined : items;
  };
}

/** A repeated field that needs at least one element, save in answers of peers that do not know. */
export function filledArrayOf<T>(item: Decode<T>): Decode<T[]> {
  const decode = arrayOf(item);
  return (value, issues) => {
    const items = decode(value, issues);
    return items?.length === 0 && Array.isArray(value) && value.length === 0 && !issues.tolerant
      ? issues.add('must not be empty')
      : items;
  };
}

/** A map with string keys. */
export function mapOf<T>(item: Decode<T>): Decode<Record<string, T>> {
  return (value, issues) => {
    if (!isRecord(value)) return issues.add('must be an object');
    const result: Record<string, T> = {};
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (key === '__proto__' || member === undefined) continue;
      if (issues.full) break;
      const before = issues.count;
      const decoded = member === null ? issues.add('must not be null') : item(member, issues);
      if (issues.count !== before) issues.nest(before, printable(key, MAX_KEY_IN_PATH));
      else if (decoded !== undefined) result[key] = decoded;
    }
    return result;
  };
}
