import { arrayOf, filledArrayOf, mapOf, plainArrayOf } from './collections.js';
import { struct } from './json-value.js';
import { defaulted, message, optional, required } from './message-decoder.js';
import { anyString, boolean, plainString } from './scalars.js';
import { securityRequirement, securityScheme } from './security-decoders.js';

// Published examples, and every writer that leaves out defaults, have cards with an empty description and no skills or
// modes. So these need not be there; the result always has them.
const text = defaulted(anyString, () => '');
const texts = defaulted(arrayOf(anyString), () => []);
const description = optional(plainString);

export const agentInterface = message({
  url: required(plainString),
  protocolBinding: required(plainString),
  tenant: optional(plainString),
  protocolVersion: required(plainString),
});

export const agentProvider = message({ url: required(plainString), organization: required(plainString) });

export const agentExtension = message({
  uri: text,
  description,
  required: optional(boolean),
  params: optional(struct),
});

export const agentCapabilities = message({
  streaming: optional(boolean),
  pushNotifications: optional(boolean),
  extensions: optional(plainArrayOf(agentExtension)),
  extendedAgentCard: optional(boolean),
});

export const agentSkill = message({
  id: required(plainString),
  name: required(plainString),
  description: text,
  tags: texts,
  examples: optional(plainArrayOf(anyString)),
  inputModes: optional(plainArrayOf(anyString)),
  outputModes: optional(plainArrayOf(anyString)),
  securityRequirements: optional(plainArrayOf(securityRequirement)),
});

export const agentCardSignature = message({
  protected: required(plainString),
  signature: required(plainString),
  header: optional(struct),
});

export const agentCard = message({
  name: required(plainString),
  description: text,
  supportedInterfaces: required(filledArrayOf(agentInterface)),
  provider: optional(agentProvider),
  version: required(plainString),
  documentationUrl: optional(anyString),
  capabilities: required(agentCapabilities),
  securitySchemes: optional(mapOf(securityScheme)),
  securityRequirements: optional(plainArrayOf(securityRequirement)),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: defaulted(arrayOf(agentSkill), () => []),
  signatures: optional(plainArrayOf(agentCardSignature)),
  iconUrl: optional(anyString),
});
