import * as card from './decode/card-decoders.js';
import { type Decoder, strict, tolerant } from './decode/decoder.js';
import * as request from './decode/request-decoders.js';
import * as security from './decode/security-decoders.js';
import * as task from './decode/task-decoders.js';
import type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
} from './types/agent-card.js';
import type {
  SendMessageResponse,
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from './types/events.js';
import type { Message } from './types/message.js';
import type { Part } from './types/part.js';
import type { AuthenticationInfo, TaskPushNotificationConfig } from './types/push.js';
import type {
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
import type { SecurityRequirement, SecurityScheme } from './types/security.js';
import type { Artifact, Task, TaskStatus } from './types/task.js';

/** Reads the params of SendMessage and SendStreamingMessage. */
export const decodeSendMessageRequest: Decoder<SendMessageRequest> = strict(request.sendMessageRequest);

/** Reads how a message is to be handled. */
export const decodeSendMessageConfiguration: Decoder<SendMessageConfiguration> = strict(
  request.sendMessageConfiguration,
);

/** Reads the params of GetTask. */
export const decodeGetTaskRequest: Decoder<GetTaskRequest> = strict(request.getTaskRequest);

/** Reads the params of ListTasks. A status of UNSPECIFIED is no filter. */
export const decodeListTasksRequest: Decoder<ListTasksRequest> = strict(request.listTasksRequest);

/** Reads the params of CancelTask. */
export const decodeCancelTaskRequest: Decoder<CancelTaskRequest> = strict(request.cancelTaskRequest);

/** Reads the params of SubscribeToTask. */
export const decodeSubscribeToTaskRequest: Decoder<SubscribeToTaskRequest> = strict(request.subscribeToTaskRequest);

/** Reads a push configuration, which is also the params of CreateTaskPushNotificationConfig. */
export const decodeTaskPushNotificationConfig: Decoder<TaskPushNotificationConfig> = strict(
  request.taskPushNotificationConfig,
);

/** Reads how to authenticate to a push receiver. */
export const decodeAuthenticationInfo: Decoder<AuthenticationInfo> = strict(request.authenticationInfo);

/** Reads the params of GetTaskPushNotificationConfig. */
export const decodeGetTaskPushNotificationConfigRequest: Decoder<GetTaskPushNotificationConfigRequest> = strict(
  request.getTaskPushNotificationConfigRequest,
);

/** Reads the params of DeleteTaskPushNotificationConfig. */
export const decodeDeleteTaskPushNotificationConfigRequest: Decoder<DeleteTaskPushNotificationConfigRequest> = strict(
  request.getTaskPushNotificationConfigRequest,
);

/** Reads the params of ListTaskPushNotificationConfigs. */
export const decodeListTaskPushNotificationConfigsRequest: Decoder<ListTaskPushNotificationConfigsRequest> = strict(
  request.listTaskPushNotificationConfigsRequest,
);

/** Reads the params of GetExtendedAgentCard, which may be absent. */
export const decodeGetExtendedAgentCardRequest: Decoder<GetExtendedAgentCardRequest> = strict(
  request.getExtendedAgentCardRequest,
);

/** Reads a message. */
export const decodeMessage: Decoder<Message> = strict(task.messageObject);

/** Reads a part. */
export const decodePart: Decoder<Part> = strict(task.part);

/** Reads an artifact. */
export const decodeArtifact: Decoder<Artifact> = strict(task.artifact);

/** Reads a status. As what peers answer: `parts` may be empty. */
export const decodeTaskStatus: Decoder<TaskStatus> = tolerant(task.taskStatus);

/** Reads a task. As what peers answer: `parts` may be empty. */
export const decodeTask: Decoder<Task> = tolerant(task.task);

/** Reads a status event. As what peers answer: `parts` may be empty. */
export const decodeTaskStatusUpdateEvent: Decoder<TaskStatusUpdateEvent> = tolerant(task.taskStatusUpdateEvent);

/** Reads an artifact event. As what peers answer: `parts` may be empty. */
export const decodeTaskArtifactUpdateEvent: Decoder<TaskArtifactUpdateEvent> = tolerant(task.taskArtifactUpdateEvent);

/** Reads a frame of a stream, or the body of a push notification. As what peers answer: `parts` may be empty. */
export const decodeStreamResponse: Decoder<StreamResponse> = tolerant(task.streamResponse);

/** Reads the result of SendMessage. As what peers answer: `parts` may be empty. */
export const decodeSendMessageResponse: Decoder<SendMessageResponse> = tolerant(task.sendMessageResponse);

/** Reads the result of ListTasks; what a peer left out is at its default. */
export const decodeListTasksResponse: Decoder<ListTasksResponse> = tolerant(request.listTasksResponse);

/** Reads the result of ListTaskPushNotificationConfigs. */
export const decodeListTaskPushNotificationConfigsResponse: Decoder<ListTaskPushNotificationConfigsResponse> = tolerant(
  request.listTaskPushNotificationConfigsResponse,
);

/** Reads an agent card. A description, modes, tags or skills that are absent become empty. */
export const decodeAgentCard: Decoder<AgentCard> = strict(card.agentCard);

/** Reads a card that a peer answered: it may have no interfaces. */
export const decodePeerAgentCard: Decoder<AgentCard> = tolerant(card.agentCard);

/** Reads an interface of a card. */
export const decodeAgentInterface: Decoder<AgentInterface> = strict(card.agentInterface);

/** Reads the provider of a card. */
export const decodeAgentProvider: Decoder<AgentProvider> = strict(card.agentProvider);

/** Reads the capabilities of a card. */
export const decodeAgentCapabilities: Decoder<AgentCapabilities> = strict(card.agentCapabilities);

/** Reads an extension of a card. */
export const decodeAgentExtension: Decoder<AgentExtension> = strict(card.agentExtension);

/** Reads a skill of a card. */
export const decodeAgentSkill: Decoder<AgentSkill> = strict(card.agentSkill);

/** Reads a signature of a card. */
export const decodeAgentCardSignature: Decoder<AgentCardSignature> = strict(card.agentCardSignature);

/** Reads a security scheme. */
export const decodeSecurityScheme: Decoder<SecurityScheme> = strict(security.securityScheme);

/** Reads a security requirement. */
export const decodeSecurityRequirement: Decoder<SecurityRequirement> = strict(security.securityRequirement);
