import {
  type AgentCard,
  decodeAgentCardSignature,
  decodeAgentProvider,
  decodePeerAgentCard,
  isRecord,
} from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import { type CardDialect, dialectOf, readInterfaces } from './card-interfaces.js';
import { readSkills } from './card-skills.js';
import { type CardSecurity, readLegacyAuthentication } from './legacy-authentication.js';
import { readSecurityRequirements } from './security-requirements.js';
import { readSecuritySchemes } from './security-schemes.js';
import { defined, itemsOf, memberOf, objectsOf, textOf, type WireObject } from './wire-member.js';

/** A card, and how it was written. */
export interface ReadAgentCard {
  /** In v1.0 form. Has no interfaces when the agent is of the kind that has none. */
  readonly card: AgentCard;
  readonly dialect: CardDialect;
}

const CAPABILITIES = ['streaming', 'pushNotifications', 'extendedAgentCard'];
// Much has a name and a version: every card has one of these as well.
const MARKS = ['supportedInterfaces', 'url', 'capabilities', 'skills'];
const NO_VERSION = '0.0.0';

/**
 * Reads an agent card of A2A 1.0 or 0.3, of the older ai4j agents, or with security as OpenAPI writes it, into the form
 * of 1.0. Members that are optional and cannot be read are left out.
 *
 * @param value as it was parsed; it is not changed
 * @throws A2AClientError `AGENT_CARD_INVALID`
 */
export function readAgentCard(value: unknown): ReadAgentCard {
  if (!isRecord(value)) throw invalid('it is not a JSON object');
  if (!MARKS.some((name) => memberOf(value, name) !== undefined)) throw invalid(`it has none of ${MARKS.join(', ')}`);
  const dialect = dialectOf(value);
  const decoded = decodePeerAgentCard(inV1Form(value, dialect));
  if (decoded.ok) return { card: decoded.value, dialect };
  throw invalid(decoded.violations.map(({ field, description }) => `${field} ${description}`).join('; '));
}

function inV1Form(card: WireObject, dialect: CardDialect): WireObject {
  const provider = decodeAgentProvider(card['provider']);
  return defined({
    name: textOf(card, 'name'),
    description: textOf(card, 'description'),
    supportedInterfaces: readInterfaces(card, dialect),
    provider: provider.ok ? provider.value : undefined,
    version: textOf(card, 'version') ?? NO_VERSION,
    documentationUrl: textOf(card, 'documentationUrl'),
    capabilities: readCapabilities(card),
    ...readSecurity(card),
    defaultInputModes: memberOf(card, 'defaultInputModes'),
    defaultOutputModes: memberOf(card, 'defaultOutputModes'),
    skills: readSkills(card),
    signatures: objectsOf(card, 'signatures').filter((signature) => decodeAgentCardSignature(signature).ok),
    iconUrl: textOf(card, 'iconUrl'),
  });
}

function readSecurity(card: WireObject): Partial<CardSecurity> {
  const securitySchemes = readSecuritySchemes(memberOf(card, 'securitySchemes'));
  const securityRequirements = readSecurityRequirements(card);
  const none = Object.keys(securitySchemes).length === 0 && securityRequirements === undefined;
  return (none ? readLegacyAuthentication(card) : undefined) ?? { securitySchemes, securityRequirements };
}

function readCapabilities(card: WireObject): WireObject {
  const { capabilities } = card;
  const extended = memberOf(card, 'supportsAuthenticatedExtendedCard') === true ? true : undefined;
  const names = new Set(itemsOf(card, 'capabilities').map(letters));
  const listed = CAPABILITIES.filter((name) => names.has(letters(name))).map((name) => [name, true]);
  const given = isRecord(capabilities) ? capabilities : Object.fromEntries(listed);
  const flags = CAPABILITIES.map((name) => [name, memberOf(given, name)]);
  return defined({
    ...Object.fromEntries(flags.filter(([, flag]) => typeof flag === 'boolean')),
    extensions: memberOf(given, 'extensions'),
    ...(extended && { extendedAgentCard: memberOf(given, 'extendedAgentCard') ?? extended }),
  });
}

// Some write push-notifications, others push_notifications.
function letters(name: unknown): string {
  return String(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

function invalid(problem: string): A2AClientError {
  return new A2AClientError('AGENT_CARD_INVALID', `The agent card cannot be read: ${problem}`);
}
