import { decodeAgentCard } from 'nestjs-a2a/protocol';
import type { AgentCardInput } from './agent-card-input.js';
import type { AgentCardTemplate } from './agent-card-template.js';
import { AgentCardError } from './agent-card.error.js';
import { readCapabilities } from './card-capabilities.js';
import { camelCased, type Fields, isFields, readRequiredText, readText } from './card-fields.js';
import { CardFindings } from './card-findings.js';
import { readCustomInterfaces } from './card-interfaces.js';
import { checkRequirements, type DeclaredScheme, withCheckedSchemes } from './card-security.js';
import { inputSchemasOf, readSkills } from './card-skills.js';
import { warnOfUnknownKeys } from './card-unknown-keys.js';
import type { CardWiring } from './card-wiring.js';
import { readMediaTypes } from './media-type-list.js';

const DEFAULT_MODES = ['text/plain'];

const CARD_KEYS = [
  'name',
  'description',
  'supportedInterfaces',
  'provider',
  'version',
  'documentationUrl',
  'capabilities',
  'securitySchemes',
  'securityRequirements',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
  'iconUrl',
];

/** Fields of protocol 0.3, and what stands in their place. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['url', 'addresses are derived from what is mounted'],
  ['preferredTransport', 'addresses are derived from what is mounted'],
  ['additionalInterfaces', 'addresses are derived from what is mounted'],
  ['protocolVersion', 'versions are derived from what is mounted'],
  ['security', 'protocol 1.0 has securityRequirements'],
  ['supportsAuthenticatedExtendedCard', 'capabilities.extendedAgentCard is derived from what is wired'],
  ['signatures', 'a signature holds for the finished card only'],
]);

/** Satisfies the decoder's demand for an address; it never gets into a card. */
const PLACEHOLDER = { url: 'https://localhost', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };

/**
 * Checks a card and fills in what it leaves open.
 *
 * @param wiring what is really there; a card that claims more is refused
 * @param schemes those that are checked, and so told; `later` while they are not known
 * @returns the card without addresses, and what its author should be told
 * @throws AgentCardError that names every fault
 * @publicApi
 */
export function normaliseAgentCard(
  input: AgentCardInput,
  wiring: CardWiring,
  schemes: readonly DeclaredScheme[] | 'later' = [],
): { card: AgentCardTemplate; warnings: string[] } {
  if (!isFields(input)) throw new AgentCardError([{ path: '', description: 'must be an object' }]);
  const findings = new CardFindings();
  const given = camelCased(input);
  const known: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    const reason = REPLACED.get(key);
    if (reason === undefined) known.push([key, value]);
    else if (value !== undefined) findings.ignored(key, reason);
  }
  const own: Fields = Object.fromEntries(known);
  warnOfUnknownKeys(findings, '', own, CARD_KEYS);
  const card = schemes === 'later' ? own : withCheckedSchemes(findings, own, schemes);

  const name = readRequiredText(findings, 'name', card['name']);
  const description = readText(findings, 'description', card['description'], '');
  const schemesOfCard = isFields(card['securitySchemes']) ? card['securitySchemes'] : {};
  const declared = schemes === 'later' ? undefined : schemesOfCard;
  checkRequirements(findings, 'securityRequirements', card['securityRequirements'], declared);
  const capabilities = readCapabilities(findings, card['capabilities'], wiring);
  const customInterfaces = readCustomInterfaces(findings, card['supportedInterfaces']);
  const assembled = {
    ...card,
    name,
    description,
    supportedInterfaces: [PLACEHOLDER],
    version: readText(findings, 'version', card['version'], '') || '1.0.0',
    capabilities,
    defaultInputModes: readMediaTypes(findings, 'defaultInputModes', card['defaultInputModes']) ?? DEFAULT_MODES,
    defaultOutputModes: readMediaTypes(findings, 'defaultOutputModes', card['defaultOutputModes']) ?? DEFAULT_MODES,
    skills: readSkills(findings, card, name, description, declared),
  };

  const decoded = decodeAgentCard(assembled);
  if (!decoded.ok) {
    // What was found above is told in plainer words; the decoder's word counts for the rest.
    const told = findings.faults.map((fault) => fault.path);
    // A skill made of the card has the card's faults, which are told already.
    const ownSkills = Array.isArray(card['skills']) && card['skills'].length > 0;
    for (const { field, description: problem } of decoded.violations) {
      if (!ownSkills && field.startsWith('skills[') && told.length > 0) continue;
      if (!told.some((path) => covers(path, field))) findings.fault(field, problem);
    }
  }
  if (!decoded.ok || findings.faults.length > 0) throw new AgentCardError(findings.faults);
  const { supportedInterfaces: _placeholder, signatures: _none, ...checked } = decoded.value;
  const { streaming, pushNotifications, extendedAgentCard } = capabilities;
  const skillInputSchemas = inputSchemasOf(assembled.skills);
  return {
    card: {
      ...checked,
      capabilities: { ...checked.capabilities, streaming, pushNotifications, extendedAgentCard },
      customInterfaces,
      ...(skillInputSchemas && { skillInputSchemas }),
    },
    warnings: findings.warnings,
  };
}

/** Is the field the one of the path, or inside it, or around it? */
function covers(path: string, field: string): boolean {
  const within = (outer: string, inner: string): boolean =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  return within(path, field) || within(field, path);
}
