export { A2AChat, type ChatClient } from './a2a-chat.js';
export { A2AClient } from './a2a-client.js';
export { A2AClientError, type A2AClientErrorDetails, A2AHttpError } from './client-error.js';
export type { A2AClientOptions } from './client-options.js';

export type { CallOptions } from './calls/agent-calls.js';
export type { BackoffOptions } from './calls/backoff.js';
export type { Wait } from './calls/call-scope.js';
export { userMessage, type UserMessageOptions } from './calls/user-message.js';

export type { CardDialect } from './card/card-interfaces.js';
export { readAgentCard, type ReadAgentCard } from './card/read-agent-card.js';

export { ApiKeyCredential, type ApiKeyPlace } from './credentials/api-key.credential.js';
export { BasicCredential } from './credentials/basic.credential.js';
export { BearerCredential, type TokenProvider, type TokenRequest } from './credentials/bearer.credential.js';
export type { CredentialList } from './credentials/card-credentials.js';
export { Credential, type CredentialRequest } from './credentials/credential.js';
export type { ClientCredentials } from './credentials/credential-setting.js';
export { type CredentialContext, CredentialSource, type RequestCredentials } from './credentials/credential-source.js';
export { OAuth2ClientCredentials } from './credentials/oauth2-client.credential.js';
export type { OAuth2ClientCredentialsOptions } from './credentials/oauth2-options.js';

export type { AgentTarget } from './discovery/agent-target.js';
export type { TrustedSigner } from './discovery/card-trust.js';
export type { CardSignature, DiscoveredAgent, LegacyEndpoint } from './discovery/discovered-agent.js';

export {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from './http/client-http.js';
export type { ClientInterceptor } from './http/client-interceptor.js';
export type { ClientNetwork } from './http/client-network.js';
export { SafeClientHttp, type SafeClientHttpOptions } from './http/safe-client-http.js';

export { A2AStream } from './streams/a2a-stream.js';
export type { PollingOptions } from './streams/task-poller.js';
export { A2ATaskFailedError } from './task/task-text.js';
export { TaskView } from './task/task-view.js';

export { A2AToolError } from './tools/a2a-tool.error.js';
export { A2ATool } from './tools/a2a-tool.js';
export { type A2ASkillToolsOptions, createA2ASkillTools } from './tools/create-a2a-skill-tools.js';
export {
  type A2AToolArguments,
  type A2AToolDefinition,
  type A2AToolParameters,
  createA2ATool,
  type CreateA2AToolOptions,
} from './tools/create-a2a-tool.js';
export type { A2AToolCallOptions, A2AToolOptions, A2AToolTarget } from './tools/tool-options.js';

export type {
  A2ATransport,
  A2ATransportFactory,
  FailureReader,
  StreamingMethod,
  TransportCallOptions,
  TransportContext,
  TransportStreamOptions,
  WireFrame,
} from './transport/a2a-transport.js';
export { httpJsonTransport } from './transport/http-json.transport.js';
export { jsonRpcTransport } from './transport/json-rpc.transport.js';
export { httpJsonV03Transport } from './transport/v03/http-json-v03.transport.js';
export { jsonRpcV03Transport } from './transport/v03/json-rpc-v03.transport.js';

export {
  type AddressPolicyOptions,
  createTlsContext,
  type TargetPolicy,
  type TlsContext,
  TlsContextError,
  type TlsContextOptions,
} from 'nestjs-a2a/net';
