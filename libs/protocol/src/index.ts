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
// For the other rooms; not part of the public API.
export { isRecord } from './is-record.js';
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

export { olderFailure, type OlderSurface, olderSurfaceOf } from './older/older-errors.js';
export {
  isOlderMethod,
  type OlderSend,
  olderSendParams,
  type OlderSendParams,
  readOlderSend,
} from './older/older-exchange.js';
export type { OlderFile, OlderPart } from './older/older-parts.js';
export { fromOlderState, toOlderState } from './older/older-states.js';
export { fromOlderTask, type OlderTask, toOlderAnswer, toOlderTask } from './older/older-task.js';

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

// A2A 0.3, there and back. For the other rooms; not part of the public API.
export { isV03Interface, toV03AgentCard, V03_PROTOCOL_VERSION } from './v03/agent-card.js';
export { toV03Method } from './v03/methods.js';
export { toV03ProtoPart, toV03Part } from './v03/part-writers.js';
export type {
  V03ProtoArtifact,
  V03ProtoCreatePushConfig,
  V03ProtoFile,
  V03ProtoMessage,
  V03ProtoPart,
  V03ProtoPushConfig,
  V03ProtoSendRequest,
  V03ProtoSendResult,
  V03ProtoStreamEvent,
  V03ProtoTask,
  V03ProtoTaskArtifactUpdateEvent,
  V03ProtoTaskStatus,
  V03ProtoTaskStatusUpdateEvent,
} from './v03/proto-types.js';
export { toV03ProtoMessage, toV03ProtoSendResult, toV03ProtoStreamEvent, toV03ProtoTask } from './v03/proto-writers.js';
export {
  fromV03CancelParams,
  fromV03DeletePushConfigParams,
  fromV03GetPushConfigParams,
  fromV03Message,
  fromV03Part,
  fromV03ProtoCreatePushConfig,
  fromV03ProtoMessage,
  fromV03ProtoPart,
  fromV03ProtoPushConfig,
  fromV03ProtoPushConfigList,
  fromV03ProtoSendRequest,
  fromV03ProtoSendResult,
  fromV03ProtoStreamEvent,
  fromV03ProtoTask,
  fromV03PushConfigList,
  fromV03PushConfigListParams,
  fromV03SendParams,
  fromV03SendResult,
  fromV03StreamEvent,
  fromV03Task,
  fromV03TaskId,
  fromV03TaskPushConfig,
  fromV03TaskQuery,
} from './v03/readers.js';
export {
  toV03ProtoCreatePushConfig,
  toV03ProtoPushConfig,
  toV03ProtoPushConfigList,
  toV03ProtoSendRequest,
  toV03PushConfigList,
  toV03SendParams,
  toV03TaskPushConfig,
} from './v03/request-writers.js';
export type { V03Frame } from './v03/result-decoders.js';
export { fromV03StatusBody, toV03StatusBody } from './v03/status-body.js';
export type {
  V03AgentCard,
  V03AgentSkill,
  V03Artifact,
  V03File,
  V03Message,
  V03MessageSendConfiguration,
  V03MessageSendParams,
  V03Part,
  V03PushNotificationConfig,
  V03SecurityRequirement,
  V03SecurityScheme,
  V03StreamEvent,
  V03Task,
  V03TaskArtifactUpdateEvent,
  V03TaskPushNotificationConfig,
  V03TaskState,
  V03TaskStatus,
  V03TaskStatusUpdateEvent,
} from './v03/types.js';
export { toV03Message, toV03SendResult, toV03StreamEvent, toV03Task } from './v03/writers.js';
