import { isRecord } from '../is-record.js';
import type { AgentCard } from '../types/agent-card.js';
import { canonicalJson } from './canonical-json.js';
import { AGENT_CARD_SHAPE, type FieldShape, type MessageShape } from './card-shape.js';

/**
 * What of a card is signed:
 *
 * - `spec`: by the specification; required fields always, optional ones that were set, others unless at their default
 * - `sdk`: as the official JavaScript and Python SDKs do it; no empty text, list or object anywhere
 * - `sdk-ascii`: the same with everything beyond ASCII escaped, as Python writes it
 *
 * In the two `sdk` forms an empty value is as good as none: a requirement without scopes may be added or taken away
 * and the signature still holds. That goes for every signature over a card without empty values, as it is then the same
 * in all forms: who wants none added takes `spec` only.
 */
export type AgentCardForm = 'spec' | 'sdk' | 'sdk-ascii';

/** All of them, the strictest first. */
export const AGENT_CARD_FORMS: readonly AgentCardForm[] = ['spec', 'sdk', 'sdk-ascii'];

/**
 * The text that a signature of the card is made over: without its signatures and unknown fields, as canonical JSON.
 *
 * @param form default `spec`
 * @throws TypeError when the card holds what is no JSON, or text that is no Unicode
 * @see A2A 1.0, section 8.4.1, and RFC 8785
 */
export function canonicalAgentCard(card: Partial<AgentCard>, form: AgentCardForm = 'spec'): string {
  const present = presentFields(card, AGENT_CARD_SHAPE);
  if (form === 'spec') return canonicalJson(present);
  const text = canonicalJson(withoutEmpty(present) ?? {});
  return form === 'sdk' ? text : escaped(text);
}

function presentFields(message: object, shape: MessageShape): Record<string, unknown> {
  const given = new Map<string, unknown>(Object.entries(message));
  const present: [string, unknown][] = [];
  for (const [name, field] of Object.entries(shape)) {
    const value = given.get(name);
    if (value === undefined || value === null) continue;
    const canonical = presentValue(value, field);
    if (field.presence !== 'implicit' || !isDefault(canonical)) present.push([name, canonical]);
  }
  return Object.fromEntries(present);
}

function presentValue(value: unknown, { message, holds }: FieldShape): unknown {
  if (message === undefined) return value;
  if (holds === 'list' && Array.isArray(value)) {
    return value.map((item: unknown) => (isRecord(item) ? presentFields(item, message) : item));
  }
  if (!isRecord(value)) return value;
  if (holds !== 'map') return presentFields(value, message);
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, isRecord(item) ? presentFields(item, message) : item]));
}

function isDefault(value: unknown): boolean {
  return value === false || value === 0 || isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The value without empty members; undefined when nothing is left of it. */
function withoutEmpty(value: unknown): unknown {
  let filled = value;
  if (Array.isArray(value)) filled = value.map(withoutEmpty).filter((item) => item !== undefined);
  else if (isRecord(value)) {
    const members = Object.entries(value).map(([key, member]): [string, unknown] => [key, withoutEmpty(member)]);
    filled = Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }
  return isEmpty(filled) ? undefined : filled;
}

function escaped(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
