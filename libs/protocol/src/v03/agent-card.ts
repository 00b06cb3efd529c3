import { parseProtocolVersion } from '../protocol-version.js';
import type { AgentCard, AgentInterface, AgentSkill } from '../types/agent-card.js';
import { present } from './present.js';
import { toV03SecurityRequirement, toV03SecurityScheme } from './security-writers.js';
import type { V03AgentCard, V03AgentSkill } from './types.js';

/** The protocol version that this translates to and from, `Major.Minor`. */
export const V03_PROTOCOL_VERSION = '0.3';

/** Does this interface speak 0.3, whatever its patch? */
export function isV03Interface({ protocolVersion }: AgentInterface): boolean {
  const version = parseProtocolVersion(protocolVersion);
  return typeof version === 'object' && version.text === V03_PROTOCOL_VERSION;
}

/**
 * A card as peers of 0.3 read it, with the interfaces that speak 0.3, the first one as the main one. Signatures are not
 * in it: they are over the card of 1.0.
 *
 * @returns nothing when no interface speaks 0.3
 */
export function toV03AgentCard(card: AgentCard): V03AgentCard | undefined {
  const interfaces = card.supportedInterfaces.filter(isV03Interface);
  const [main] = interfaces;
  if (main === undefined) return undefined;
  const { extendedAgentCard, ...capabilities } = card.capabilities;
  return present({
    protocolVersion: patched(main.protocolVersion),
    name: card.name,
    description: card.description,
    url: main.url,
    preferredTransport: main.protocolBinding,
    additionalInterfaces: interfaces.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
    provider: card.provider,
    version: card.version,
    documentationUrl: card.documentationUrl,
    iconUrl: card.iconUrl,
    capabilities,
    securitySchemes: card.securitySchemes && mapValues(card.securitySchemes, toV03SecurityScheme),
    security: card.securityRequirements?.map(toV03SecurityRequirement),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(toV03Skill),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
  });
}

function toV03Skill({ securityRequirements, ...skill }: AgentSkill): V03AgentSkill {
  return present({ ...skill, security: securityRequirements?.map(toV03SecurityRequirement) });
}

// Its readers compare with three numbers.
function patched(version: string): string {
  return version === V03_PROTOCOL_VERSION ? `${version}.0` : version;
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
