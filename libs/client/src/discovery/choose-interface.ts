import { type AgentCard, type AgentInterface, parseProtocolVersion, PROTOCOL_VERSION } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';

/** Which interface of a card is taken. */
export interface InterfaceChoice {
  /** Bindings that can be spoken, e.g. `JSONRPC`; letter case does not count. Default: JSONRPC and HTTP+JSON. */
  readonly bindings?: readonly string[];
  /** This binding is taken where the card has it; else the card's order counts. */
  readonly preferredProtocol?: string;
  /** Only these bindings, in this order; the card's order no longer counts. */
  readonly protocols?: readonly string[];
}

const BINDINGS = ['JSONRPC', 'HTTP+JSON'];

/** The interface to use; undefined when the card has none that can be spoken. */
export function chooseInterface(card: AgentCard, choice: InterfaceChoice = {}): AgentInterface | undefined {
  const { bindings = BINDINGS, preferredProtocol, protocols } = choice;
  const usable = card.supportedInterfaces.filter((entry) => isSpoken(entry, bindings));
  const first = (binding: string): AgentInterface | undefined => usable.find((entry) => isBinding(entry, binding));
  if (protocols) return protocols.map(first).find((entry) => entry !== undefined);
  return (preferredProtocol === undefined ? undefined : first(preferredProtocol)) ?? usable[0];
}

/** @throws A2AClientError `NO_USABLE_INTERFACE` */
export function noUsableInterface(card: AgentCard, choice: InterfaceChoice = {}): A2AClientError {
  const offered = card.supportedInterfaces
    .slice(0, 16)
    .map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`.slice(0, 64));
  const spoken = (choice.protocols ?? choice.bindings ?? BINDINGS).map((binding) => `${binding} ${PROTOCOL_VERSION}`);
  return new A2AClientError(
    'NO_USABLE_INTERFACE',
    `The agent offers ${offered.join(', ') || 'no interface'}, and this client speaks ${spoken.join(', ')}`,
  );
}

function isSpoken(entry: AgentInterface, bindings: readonly string[]): boolean {
  const version = parseProtocolVersion(entry.protocolVersion);
  return (
    typeof version === 'object' &&
    version.text === PROTOCOL_VERSION &&
    bindings.some((binding) => isBinding(entry, binding)) &&
    hasUsableUrl(entry)
  );
}

function isBinding({ protocolBinding }: AgentInterface, binding: string): boolean {
  return protocolBinding.toLowerCase() === binding.toLowerCase();
}

// A binding of somebody's own may write addresses in a form of its own, as gRPC does.
function hasUsableUrl({ url, protocolBinding }: AgentInterface): boolean {
  const isHttp = BINDINGS.some((binding) => binding === protocolBinding.toUpperCase());
  return !isHttp || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
}
