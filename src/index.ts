export type { AddressPolicyOptions } from 'nestjs-a2a/net';
export { A2A_AGENT_PATH, A2A_SETTINGS } from './a2a.constants.js';
export { A2ADiagnostics, type A2AGauges } from './a2a.diagnostics.js';
export type { A2AModuleExtras, AuthenticationEntry, ExecutorProvider, SkillsEntry } from './a2a.extras.js';
export { A2AModule } from './a2a.module.js';
export { A2AObserver, type RunReport } from './a2a.observer.js';
export type { A2AModuleOptions, A2ASettings, AnonymousListMode, FollowUpMode } from './a2a.options.js';
export { AgentEmitterError, type AgentEmitterErrorCode } from './agent/agent-emitter.error.js';
export type { AgentEmitter } from './agent/agent-emitter.js';
export { AgentExecutor, type AgentExecution } from './agent/agent-executor.js';
export type {
  AgentContent,
  AgentMessage,
  AgentMessageBody,
  AgentOutput,
  ArtifactOptions,
  ArtifactOutput,
  MessageOutput,
  StatusOutput,
} from './agent/agent-output.js';
export type { AgentCardInput, AgentInterfaceInput, AgentSkillInput } from './agent/card/agent-card-input.js';
export { AgentCardError, type AgentCardFault } from './agent/card/agent-card.error.js';
export { loadAgentCardFile } from './agent/card/agent-card.loader.js';
export { AgentCardProvider } from './agent/card/agent-card.provider.js';
export type { CardSigningOptions, CardSigningSettings } from './agent/card/signing/card-signing.options.js';
export type { ConversationOptions, PreviousTasksOptions, RequestContext } from './agent/request-context.js';
export {
  ServerCallContext,
  type CallBinding,
  type CallerPresence,
  type ServerCall,
} from './agent/server-call-context.js';
export type { SkillDescriptor, SkillList } from './agent/skills/skill-descriptor.js';
export { SkillDirectory, type SkillDirectoryOptions } from './agent/skills/skill-directory.js';
export { mapToA2ASkill, mapToA2ASkills, type MappedSkill } from './agent/skills/skill-mapper.js';
export { SkillSourceError } from './agent/skills/skill-source.error.js';
export { SkillSource, type SkillCaller, type SkillFunction } from './agent/skills/skill-source.js';
export { A2AAuthGuard } from './authentication/a2a-auth.guard.js';
export { ApiKeyScheme, type ApiKeyLocation, type ApiKeySchemeOptions } from './authentication/api-key.scheme.js';
export { AuthenticationScheme, type AuthenticationRequest } from './authentication/authentication-scheme.js';
export {
  BasicScheme,
  type BasicSchemeOptions,
  type BasicUser,
  type PasswordVerifier,
} from './authentication/basic.scheme.js';
export { BearerScheme, type BearerSchemeOptions, type TokenVerifier } from './authentication/bearer.scheme.js';
export type { JwtSchemeOptions } from './authentication/jwt-scheme.options.js';
export { JwtScheme } from './authentication/jwt.scheme.js';
export type { SchemeOptions } from './authentication/scheme-options.js';
export type { SecretOfUser } from './authentication/user-secrets.js';
export { ANONYMOUS_USER, type A2AUser } from './authorization/a2a-user.js';
export { TaskAuthorizationProvider, type AuthorizationVerdict } from './authorization/task-authorization.provider.js';
export { TaskOperation } from './authorization/task-operation.js';
export { TenantResolver } from './authorization/tenant.resolver.js';
export { RequestUserResolver, UserResolver } from './authorization/user.resolver.js';
export { A2AConfigurationError, type ConfigurationFault } from './config/a2a-configuration.error.js';
export { a2aConfig } from './config/a2a.config.js';
export { RxJsTaskEventBus, type RxJsTaskEventBusOptions } from './events/rxjs-task-event-bus.js';
export { TaskEventBus } from './events/task-event-bus.js';
export { TaskEvent } from './events/task-event.js';
export { InProcessRunScheduler, type InProcessRunSchedulerOptions } from './execution/in-process-run-scheduler.js';
export { RunScheduler, type RunGauges, type RunJob, type ScheduledRun } from './execution/run-scheduler.js';
export {
  A2AAgentCardController,
  A2AJsonRpcController,
  A2AJwksController,
  A2ARestController,
  A2ASlashAliasController,
  A2ATenantController,
} from './http/host-controllers.js';
export { A2AJsEventError } from './migration/a2a-js-event.error.js';
export type {
  A2AJsEventBus,
  A2AJsExecutor,
  A2AJsExecutorOptions,
  A2AJsRequestContext,
  A2AJsSdkLine,
} from './migration/a2a-js-executor.types.js';
export { fromA2AJsExecutor } from './migration/from-a2a-js-executor.js';
export { AddressPushUrlPolicy } from './push/address-push-url.policy.js';
export {
  InMemoryPushNotificationConfigStore,
  type InMemoryPushConfigStoreOptions,
} from './push/in-memory-push-config.store.js';
export {
  PushNotificationConfigStore,
  type PushConfigPage,
  type StoredPushConfig,
} from './push/push-notification-config-store.js';
export { PushNotificationSender, type PushGauges } from './push/push-notification-sender.js';
export type { PushNotification, PushTarget } from './push/push-notification.js';
export { PushUrlPolicy } from './push/push-url.policy.js';
export type {
  PushAllowOptions,
  PushOptions,
  PushSettings,
  PushSigningOptions,
  PushUrlValidator,
} from './push/push.options.js';
export { RequestHandler } from './operations/request-handler.js';
export type { StreamFrame } from './operations/stream-frame.js';
export { A2APushReceiver, ReceivedPush } from './push/receiver/push-receiver.decorator.js';
export { A2APushReceiverModule } from './push/receiver/push-receiver.module.js';
export type { A2APushReceiverOptions, PushTokenLookup } from './push/receiver/push-receiver.options.js';
export { ReceivedPushNotification } from './push/receiver/received-push-notification.js';
export { serveAgent, type ServeAgentOptions, type ServedAgent } from './serve-agent.js';
export { InMemoryTaskStore, type InMemoryTaskStoreOptions } from './tasks/in-memory-task-store.js';
export { OMITTED_RAW_KEY } from './tasks/raw-elision.js';
export { TaskRecord, type TaskKey, type TaskRecordData } from './tasks/task-record.js';
export {
  TaskStore,
  type TaskCursor,
  type TaskPage,
  type TaskQuery,
  type TaskSaveResult,
  type TaskScope,
  type TaskSearchScope,
} from './tasks/task-store.js';
