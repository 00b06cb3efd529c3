import type { JsonValue } from 'nestjs-a2a/protocol';

/** A plain value as JSON sees it: members that are undefined fall away, as they do in JSON.stringify. */
export function toJsonValue(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object') return null;
  const result: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) result[key] = toJsonValue(member);
  }
  return result;
}
