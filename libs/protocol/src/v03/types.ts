import type { JsonValue, Struct } from '../types/json.js';
import type { AgentCapabilities, AgentCardSignature, AgentProvider, AgentSkill } from '../types/agent-card.js';

/** A state as A2A 0.3 spells it. */
export type V03TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'auth-required'
  | 'unknown';

/** A file of A2A 0.3: its bytes in base64, or where it is. */
export interface V03File {
  bytes?: string;
  uri?: string;
  mimeType?: string;
  name?: string;
}

/** A part of A2A 0.3. */
export type V03Part =
  | { kind: 'text'; text: string; metadata?: Struct }
  | { kind: 'file'; file: V03File; metadata?: Struct }
  | { kind: 'data'; data: JsonValue; metadata?: Struct };

/** A message of A2A 0.3. */
export interface V03Message {
  kind: 'message';
  messageId: string;
  role: 'user' | 'agent';
  parts: V03Part[];
  contextId?: string;
  taskId?: string;
  referenceTaskIds?: string[];
  extensions?: string[];
  metadata?: Struct;
}

/** A status of A2A 0.3. */
export interface V03TaskStatus {
  state: V03TaskState;
  message?: V03Message;
  timestamp?: string;
}

/** An artifact of A2A 0.3. */
export interface V03Artifact {
  artifactId: string;
  parts: V03Part[];
  name?: string;
  description?: string;
  extensions?: string[];
  metadata?: Struct;
}

/** A task of A2A 0.3. */
export interface V03Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: V03TaskStatus;
  artifacts?: V03Artifact[];
  history?: V03Message[];
  metadata?: Struct;
}

/** A change of status of A2A 0.3. */
export interface V03TaskStatusUpdateEvent {
  kind: 'status-update';
  taskId: string;
  contextId: string;
  status: V03TaskStatus;
  /** `true`: nothing comes after it on this stream. */
  final: boolean;
  metadata?: Struct;
}

/** An artifact, or more of one, of A2A 0.3. */
export interface V03TaskArtifactUpdateEvent {
  kind: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: V03Artifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: Struct;
}

/** What a frame of a stream of A2A 0.3 holds. */
export type V03StreamEvent = V03Task | V03Message | V03TaskStatusUpdateEvent | V03TaskArtifactUpdateEvent;

/** Where A2A 0.3 posts updates to. */
export interface V03PushNotificationConfig {
  id?: string;
  url: string;
  token?: string;
  authentication?: { schemes: string[]; credentials?: string };
}

/** A push configuration of one task of A2A 0.3. */
export interface V03TaskPushNotificationConfig {
  taskId: string;
  pushNotificationConfig: V03PushNotificationConfig;
}

/** How A2A 0.3 wants a message handled. */
export interface V03MessageSendConfiguration {
  acceptedOutputModes?: string[];
  historyLength?: number;
  pushNotificationConfig?: V03PushNotificationConfig;
  blocking?: boolean;
}

/** Params of `message/send` and `message/stream`. */
export interface V03MessageSendParams {
  message: V03Message;
  configuration?: V03MessageSendConfiguration;
  metadata?: Struct;
}

/** Schemes that are all needed, with their scopes; as OpenAPI has it. */
export type V03SecurityRequirement = Record<string, string[]>;

/** A scheme as OpenAPI has it. */
export interface V03SecurityScheme {
  type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  description?: string;
  [member: string]: unknown;
}

/** A skill of A2A 0.3. */
export interface V03AgentSkill extends Omit<AgentSkill, 'securityRequirements'> {
  security?: V03SecurityRequirement[];
}

/** A card of A2A 0.3. */
export interface V03AgentCard {
  protocolVersion: string;
  name: string;
  description: string;
  url: string;
  preferredTransport: string;
  additionalInterfaces?: { url: string; transport: string }[];
  provider?: AgentProvider;
  version: string;
  documentationUrl?: string;
  iconUrl?: string;
  capabilities: Omit<AgentCapabilities, 'extendedAgentCard'>;
  securitySchemes?: Record<string, V03SecurityScheme>;
  security?: V03SecurityRequirement[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: V03AgentSkill[];
  supportsAuthenticatedExtendedCard?: boolean;
  signatures?: AgentCardSignature[];
}
