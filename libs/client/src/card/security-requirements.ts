import { isRecord, type SecurityRequirement } from 'nestjs-a2a/protocol';
import { itemsOf, memberOf, type WireObject } from './wire-member.js';

/**
 * Reads what a card or a skill asks for: `securityRequirements`, or `security` as in OpenAPI and A2A 0.3, each entry as
 * `{ schemes: { name: { list } } }`, `{ schemes: [name] }` or `{ name: [scope] }`. Undefined when it says nothing.
 */
export function readSecurityRequirements(owner: WireObject): SecurityRequirement[] | undefined {
  const value = memberOf(owner, 'securityRequirements') ?? memberOf(owner, 'security');
  if (!Array.isArray(value)) return undefined;
  const entries: readonly unknown[] = value;
  return entries.filter(isRecord).map((entry) => ({ schemes: schemesOf(entry) }));
}

function schemesOf(entry: WireObject): SecurityRequirement['schemes'] {
  const { schemes } = entry;
  if (Array.isArray(schemes)) return Object.fromEntries(textsOf(schemes).map((name) => [name, { list: [] }]));
  const named = isRecord(schemes) ? schemes : entry;
  return Object.fromEntries(Object.entries(named).map(([name, scopes]) => [name, { list: scopesOf(scopes) }]));
}

function scopesOf(value: unknown): string[] {
  if (Array.isArray(value)) return textsOf(value);
  return isRecord(value) ? textsOf(itemsOf(value, 'list')) : [];
}

function textsOf(items: readonly unknown[]): string[] {
  return items.filter((item) => typeof item === 'string');
}
