import type { JsonValue, Struct } from '../types/json.js';
import type { Decode } from './decoder.js';
import { isRecord } from '../is-record.js';
import type { Issues } from './issues.js';

// As in protobuf readers. It also keeps the stack, and that of everything that walks the value later, shallow.
const MAX_DEPTH = 100;

/** Any JSON value, copied. */
export const jsonValue: Decode<JsonValue> = (value, issues) => copy(value, 0, issues);

/** A JSON object with free content, copied. */
export const struct: Decode<Struct> = (value, issues) =>
  isRecord(value) ? copyObject(value, 0, issues) : issues.add('must be an object');

function copy(value: unknown, depth: number, issues: Issues): JsonValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : issues.add('must hold finite numbers only');
  if (typeof value !== 'object') return issues.add('must be a JSON value');
  return isRecord(value) ? copyObject(value, depth, issues) : copyArray(value, depth, issues);
}

function copyObject(value: Record<string, unknown>, depth: number, issues: Issues): Struct | undefined {
  if (depth >= MAX_DEPTH) return issues.add(`must not be nested deeper than ${MAX_DEPTH} levels`);
  if (!isPlain(value)) return issues.add('must be a JSON value');
  const result: Struct = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (key === '__proto__' || member === undefined) continue;
    const copied = copy(member, depth + 1, issues);
    if (copied === undefined) return undefined;
    result[key] = copied;
  }
  return result;
}

function copyArray(value: object, depth: number, issues: Issues): JsonValue[] | undefined {
  if (depth >= MAX_DEPTH) return issues.add(`must not be nested deeper than ${MAX_DEPTH} levels`);
  if (!Array.isArray(value)) return issues.add('must be a JSON value');
  const items: readonly unknown[] = value;
  const result: JsonValue[] = [];
  for (const item of items) {
    const copied = copy(item, depth + 1, issues);
    if (copied === undefined) return undefined;
    result.push(copied);
  }
  return result;
}

/** Dates, maps and the like have no members of their own and would become `{}` in silence. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not compared with Object.prototype: objects of another realm have another one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
