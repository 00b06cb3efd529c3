import { camelCased, isAbsent, isFields, readRequiredText } from './card-fields.js';
import type { CardFindings } from './card-findings.js';
import { warnOfUnknownKeys } from './card-unknown-keys.js';
import type { CardWiring } from './card-wiring.js';

const FLAGS = ['streaming', 'pushNotifications', 'extendedAgentCard'] as const;
const CAPABILITY_KEYS = [...FLAGS, 'extensions'];

const MISSING: Record<keyof CardWiring, string> = {
  streaming: 'no route that streams is served',
  pushNotifications: 'push notifications are not set up',
  extendedAgentCard: 'neither an AgentCardProvider with getExtendedCard() nor a SkillSource is there',
};

/** The capabilities of a card, each flag said outright. */
export interface DerivedCapabilities extends CardWiring {
  readonly extensions: unknown;
}

function readExtensions(findings: CardFindings, value: unknown): unknown {
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value)) {
    findings.fault('capabilities.extensions', 'must be an array of extensions');
    return undefined;
  }
  const seen = new Set<string>();
  value.forEach((extension: unknown, index) => {
    const path = `capabilities.extensions[${index}]`;
    if (!isFields(extension)) {
      findings.fault(path, 'must be an object');
      return;
    }
    // Clients ask for an extension by its URI, so one without it could never be used.
    const uri = readRequiredText(findings, `${path}.uri`, extension['uri']);
    if (uri !== '' && seen.has(uri)) findings.fault(`${path}.uri`, `${JSON.stringify(uri)} is declared twice`);
    seen.add(uri);
  });
  return value;
}

/** What the card may claim: what it says, as long as it is true; what it leaves open, as it is wired. */
export function readCapabilities(findings: CardFindings, value: unknown, wiring: CardWiring): DerivedCapabilities {
  if (!isAbsent(value) && !isFields(value)) findings.fault('capabilities', 'must be an object');
  const { stateTransitionHistory, ...said } = isFields(value) ? camelCased(value) : {};
  if (stateTransitionHistory !== undefined) {
    findings.ignored('capabilities.stateTransitionHistory', 'protocol 1.0 has no such capability');
  }
  warnOfUnknownKeys(findings, 'capabilities', said, CAPABILITY_KEYS);
  const flag = (name: keyof CardWiring): boolean => {
    const claim = said[name];
    const path = `capabilities.${name}`;
    if (isAbsent(claim)) return wiring[name];
    if (typeof claim !== 'boolean') findings.fault(path, 'must be true or false');
    else if (claim && !wiring[name]) findings.fault(path, `says true, but ${MISSING[name]}`);
    return claim === true;
  };
  const [streaming, pushNotifications, extendedAgentCard] = [flag(FLAGS[0]), flag(FLAGS[1]), flag(FLAGS[2])];
  return { streaming, pushNotifications, extendedAgentCard, extensions: readExtensions(findings, said['extensions']) };
}
