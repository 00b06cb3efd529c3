import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import type { A2AClient } from '../../a2a-client.js';
import type { CallOptions } from '../../calls/agent-calls.js';
import { observeAll, observeOne } from './observable-calls.js';

/**
 * The calls of a client as Observables. Each subscription is a call of its own, made when it begins; unsubscribing ends
 * the call, which stops no task.
 *
 * @publicApi
 */
export class ObservedA2AClient {
  constructor(private readonly client: A2AClient) {}

  /** @see A2AClient.sendTask */
  sendTask(text: string, options: CallOptions = {}): Observable<string> {
    return observeOne(options, (own) => this.client.sendTask(text, own));
  }

  /** @see A2AClient.sendTaskResponse */
  sendTaskResponse(text: string, immediately = false, options: CallOptions = {}): Observable<SendMessageResponse> {
    return observeOne(options, (own) => this.client.sendTaskResponse(text, immediately, own));
  }

  /** @see A2AClient.waitForTask */
  waitForTask(taskId: string, options: CallOptions = {}): Observable<Task> {
    return observeOne(options, (own) => this.client.waitForTask(taskId, own));
  }

  /** @see A2AClient.sendMessage */
  sendMessage(request: SendMessageRequest, options: CallOptions = {}): Observable<SendMessageResponse> {
    return observeOne(options, (own) => this.client.sendMessage(request, own));
  }

  /** @see A2AClient.sendMessageStream */
  sendMessageStream(request: SendMessageRequest, options: CallOptions = {}): Observable<StreamResponse> {
    return observeAll(options, (own) => this.client.sendMessageStream(request, own));
  }

  /** @see A2AClient.subscribeToTask */
  subscribeToTask(request: SubscribeToTaskRequest | string, options: CallOptions = {}): Observable<StreamResponse> {
    return observeAll(options, (own) => this.client.subscribeToTask(request, own));
  }

  /** @see A2AClient.getTask */
  getTask(request: GetTaskRequest | string, options: CallOptions = {}): Observable<Task> {
    return observeOne(options, (own) => this.client.getTask(request, own));
  }

  /** @see A2AClient.listTasks */
  listTasks(request: ListTasksRequest = {}, options: CallOptions = {}): Observable<ListTasksResponse> {
    return observeOne(options, (own) => this.client.listTasks(request, own));
  }

  /** @see A2AClient.allTasks */
  allTasks(request: ListTasksRequest = {}, options: CallOptions = {}): Observable<Task> {
    return observeAll(options, (own) => this.client.allTasks(request, own));
  }

  /** @see A2AClient.cancelTask */
  cancelTask(request: CancelTaskRequest | string, options: CallOptions = {}): Observable<Task> {
    return observeOne(options, (own) => this.client.cancelTask(request, own));
  }

  /** @see A2AClient.createTaskPushNotificationConfig */
  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    options: CallOptions = {},
  ): Observable<TaskPushNotificationConfig> {
    return observeOne(options, (own) => this.client.createTaskPushNotificationConfig(config, own));
  }

  /** @see A2AClient.getTaskPushNotificationConfig */
  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    options: CallOptions = {},
  ): Observable<TaskPushNotificationConfig> {
    return observeOne(options, (own) => this.client.getTaskPushNotificationConfig(request, own));
  }

  /** @see A2AClient.listTaskPushNotificationConfigs */
  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest | string,
    options: CallOptions = {},
  ): Observable<ListTaskPushNotificationConfigsResponse> {
    return observeOne(options, (own) => this.client.listTaskPushNotificationConfigs(request, own));
  }

  /** @see A2AClient.deleteTaskPushNotificationConfig */
  deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    options: CallOptions = {},
  ): Observable<void> {
    return observeOne(options, (own) => this.client.deleteTaskPushNotificationConfig(request, own));
  }

  /** @see A2AClient.getExtendedAgentCard */
  getExtendedAgentCard(options: CallOptions = {}): Observable<AgentCard> {
    return observeOne(options, (own) => this.client.getExtendedAgentCard(own));
  }
}

/**
 * The calls of a client as Observables.
 *
 * ```ts
 * observe(weather).sendTask('Rain?').subscribe((text) => console.log(text));
 * ```
 *
 * @publicApi
 */
export function observe(client: A2AClient): ObservedA2AClient {
  return new ObservedA2AClient(client);
}
