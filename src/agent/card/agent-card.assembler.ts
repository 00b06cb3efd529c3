import type { AgentCard, AgentInterface } from 'nestjs-a2a/protocol';
import type { AgentCardTemplate } from './agent-card-template.js';

/**
 * An address the agent is really served at.
 *
 * @publicApi
 */
export interface MountedInterface {
  /** Absolute URL; `host:port` for gRPC. */
  readonly url: string;
  readonly protocolBinding: string;
  readonly protocolVersion: '1.0';
  /** What clients must copy into each request. */
  readonly tenant?: string;
}

function toInterface({
  url,
  protocolBinding,
  tenant,
  protocolVersion,
}: MountedInterface | AgentInterface): AgentInterface {
  const address = { url, protocolBinding, protocolVersion };
  return tenant === undefined || tenant === '' ? address : { ...address, tenant };
}

/**
 * The finished card: the template with the mounted interfaces, the preferred one first, and custom ones behind them.
 *
 * @publicApi
 */
export function assembleAgentCard(template: AgentCardTemplate, mounted: readonly MountedInterface[]): AgentCard {
  const { customInterfaces, skillInputSchemas: _older, name, description, ...rest } = template;
  const supportedInterfaces = [...mounted, ...customInterfaces].map(toInterface);
  return { name, description, supportedInterfaces, ...rest };
}
