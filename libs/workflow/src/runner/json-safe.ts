/**
 * The members of an object as plain JSON: what has no JSON form becomes text, and what contains itself is cut there.
 * Signals are left out, since they say nothing to who reads an event.
 */
export function jsonSafeMembers(value: object): Readonly<Record<string, unknown>> {
  return membersOf(value, new Set([value]));
}

function membersOf(value: object, parents: Set<object>): Record<string, unknown> {
  const members = Object.entries(value).filter(
    ([, member]) => member !== undefined && !(member instanceof AbortSignal),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, safe(member, parents)]));
}

function safe(value: unknown, parents: Set<object>): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object') return String(value);
  if (parents.has(value)) return '[circular]';
  parents.add(value);
  try {
    if ('toJSON' in value && typeof value.toJSON === 'function') return safe(value.toJSON(), parents);
    if (Array.isArray(value)) return value.map((item: unknown) => safe(item ?? null, parents));
    return value instanceof Error ? value.name : membersOf(value, parents);
  } finally {
    parents.delete(value);
  }
}
