export type { Awaitable } from './awaitable.js';

export { A2ARuntime, type RuntimeCallContext } from './client/a2a-runtime.js';
export { createA2ATransport, type A2ATransportReplacements } from './client/create-a2a-transport.js';
export {
  DefaultWorkflowEngineClient,
  type EngineClientGauges,
  type WorkflowEngineClientParts,
} from './client/default-workflow-engine-client.js';
export { ClientEventMapper } from './client/response/client-event.mapper.js';
export { ProtocolResponses } from './client/response/protocol-responses.js';
export { DefaultA2ARuntime, type DefaultA2ARuntimeOptions } from './client/runtime/default-a2a.runtime.js';
export type { Wait } from './client/timing/time-limits.js';
export { toTaskResult } from './client/to-task-result.js';
export { A2ATransport } from './client/transport/a2a-transport.js';
export { AgentCallError } from './client/transport/call-failures.js';
export type { Envelope } from './client/transport/outgoing-message.js';
export type {
  A2ATransportParts,
  TransportCall,
  TransportGauges,
  TransportNotifications,
  TransportSend,
  TransportStreamCall,
} from './client/transport/transport-options.js';
export {
  type WorkflowEngineClientConfig,
  workflowEngineClientConfig,
  type WorkflowEngineClientOptions,
} from './client/workflow-engine-client.config.js';
export {
  type ResumedSend,
  type SendTaskJournal,
  type SendTaskOptions,
  WorkflowEngineClient,
} from './client/workflow-engine-client.js';

export { controlPoint, type ControlPointHandlers } from './control/control-point.builder.js';
export { ControlPoint } from './control/control-point.js';
export { DefaultControlPoint } from './control/default-control-point.js';
export type { EventCallback } from './control/event-callback.js';
export type {
  AgentArtifactEvent,
  AgentEvent,
  AgentMessageEvent,
  AgentStatusEvent,
  AgentTaskEvent,
  ErrorEventData,
  EventData,
  WorkflowEvent,
} from './control/event-data.js';
export { EventType } from './control/event-type.js';
export type { NegotiationStrategy } from './control/negotiation-strategy.js';

export { WorkflowExecutor, type WorkflowExecutorOptions } from './core/workflow-executor.js';

export { AgentAuthenticator } from './credentials/agent-authenticator.js';
export type { AuthProvider } from './credentials/auth-provider.js';
export { CredentialCrypto } from './credentials/credential-crypto.js';
export { EnvFileLoader } from './credentials/env-file.loader.js';

export { BusinessFailure } from './errors/business-failure.error.js';
export { type Failure, failureOf } from './errors/failure-of.js';
export { OutcomeUnknownError } from './errors/outcome-unknown.error.js';
export { RemoteA2AError, type RemoteA2AErrorInit } from './errors/remote-a2a.error.js';
export { WorkflowBusyError } from './errors/workflow-busy.error.js';
export {
  CancellationException,
  NullResultError,
  SecurityException,
  TimeoutException,
  WorkflowArgumentError,
  WorkflowDefinitionError,
  WorkflowError,
  WorkflowStateError,
} from './errors/workflow.error.js';

export { A2ATExtension, type A2ATExtensionEntry } from './extensions/a2at-extension.js';
export { A2atMessages, type GeneratedMetadata } from './extensions/a2at-messages.js';
export { DefaultExtensionSender } from './extensions/default-extension-sender.js';
export { ExtensionSender } from './extensions/extension-sender.js';
export { type NegotiationContext, Performative } from './extensions/negotiation-context.js';
export type {
  NotificationListener,
  NotificationSubscription,
  SubscriptionHeartbeat,
} from './extensions/notification-subscription.js';

export { ExecutionJournal } from './journal/execution-journal.js';
export { FileExecutionJournal } from './journal/file-execution-journal.js';
export { InMemoryExecutionJournal } from './journal/in-memory-execution-journal.js';
export type { JournalRecord } from './journal/journal-record.js';

export { type EngineLog } from './logging/engine-log.js';
export { type WireCorrelation, type WireEntry, WireLog, type WireSink } from './logging/wire-log.js';

export { BusinessInput } from './model/business-input.js';
export { BusinessValues, type JsonObject } from './model/business-values.js';
export type { ExecutionResult, HistoryEntry, StepOutputs } from './model/execution-result.js';
export { MessageContent } from './model/message-content.js';
export { type NegotiationExchange, NegotiationReply, type NegotiationRequest } from './model/negotiation.js';
export { ReceivedMessage } from './model/received-message.js';
export { RouteDecision, type RouteRequest } from './model/route.js';
export type { SendMessageResult } from './model/send-message-result.js';
export { StepType } from './model/step-type.js';
export type { TaskExecutionResult } from './model/task-execution-result.js';
export type { TaskRequest } from './model/task-request.js';
export { TaskResult, type TaskResultInit } from './model/task-result.js';
export { TaskStatus } from './model/task-status.js';
export type { UpstreamStepResult, WorkflowInput } from './model/workflow-input.js';
export type { WorkflowSearchResult } from './model/workflow-search-result.js';
export { Workflow } from './model/workflow.js';
export type { JumpCondition, WorkflowStep, WorkflowTask } from './model/workflow-step.js';

export { AgentCardSource } from './nest/agent-card.source.js';
export type { ControlPointReference } from './nest/control-points.js';
export { eventStream, type EventStreamOptions } from './nest/event-stream.js';
export type {
  NamedControlPoint,
  WorkflowFeatureOptions,
  WorkflowModuleExtras,
  WorkflowModuleOptions,
} from './nest/workflow-module.options.js';
export { RegistryAgentCards } from './nest/registry-agent-cards.js';
export {
  type WorkflowResumeRequest,
  WorkflowRunner,
  type WorkflowRunnerOptions,
  type WorkflowRunRequest,
} from './nest/workflow-runner.js';
export {
  type WorkflowAgentHealth,
  type WorkflowHealth,
  WorkflowHealthIndicator,
  type WorkflowHealthOptions,
} from './nest/workflow.health-indicator.js';
export { WorkflowModule } from './nest/workflow.module.js';
export { WorkflowObserver, type WorkflowRunReport } from './nest/workflow.observer.js';
export { getControlPointToken } from './nest/workflow.tokens.js';

export { HttpAuthProvider } from './registry/http-auth.provider.js';
export { HttpConnectionException, HttpResponseException, HttpServiceException } from './registry/http.exceptions.js';
export type { LoadPsopOptions } from './registry/load-psop.options.js';
export { LoadPsop } from './registry/load-psop.js';
export { normalizeAgentCard } from './registry/normalize-agent-card.js';
export { OrchestrationAccountAuth, type OrchestrationAccountOptions } from './registry/orchestration-account.auth.js';
export { readRegistryCard } from './registry/read-registry-card.js';
export { type RegistryCallOptions, RegistryClient } from './registry/registry-client.js';
export type { RegistryClientOptions } from './registry/registry-client.options.js';
export { Timeouts } from './registry/timeouts.js';

export { renderWorkflow, type WorkflowPictureFormat } from './render/render-workflow.js';

export { ExecutePsop } from './runner/execute-psop.builder.js';
export { executePsop, resumePsop } from './runner/execute-psop.js';
export type { NumberedEvent } from './runner/event-feed.js';
export type { EventHook } from './runner/event-hook.js';
export { type PlainEvent, plainEvent } from './runner/plain-event.js';
export type {
  ExecutePsopOptions,
  PsopClientOptions,
  PsopObservers,
  PsopRunOptions,
  ResumePsopOptions,
} from './runner/psop-options.js';
export type { PlainEventCallback } from './runner/run-events.js';
export { WorkflowRun } from './runner/workflow-run.js';

export { SslContextFactory, type SslContextSettings } from './tls/ssl-context-factory.js';
export type { TlsFiles } from './tls/tls-material.js';
export { type MutualTlsFiles, TlsPolicy } from './tls/tls.policy.js';
