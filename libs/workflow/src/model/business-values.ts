import type { JsonValue } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';

/**
 * A frozen object of JSON values.
 *
 * @publicApi
 */
export type JsonObject = Readonly<Record<string, JsonValue>>;

// Deeper than any document people make, and far from the end of the stack.
const MAX_DEPTH = 500;

/**
 * Copies of values of the host, as the engine keeps them: deep, frozen, nothing but JSON. An array inside an array stays
 * one value.
 *
 * @publicApi
 */
export const BusinessValues = {
  /**
   * @returns a deep, frozen copy
   * @throws WorkflowArgumentError when the value cannot be written as JSON: a cycle, a function, `NaN`
   */
  snapshot(value: unknown): JsonValue {
    return copy(value, '$', []);
  },

  /**
   * @param value `null` and `undefined` become an empty object
   * @throws WorkflowArgumentError when it is no object, or no JSON
   */
  map(value: object | null | undefined): JsonObject {
    const copied = value === undefined || value === null ? Object.freeze({}) : copy(value, '$', []);
    if (copied === null || typeof copied !== 'object' || Array.isArray(copied)) {
      throw new WorkflowArgumentError('A JSON object is required');
    }
    return copied;
  },

  /**
   * @param value `null` and `undefined` become an empty list
   * @throws WorkflowArgumentError when it is no list, a text for example, or no JSON
   */
  list(value: Iterable<unknown> | null | undefined): readonly JsonValue[] {
    const items = value === undefined || value === null ? [] : listOf(value, 'A list of JSON values is required');
    return Object.freeze(items.map((item, at) => copy(item, `$[${at}]`, [])));
  },
};

/**
 * The items of a list. A text is none, though it can be iterated over: its letters are hardly meant.
 *
 * @throws WorkflowArgumentError with this text when it is no list
 */
export function listOf<T>(value: Iterable<T>, text: string): T[] {
  const given: unknown = value;
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) throw new WorkflowArgumentError(text);
  return [...value];
}

function copy(value: unknown, path: string, parents: object[]): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new WorkflowArgumentError(`Not a JSON value at ${path}: ${value}`);
  }
  if (typeof value !== 'object') throw new WorkflowArgumentError(`Not a JSON value at ${path}: ${typeof value}`);
  if (parents.includes(value)) throw new WorkflowArgumentError(`Not a JSON value at ${path}: it contains itself`);
  if (parents.length >= MAX_DEPTH) throw new WorkflowArgumentError(`Not a JSON value: deeper than ${MAX_DEPTH} levels`);
  parents.push(value);
  const copied = copyInside(value, path, parents);
  parents.pop();
  return copied;
}

function copyInside(value: object, path: string, parents: object[]): JsonValue {
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), path, parents);
  if (Array.isArray(value)) {
    const list = value.map((item: unknown, at) => copy(item ?? null, `${path}[${at}]`, parents));
    Object.freeze(list);
    return list;
  }
  const copied: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    // A plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(copied, key, { value: copy(member, `${path}.${key}`, parents), enumerable: true });
  }
  Object.freeze(copied);
  return copied;
}
