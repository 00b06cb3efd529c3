// Compiled, never run: each decoder yields exactly the documented type, field by field.
import type * as card from './decode/card-decoders.js';
import type { Infer } from './decode/decoder.js';
import type * as request from './decode/request-decoders.js';
import type * as security from './decode/security-decoders.js';
import type * as task from './decode/task-decoders.js';
import type * as wire from './index.js';

// Assignability alone would let a forgotten optional field pass, so the names are compared as well.
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : { inferred: A; documented: B };
type Assignable<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { inferred: A; documented: B }
  : { inferred: A; documented: B };
type Keys<T> = T extends unknown ? keyof T : never;
type Check<A, B> = Assignable<A, B> extends true ? Same<Keys<A>, Keys<B>> : Assignable<A, B>;

export const checks: {
  SendMessageRequest: Check<Infer<typeof request.sendMessageRequest>, wire.SendMessageRequest>;
  SendMessageConfiguration: Check<Infer<typeof request.sendMessageConfiguration>, wire.SendMessageConfiguration>;
  GetTaskRequest: Check<Infer<typeof request.getTaskRequest>, wire.GetTaskRequest>;
  ListTasksRequest: Check<Infer<typeof request.listTasksRequest>, wire.ListTasksRequest>;
  CancelTaskRequest: Check<Infer<typeof request.cancelTaskRequest>, wire.CancelTaskRequest>;
  SubscribeToTaskRequest: Check<Infer<typeof request.subscribeToTaskRequest>, wire.SubscribeToTaskRequest>;
  TaskPushNotificationConfig: Check<Infer<typeof request.taskPushNotificationConfig>, wire.TaskPushNotificationConfig>;
  AuthenticationInfo: Check<Infer<typeof request.authenticationInfo>, wire.AuthenticationInfo>;
  GetTaskPushNotificationConfigRequest: Check<
    Infer<typeof request.getTaskPushNotificationConfigRequest>,
    wire.GetTaskPushNotificationConfigRequest
  >;
  DeleteTaskPushNotificationConfigRequest: Check<
    Infer<typeof request.getTaskPushNotificationConfigRequest>,
    wire.DeleteTaskPushNotificationConfigRequest
  >;
  ListTaskPushNotificationConfigsRequest: Check<
    Infer<typeof request.listTaskPushNotificationConfigsRequest>,
    wire.ListTaskPushNotificationConfigsRequest
  >;
  GetExtendedAgentCardRequest: Check<
    Infer<typeof request.getExtendedAgentCardRequest>,
    wire.GetExtendedAgentCardRequest
  >;
  Message: Check<Infer<typeof task.messageObject>, wire.Message>;
  Part: Check<Infer<typeof task.part>, wire.Part>;
  Artifact: Check<Infer<typeof task.artifact>, wire.Artifact>;
  TaskStatus: Check<Infer<typeof task.taskStatus>, wire.TaskStatus>;
  Task: Check<Infer<typeof task.task>, wire.Task>;
  TaskStatusUpdateEvent: Check<Infer<typeof task.taskStatusUpdateEvent>, wire.TaskStatusUpdateEvent>;
  TaskArtifactUpdateEvent: Check<Infer<typeof task.taskArtifactUpdateEvent>, wire.TaskArtifactUpdateEvent>;
  StreamResponse: Check<Infer<typeof task.streamResponse>, wire.StreamResponse>;
  SendMessageResponse: Check<Infer<typeof task.sendMessageResponse>, wire.SendMessageResponse>;
  ListTasksResponse: Check<Infer<typeof request.listTasksResponse>, wire.ListTasksResponse>;
  ListTaskPushNotificationConfigsResponse: Check<
    Infer<typeof request.listTaskPushNotificationConfigsResponse>,
    wire.ListTaskPushNotificationConfigsResponse
  >;
  AgentCard: Check<Infer<typeof card.agentCard>, wire.AgentCard>;
  AgentInterface: Check<Infer<typeof card.agentInterface>, wire.AgentInterface>;
  AgentProvider: Check<Infer<typeof card.agentProvider>, wire.AgentProvider>;
  AgentCapabilities: Check<Infer<typeof card.agentCapabilities>, wire.AgentCapabilities>;
  AgentExtension: Check<Infer<typeof card.agentExtension>, wire.AgentExtension>;
  AgentSkill: Check<Infer<typeof card.agentSkill>, wire.AgentSkill>;
  AgentCardSignature: Check<Infer<typeof card.agentCardSignature>, wire.AgentCardSignature>;
  SecurityScheme: Check<Infer<typeof security.securityScheme>, wire.SecurityScheme>;
  SecurityRequirement: Check<Infer<typeof security.securityRequirement>, wire.SecurityRequirement>;
  AuthorizationCodeOAuthFlow: Check<Infer<typeof security.authorizationCodeFlow>, wire.AuthorizationCodeOAuthFlow>;
  ClientCredentialsOAuthFlow: Check<Infer<typeof security.clientCredentialsFlow>, wire.ClientCredentialsOAuthFlow>;
  ImplicitOAuthFlow: Check<Infer<typeof security.implicitFlow>, wire.ImplicitOAuthFlow>;
  PasswordOAuthFlow: Check<Infer<typeof security.passwordFlow>, wire.PasswordOAuthFlow>;
  DeviceCodeOAuthFlow: Check<Infer<typeof security.deviceCodeFlow>, wire.DeviceCodeOAuthFlow>;
  OAuthFlows: Check<Infer<typeof security.oauthFlows>, wire.OAuthFlows>;
  APIKeySecurityScheme: Check<Infer<typeof security.apiKeyScheme>, wire.APIKeySecurityScheme>;
  HTTPAuthSecurityScheme: Check<Infer<typeof security.httpAuthScheme>, wire.HTTPAuthSecurityScheme>;
  OAuth2SecurityScheme: Check<Infer<typeof security.oauth2Scheme>, wire.OAuth2SecurityScheme>;
  OpenIdConnectSecurityScheme: Check<Infer<typeof security.openIdConnectScheme>, wire.OpenIdConnectSecurityScheme>;
  MutualTlsSecurityScheme: Check<Infer<typeof security.mutualTlsScheme>, wire.MutualTlsSecurityScheme>;
  StringList: Check<Infer<typeof security.stringList>, wire.StringList>;
} = {
  SendMessageRequest: true,
  SendMessageConfiguration: true,
  GetTaskRequest: true,
  ListTasksRequest: true,
  CancelTaskRequest: true,
  SubscribeToTaskRequest: true,
  TaskPushNotificationConfig: true,
  AuthenticationInfo: true,
  GetTaskPushNotificationConfigRequest: true,
  DeleteTaskPushNotificationConfigRequest: true,
  ListTaskPushNotificationConfigsRequest: true,
  GetExtendedAgentCardRequest: true,
  Message: true,
  Part: true,
  Artifact: true,
  TaskStatus: true,
  Task: true,
  TaskStatusUpdateEvent: true,
  TaskArtifactUpdateEvent: true,
  StreamResponse: true,
  SendMessageResponse: true,
  ListTasksResponse: true,
  ListTaskPushNotificationConfigsResponse: true,
  AgentCard: true,
  AgentInterface: true,
  AgentProvider: true,
  AgentCapabilities: true,
  AgentExtension: true,
  AgentSkill: true,
  AgentCardSignature: true,
  SecurityScheme: true,
  SecurityRequirement: true,
  AuthorizationCodeOAuthFlow: true,
  ClientCredentialsOAuthFlow: true,
  ImplicitOAuthFlow: true,
  PasswordOAuthFlow: true,
  DeviceCodeOAuthFlow: true,
  OAuthFlows: true,
  APIKeySecurityScheme: true,
  HTTPAuthSecurityScheme: true,
  OAuth2SecurityScheme: true,
  OpenIdConnectSecurityScheme: true,
  MutualTlsSecurityScheme: true,
  StringList: true,
};
