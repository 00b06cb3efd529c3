import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { StreamFrame } from './stream-frame.js';

/**
 * The eleven operations of A2A, free of any transport. Requests are decoded and valid when they arrive here; failures
 * are `A2AError`s. The class is its own injection token.
 *
 * A streaming operation rejects when the request fails before the stream begins; its Observable is subscribed to once.
 *
 * @publicApi
 * @see A2A 1.0, section 3.1
 */
export abstract class RequestHandler {
  abstract sendMessage(request: SendMessageRequest, call: ServerCallContext): Promise<SendMessageResponse>;

  abstract sendStreamingMessage(request: SendMessageRequest, call: ServerCallContext): Promise<Observable<StreamFrame>>;

  abstract getTask(request: GetTaskRequest, call: ServerCallContext): Promise<Task>;

  abstract listTasks(request: ListTasksRequest, call: ServerCallContext): Promise<ListTasksResponse>;

  abstract cancelTask(request: CancelTaskRequest, call: ServerCallContext): Promise<Task>;

  /**
   * @param lastEventId the number of the last frame that the caller has seen, if it goes on with a cut stream
   */
  abstract subscribeToTask(
    request: SubscribeToTaskRequest,
    call: ServerCallContext,
    lastEventId?: number,
  ): Promise<Observable<StreamFrame>>;

  abstract createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig>;

  abstract getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig>;

  abstract listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    call: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse>;

  abstract deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<void>;

  abstract getExtendedAgentCard(request: GetExtendedAgentCardRequest, call: ServerCallContext): Promise<AgentCard>;
}
