export type { Decoded, Decoder } from './decode/decoder.js';
export {
  decodeAgentCapabilities,
  decodeAgentCard,
  decodeAgentCardSignature,
  decodeAgentExtension,
  decodeAgentInterface,
  decodeAgentProvider,
  decodeAgentSkill,
  decodeArtifact,
  decodeAuthenticationInfo,
  decodeCancelTaskRequest,
  decodeDeleteTaskPushNotificationConfigRequest,
  decodeGetExtendedAgentCardRequest,
  decodeGetTaskPushNotificationConfigRequest,
  decodeGetTaskRequest,
  decodeListTaskPushNotificationConfigsRequest,
  decodeListTaskPushNotificationConfigsResponse,
  decodeListTasksRequest,
  decodeListTasksResponse,
  decodeMessage,
  decodePart,
  decodePeerAgentCard,
  decodeSecurityRequirement,
  decodeSecurityScheme,
  decodeSendMessageConfiguration,
  decodeSendMessageRequest,
  decodeSendMessageResponse,
  decodeStreamResponse,
  decodeSubscribeToTaskRequest,
  decodeTask,
  decodeTaskArtifactUpdateEvent,
  decodeTaskPushNotificationConfig,
  decodeTaskStatus,
  decodeTaskStatusUpdateEvent,
} from './decoders.js';
export { A2A_EXTENSIONS_HEADER, parseExtensionsHeader } from './extensions-header.js';
export { A2A_MEDIA_TYPE, isJsonMediaType, JSON_MEDIA_TYPE, mediaTypeMatches } from './media-types.js';
export { parseJson } from './parse-json.js';
export {
  A2A_VERSION_HEADER,
  parseProtocolVersion,
  PROTOCOL_VERSION,
  type ProtocolVersion,
} from './protocol-version.js';
export { canTransition, isInterrupted, isTerminal, type TransitionOptions } from './task-states.js';
export { toTimestamp } from './timestamps.js';

export { A2A_METHODS, type A2AMethod, isA2AMethod, V0_3_METHODS } from './rpc/methods.js';
export {
  jsonRpcFailure,
  type JsonRpcId,
  jsonRpcIdOf,
  type JsonRpcRequest,
  jsonRpcResult,
  parseJsonRpcRequest,
} from './rpc/envelope.js';

export { A2AError, type A2AErrorDetails, InternalError, UnavailableError } from './errors/a2a-error.js';
export { PermissionDeniedError, ResourceExhaustedError, UnauthenticatedError } from './errors/access-errors.js';
export {
  ERROR_CATALOG,
  errorRowOf,
  type ErrorRow,
  type ErrorSurface,
  type RpcStatusName,
  type SpecRevision,
} from './errors/error-catalog.js';
export { type ErrorCircumstances, fromJsonRpcError, fromStatusBody } from './errors/error-input.js';
export {
  type BadRequestDetail,
  ERROR_DOMAIN,
  type ErrorDetail,
  errorDetails,
  type ErrorInfoDetail,
  grpcStatus,
  type JsonRpcErrorObject,
  jsonRpcHttpStatus,
  type StatusBody,
  toJsonRpcError,
  toStatusBody,
} from './errors/error-output.js';
export {
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  ExtensionSupportRequiredError,
  InvalidAgentResponseError,
  PushNotificationNotSupportedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from './errors/protocol-errors.js';
export {
  InvalidParamsError,
  InvalidRequestError,
  JSONParseError,
  MethodNotFoundError,
  PayloadTooLargeError,
} from './errors/request-errors.js';

export { type AgentCardForm, canonicalAgentCard } from './signing/canonical-card.js';
export type { AgentCardAlgorithm, AgentCardKeyMaterial, AgentCardVerificationAlgorithm } from './signing/card-keys.js';
export type { AgentCardKeyHint, AgentCardKeyLookup, AgentCardTrust, JsonWebKeySet } from './signing/card-trust.js';
export {
  type AgentCardSigningKey,
  type PreparedSigningKey,
  prepareSigningKey,
  publicJwkOf,
  signAgentCard,
  type SignAgentCardOptions,
} from './signing/sign-agent-card.js';
export {
  type AgentCardSignatureFault,
  AgentCardSigningError,
  type AgentCardSigningErrorCode,
  AgentCardVerificationError,
  type AgentCardVerificationErrorCode,
} from './signing/signing.errors.js';
export { type VerifiedAgentCard, verifyAgentCard } from './signing/verify-agent-card.js';

export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
} from './types/agent-card.js';
export { ProtocolBinding, Role, TaskState } from './types/enums.js';
export type {
  SendMessageResponse,
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from './types/events.js';
export type { JsonValue, Struct } from './types/json.js';
export type { Message } from './types/message.js';
export {
  type DataPart,
  isDataPart,
  isRawPart,
  isTextPart,
  isUrlPart,
  type Part,
  type PartBase,
  type RawPart,
  type TextPart,
  type UrlPart,
} from './types/part.js';
export type { AuthenticationInfo, TaskPushNotificationConfig } from './types/push.js';
export type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageConfiguration,
  SendMessageRequest,
  SubscribeToTaskRequest,
} from './types/requests.js';
export type {
  APIKeySecurityScheme,
  AuthorizationCodeOAuthFlow,
  ClientCredentialsOAuthFlow,
  DeviceCodeOAuthFlow,
  HTTPAuthSecurityScheme,
  ImplicitOAuthFlow,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OAuthFlows,
  OpenIdConnectSecurityScheme,
  PasswordOAuthFlow,
  SecurityRequirement,
  SecurityScheme,
  StringList,
} from './types/security.js';
export type { Artifact, Task, TaskStatus } from './types/task.js';
export type { FieldViolation } from './types/violation.js';
