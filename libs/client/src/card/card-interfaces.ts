import { defined, memberOf, objectsOf, textOf, type WireObject } from './wire-member.js';

/** What was usual before cards had a list of interfaces. */
const LEGACY_BINDING = 'JSONRPC';
const LEGACY_VERSION = '0.3';

/**
 * Whose way of writing a card is in.
 *
 * - `1.0`: it has `supportedInterfaces`
 * - `0.3`: it has one main `url`, and perhaps others
 * - `ai4j`: it has neither, or is of the kind that is called at `/tasks/send`
 */
export type CardDialect = '1.0' | '0.3' | 'ai4j';

/** What only cards of that kind have, besides interfaces. */
const AI4J_MARKS = ['agentUri', 'endpoints', 'protocol'];
const V0_3_MARKS = ['preferredTransport', 'additionalInterfaces', 'supportsAuthenticatedExtendedCard'];

/** Tells by its members how a card is written. */
export function dialectOf(card: WireObject): CardDialect {
  if (objectsOf(card, 'supportedInterfaces').length > 0) return '1.0';
  const has = (name: string): boolean => memberOf(card, name) !== undefined;
  if (V0_3_MARKS.some(has) || /^0\.\d/.test(textOf(card, 'protocolVersion') ?? '')) return '0.3';
  if (AI4J_MARKS.some(has) || Array.isArray(card['capabilities'])) return 'ai4j';
  return has('url') ? '0.3' : 'ai4j';
}

/** The interfaces of a card, in v1.0 form, the preferred one first. */
export function readInterfaces(card: WireObject, dialect: CardDialect): WireObject[] {
  if (dialect === 'ai4j') return [];
  // An interface that names no version is one of the time before they did.
  if (dialect === '1.0') return objectsOf(card, 'supportedInterfaces').map(withVersion).filter(isComplete);
  const protocolVersion = textOf(card, 'protocolVersion');
  const main = { url: textOf(card, 'url'), transport: textOf(card, 'preferredTransport') ?? LEGACY_BINDING };
  const all = [main, ...objectsOf(card, 'additionalInterfaces')].map(({ url, transport }) =>
    withVersion({ url, protocolBinding: transport, protocolVersion }),
  );
  const key = ({ url, protocolBinding }: WireObject): string => `${String(protocolBinding)} ${String(url)}`;
  // The list repeats the main one.
  return [...new Map(all.filter(isComplete).map((entry) => [key(entry), entry])).values()];
}

function withVersion(entry: WireObject): WireObject {
  return defined({
    url: textOf(entry, 'url'),
    protocolBinding: textOf(entry, 'protocolBinding'),
    tenant: textOf(entry, 'tenant'),
    protocolVersion: textOf(entry, 'protocolVersion') ?? LEGACY_VERSION,
  });
}

// One entry that cannot be used is no reason to give up on the others.
function isComplete({ url, protocolBinding }: WireObject): boolean {
  return url !== undefined && protocolBinding !== undefined;
}
