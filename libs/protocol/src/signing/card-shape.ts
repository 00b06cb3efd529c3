/**
 * When a field is in the canonical form: always; when it was set, be it to its default; or when it is not at its
 * default.
 */
export type Presence = 'required' | 'explicit' | 'implicit';

/** A field of a message. */
export interface FieldShape {
  readonly presence: Presence;
  /** The message it holds, once, in a list, or as the values of a map. Absent: a scalar, a list of them, or free JSON. */
  readonly message?: MessageShape;
  readonly holds?: 'one' | 'list' | 'map';
}

/** The fields of a message by their JSON names. */
export type MessageShape = Readonly<Record<string, FieldShape>>;

const required: FieldShape = { presence: 'required' };
const explicit: FieldShape = { presence: 'explicit' };
const implicit: FieldShape = { presence: 'implicit' };

const one = (presence: Presence, message: MessageShape): FieldShape => ({ presence, message, holds: 'one' });
const list = (presence: Presence, message: MessageShape): FieldShape => ({ presence, message, holds: 'list' });
const map = (presence: Presence, message: MessageShape): FieldShape => ({ presence, message, holds: 'map' });

const FLOWS: MessageShape = {
  // Which member of a oneof is set says something, whatever is in it.
  authorizationCode: one('explicit', {
    authorizationUrl: required,
    tokenUrl: required,
    refreshUrl: implicit,
    scopes: required,
    pkceRequired: implicit,
  }),
  clientCredentials: one('explicit', { tokenUrl: required, refreshUrl: implicit, scopes: required }),
  implicit: one('explicit', { authorizationUrl: implicit, refreshUrl: implicit, scopes: implicit }),
  password: one('explicit', { tokenUrl: implicit, refreshUrl: implicit, scopes: implicit }),
  deviceCode: one('explicit', {
    deviceAuthorizationUrl: required,
    tokenUrl: required,
    refreshUrl: implicit,
    scopes: required,
  }),
};

const SECURITY_SCHEME: MessageShape = {
  apiKeySecurityScheme: one('explicit', { description: implicit, location: required, name: required }),
  httpAuthSecurityScheme: one('explicit', { description: implicit, scheme: required, bearerFormat: implicit }),
  oauth2SecurityScheme: one('explicit', {
    description: implicit,
    flows: one('required', FLOWS),
    oauth2MetadataUrl: implicit,
  }),
  openIdConnectSecurityScheme: one('explicit', { description: implicit, openIdConnectUrl: required }),
  mtlsSecurityScheme: one('explicit', { description: implicit }),
};

const SECURITY_REQUIREMENT: MessageShape = { schemes: map('implicit', { list: implicit }) };

/**
 * The fields of an agent card, without its signatures.
 *
 * @see A2A 1.0, sections 4.4 and 4.5
 */
export const AGENT_CARD_SHAPE: MessageShape = {
  name: required,
  description: required,
  supportedInterfaces: list('required', {
    url: required,
    protocolBinding: required,
    tenant: implicit,
    protocolVersion: required,
  }),
  provider: one('implicit', { url: required, organization: required }),
  version: required,
  documentationUrl: explicit,
  capabilities: one('required', {
    streaming: explicit,
    pushNotifications: explicit,
    extensions: list('implicit', { uri: implicit, description: implicit, required: implicit, params: implicit }),
    extendedAgentCard: explicit,
  }),
  securitySchemes: map('implicit', SECURITY_SCHEME),
  securityRequirements: list('implicit', SECURITY_REQUIREMENT),
  defaultInputModes: required,
  defaultOutputModes: required,
  skills: list('required', {
    id: required,
    name: required,
    description: required,
    tags: required,
    examples: implicit,
    inputModes: implicit,
    outputModes: implicit,
    securityRequirements: list('implicit', SECURITY_REQUIREMENT),
  }),
  iconUrl: explicit,
};
