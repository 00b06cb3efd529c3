import type { JsonValue } from 'nestjs-a2a/protocol';

/** A scenario says something that cannot be played. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

export type JsonMap = { readonly [key: string]: JsonValue };

/** An object that has no other members than these: what is misspelt must not pass for left out. */
export function objectAt(value: JsonValue | undefined, place: string, known: readonly string[]): JsonMap {
  const map = mapAt(value, place);
  const unknown = Object.keys(map).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new ScenarioError(`${place} has unknown members: ${unknown.join(', ')}`);
  return map;
}

/** An object whose members have names of the author's own. */
export function mapAt(value: JsonValue | undefined, place: string): JsonMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScenarioError(`${place} must be an object`);
  }
  return value;
}

export function listAt(value: JsonValue | undefined, place: string): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new ScenarioError(`${place} must be a list`);
  return value;
}

export function textAt(value: JsonValue | undefined, place: string): string {
  if (typeof value !== 'string') throw new ScenarioError(`${place} must be a text`);
  return value;
}

export function textsAt(value: JsonValue | undefined, place: string): readonly string[] {
  return listAt(value, place).map((entry, at) => textAt(entry, `${place}[${at}]`));
}

export function numberAt(value: JsonValue | undefined, place: string): number {
  if (typeof value !== 'number') throw new ScenarioError(`${place} must be a number`);
  return value;
}

export function flagAt(value: JsonValue | undefined, place: string): boolean {
  if (typeof value !== 'boolean') throw new ScenarioError(`${place} must be true or false`);
  return value;
}

/** Reads what is there, and leaves out what is not. */
export function optional<T>(
  value: JsonValue | undefined,
  place: string,
  read: (value: JsonValue, place: string) => T,
): T | undefined {
  return value === undefined ? undefined : read(value, place);
}

/** Each member of a map, read. */
export function mapped<T>(
  value: JsonValue | undefined,
  place: string,
  read: (value: JsonValue, place: string) => T,
): ReadonlyMap<string, T> {
  const entries = Object.entries(value === undefined ? {} : mapAt(value, place));
  return new Map(entries.map(([key, member]): [string, T] => [key, read(member, `${place}.${key}`)]));
}

/** The first of two texts that are divided by this, and the second when it is there. */
export function divided(text: string, by: string): readonly [string, string | undefined] {
  const at = text.indexOf(by);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + by.length)];
}
