import {
  type A2ATransportFactory,
  httpJsonTransport,
  httpJsonV03Transport,
  jsonRpcTransport,
  jsonRpcV03Transport,
} from 'nestjs-a2a/client';
import { type AgentCard, type AgentInterface, parseProtocolVersion, PROTOCOL_VERSION } from 'nestjs-a2a/protocol';
import { WorkflowStateError } from '../../errors/workflow.error.js';
import { isBlank } from '../../model/blank.js';

/** The newest version first: an older one is used only where there is nothing else. */
const GENERATIONS: readonly (readonly A2ATransportFactory[])[] = [
  [httpJsonTransport, jsonRpcTransport],
  [httpJsonV03Transport, jsonRpcV03Transport],
];
const DEFAULT_BINDING = httpJsonTransport.binding;
const MAX_SHOWN = 16;

/** How to speak with an agent. */
export interface RuntimeInterface {
  readonly url: string;
  readonly tenant: string;
  readonly protocolVersion: string;
  readonly factory: A2ATransportFactory;
  /** False when another binding was preferred, and is not on the card. */
  readonly isPreferred: boolean;
}

/**
 * The interface to use: the first one with the preferred binding, else the first one that can be spoken.
 *
 * @throws WorkflowStateError when there is none, GRPC being none for now
 */
export function runtimeInterface(card: AgentCard, preferredProtocol: string | null): RuntimeInterface {
  for (const factories of GENERATIONS) {
    const usable = card.supportedInterfaces.flatMap((entry) => interfaceOf(entry, factories) ?? []);
    const [first] = usable;
    if (first === undefined) continue;
    if (preferredProtocol === null) return first;
    const preferred = usable.find(({ factory }) => isSame(factory.binding, preferredProtocol));
    return preferred ?? { ...first, isPreferred: false };
  }
  throw noInterface(card);
}

function interfaceOf(
  { url, tenant = '', ...entry }: AgentInterface,
  factories: readonly A2ATransportFactory[],
): RuntimeInterface | undefined {
  const protocolVersion = versionOf(entry.protocolVersion);
  const binding = isBlank(entry.protocolBinding) ? DEFAULT_BINDING : entry.protocolBinding;
  const factory = factories.find((made) => isSame(made.binding, binding) && speaks(made, protocolVersion));
  if (factory === undefined || protocolVersion === undefined || !isHttp(url)) return undefined;
  return { url, tenant, protocolVersion, factory, isPreferred: true };
}

/** A card that names no version means the one of today. */
function versionOf(text: string | undefined): string | undefined {
  const version = parseProtocolVersion(text);
  if (version === 'absent') return PROTOCOL_VERSION;
  return version === 'invalid' ? undefined : version.text;
}

/** Versions of the same major number understand each other, but for those before the first. */
function speaks({ protocolVersion: spoken = PROTOCOL_VERSION }: A2ATransportFactory, version = ''): boolean {
  return version === spoken || (!spoken.startsWith('0.') && version.split('.')[0] === spoken.split('.')[0]);
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase();
}

function noInterface({ name, supportedInterfaces }: AgentCard): WorkflowStateError {
  const offered = supportedInterfaces
    .slice(0, MAX_SHOWN)
    .map(({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`.slice(0, 64));
  return new WorkflowStateError(
    `The card of ${name} offers ${offered.join(', ')}; this runtime speaks HTTP+JSON and JSONRPC, of 1.0 and 0.3, at ` +
      'http: and https: URLs. For another binding give the client an A2ARuntime of your own',
  );
}
