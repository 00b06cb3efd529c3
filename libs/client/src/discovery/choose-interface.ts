import {
  type AgentCard,
  type AgentInterface,
  parseProtocolVersion,
  PROTOCOL_VERSION,
  V03_PROTOCOL_VERSION,
} from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';

/** A binding in one version of the protocol. */
export interface SpokenProtocol {
  /** E.g. `JSONRPC`; letter case does not count. */
  readonly binding: string;
  /** `Major.Minor`. Default: 1.0. */
  readonly protocolVersion?: string;
}

/** Which interface of a card is taken; an older version only where there is nothing to use of a newer one. */
export interface InterfaceChoice {
  /** What can be spoken. Default: JSONRPC and HTTP+JSON, of 1.0 and 0.3. */
  readonly spoken?: readonly SpokenProtocol[];
  /** This binding is taken where the card has it; else the card's order counts. */
  readonly preferredProtocol?: string;
  /** Only these bindings, in this order; the card's order no longer counts. */
  readonly protocols?: readonly string[];
}

const HTTP_BINDINGS = ['JSONRPC', 'HTTP+JSON'];
const SPOKEN: readonly SpokenProtocol[] = [PROTOCOL_VERSION, V03_PROTOCOL_VERSION].flatMap((protocolVersion) =>
  HTTP_BINDINGS.map((binding) => ({ binding, protocolVersion })),
);
const MOST_SHOWN = 16;
const MOST_SHOWN_CHARACTERS = 64;

/** The interface to use; undefined when the card has none that can be spoken. */
export function chooseInterface(card: AgentCard, choice: InterfaceChoice = {}): AgentInterface | undefined {
  const { spoken = SPOKEN } = choice;
  const versions = [...new Set(spoken.map(versionOf))].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return versions
    .map((version) => chooseFrom(card, { ...choice, spoken: spoken.filter((entry) => versionOf(entry) === version) }))
    .find((entry) => entry !== undefined);
}

function chooseFrom(card: AgentCard, { spoken = [], preferredProtocol, protocols }: InterfaceChoice) {
  const usable = card.supportedInterfaces.filter((entry) => isSpoken(entry, spoken));
  const first = (binding: string): AgentInterface | undefined => usable.find((entry) => isBinding(entry, binding));
  if (protocols) return protocols.map(first).find((entry) => entry !== undefined);
  return (preferredProtocol === undefined ? undefined : first(preferredProtocol)) ?? usable[0];
}

/** The error of a card that offers nothing to use: what it offers, what is spoken here, and what would help. */
export function noUsableInterface(card: AgentCard, choice: InterfaceChoice = {}): A2AClientError {
  const offers = card.supportedInterfaces.slice(0, MOST_SHOWN).map(shown);
  const { spoken = SPOKEN, protocols } = choice;
  const wanted = protocols?.flatMap((name) => spoken.filter(({ binding }) => isSame(binding, name))) ?? spoken;
  const names = wanted.map((entry) => `${entry.binding} ${versionOf(entry)}`);
  return new A2AClientError(
    'NO_USABLE_INTERFACE',
    `The agent offers ${offers.join(', ') || 'no interface'}, and this client speaks ${names.join(', ') || 'nothing'}. ` +
      remedyFor(card, choice),
  );
}

function shown(entry: AgentInterface): string {
  const offer = `${entry.protocolBinding} ${entry.protocolVersion}`.slice(0, MOST_SHOWN_CHARACTERS);
  return hasUsableUrl(entry) ? offer : `${offer} at ${addressOf(entry)}`;
}

// The scheme alone: the rest may hold a key, and is not what is wrong.
function addressOf({ url }: AgentInterface): string {
  return URL.canParse(url) ? `a URL of ${new URL(url).protocol}` : 'something that is no absolute URL';
}

function remedyFor({ supportedInterfaces }: AgentCard, { spoken = SPOKEN, protocols }: InterfaceChoice): string {
  const withheld = protocols && supportedInterfaces.find((entry) => isSpoken(entry, spoken));
  if (withheld) return `Add '${withheld.protocolBinding}' to the option 'protocols'`;
  if (supportedInterfaces.some((entry) => !hasUsableUrl(entry))) {
    return "The card must name absolute URLs of http: or https:; one that you have mended can be given in place of the agent's URL";
  }
  return "What it speaks can be added with the option 'transports'";
}

/** Is this the protocol of an interface? A patch number plays no part. */
export function speaks(spoken: SpokenProtocol, entry: AgentInterface): boolean {
  const version = parseProtocolVersion(entry.protocolVersion);
  return typeof version === 'object' && version.text === versionOf(spoken) && isBinding(entry, spoken.binding);
}

function isSpoken(entry: AgentInterface, spoken: readonly SpokenProtocol[]): boolean {
  return spoken.some((protocol) => speaks(protocol, entry)) && hasUsableUrl(entry);
}

function versionOf({ protocolVersion = PROTOCOL_VERSION }: SpokenProtocol): string {
  return protocolVersion;
}

function isBinding({ protocolBinding }: AgentInterface, binding: string): boolean {
  return isSame(protocolBinding, binding);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

// A binding of somebody's own may write addresses in a form of its own, as gRPC does.
function hasUsableUrl({ url, protocolBinding }: AgentInterface): boolean {
  const isHttp = HTTP_BINDINGS.some((binding) => binding === protocolBinding.toUpperCase());
  return !isHttp || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
}
