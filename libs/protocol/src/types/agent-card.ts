import type { Struct } from './json.js';
import type { SecurityRequirement, SecurityScheme } from './security.js';

/**
 * An address the agent is reached at.
 *
 * @see A2A 1.0, section 4.4.6
 */
export interface AgentInterface {
  /** Absolute URL; `host:port` for gRPC. */
  url: string;
  /** `JSONRPC`, `GRPC`, `HTTP+JSON`, or the URI of another binding. */
  protocolBinding: string;
  /** Clients copy this into each request; absent = they leave it out. */
  tenant?: string;
  /** `Major.Minor`, e.g. `1.0`. */
  protocolVersion: string;
}

/**
 * Who offers the agent.
 *
 * @see A2A 1.0, section 4.4.2
 */
export interface AgentProvider {
  /** Web site. */
  url: string;
  /** Name. */
  organization: string;
}

/**
 * A protocol extension the agent knows.
 *
 * @see A2A 1.0, section 4.4.4
 */
export interface AgentExtension {
  /** What identifies the extension. */
  uri: string;
  /** How the agent uses it. */
  description?: string;
  /** `true`: only clients that know it may call. */
  required?: boolean;
  /** The extension's own settings. */
  params?: Struct;
}

/**
 * What of the optional parts of the protocol the agent can do.
 *
 * @see A2A 1.0, section 4.4.3
 */
export interface AgentCapabilities {
  /** Streams. */
  streaming?: boolean;
  /** Push notifications. */
  pushNotifications?: boolean;
  /** Extensions. */
  extensions?: AgentExtension[];
  /** A card with more in it for authenticated callers. */
  extendedAgentCard?: boolean;
}

/**
 * Something the agent can do.
 *
 * @see A2A 1.0, section 4.4.5
 */
export interface AgentSkill {
  /** Unique in the card. */
  id: string;
  /** Name for people. */
  name: string;
  /** What it does. */
  description: string;
  /** Keywords. */
  tags: string[];
  /** Example prompts. */
  examples?: string[];
  /** Media types it reads, instead of the card's. */
  inputModes?: string[];
  /** Media types it writes, instead of the card's. */
  outputModes?: string[];
  /** What it takes to use it, instead of the card's. */
  securityRequirements?: SecurityRequirement[];
}

/**
 * A JWS over the card.
 *
 * @see A2A 1.0, section 4.4.7
 */
export interface AgentCardSignature {
  /** Protected JWS header, base64url of its JSON. */
  protected: string;
  /** Signature, base64url. */
  signature: string;
  /** Unprotected JWS header. */
  header?: Struct;
}

/**
 * What an agent says about itself.
 *
 * @see A2A 1.0, section 4.4.1
 */
export interface AgentCard {
  /** Name for people. */
  name: string;
  /** What the agent is for. */
  description: string;
  /** Where it is reached, the preferred one first. */
  supportedInterfaces: AgentInterface[];
  /** Who offers it. */
  provider?: AgentProvider;
  /** The agent's own version. */
  version: string;
  /** Documentation for people. */
  documentationUrl?: string;
  /** What it can do of the optional parts of the protocol. */
  capabilities: AgentCapabilities;
  /** Ways to authenticate, by name. */
  securitySchemes?: Record<string, SecurityScheme>;
  /** What it takes to call the agent: one entry of these. */
  securityRequirements?: SecurityRequirement[];
  /** Media types it reads. */
  defaultInputModes: string[];
  /** Media types it writes. */
  defaultOutputModes: string[];
  /** What it can do. */
  skills: AgentSkill[];
  /** Signatures over this card. */
  signatures?: AgentCardSignature[];
  /** A picture. */
  iconUrl?: string;
}
