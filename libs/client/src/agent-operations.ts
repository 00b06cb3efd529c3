import {
  decodeListTaskPushNotificationConfigsResponse,
  decodeListTasksResponse,
  decodeSendMessageResponse,
  decodeTask,
  decodeTaskPushNotificationConfig,
  type CancelTaskRequest,
  type Decoder,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from 'nestjs-a2a/protocol';
import type { AgentConnection } from './agent-connection.js';
import { type CallOptions, checkCallOptions } from './calls/agent-calls.js';
import { A2AClientError } from './client-error.js';
import { checkSendable } from './sendable.js';
import { A2AStream } from './streams/a2a-stream.js';
import { polledSend } from './streams/polled-send.js';
import { ResumingStream } from './streams/resuming-stream.js';
import { polledSubscription, type PollingOptions } from './streams/task-poller.js';
import { TaskView } from './task/task-view.js';

/** Makes the events of a stream on a connection. The signal in the options is also that of a reader who may leave. */
export type StreamStart = (
  connection: AgentConnection,
  view: TaskView,
  options: CallOptions,
) => AsyncGenerator<StreamResponse, void, undefined>;

/** How streams are kept going. */
export interface StreamSettings {
  readonly polling: PollingOptions;
  readonly resume: boolean;
  readonly maxResumes: number;
}

/** Answers of which nothing is needed. */
const anything: Decoder<unknown> = (value) => ({ ok: true, value });

/** The operations of the protocol, typed in wire form. Where a request is only an id, the id will do. */
export abstract class AgentOperations {
  protected abstract readonly streamSettings: StreamSettings;

  /** Does something with the agent, which is found first if need be. */
  protected abstract run<T>(work: (connection: AgentConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;

  /**
   * The same for what streams.
   *
   * @param left aborted when the reader leaves
   */
  protected abstract runStream(
    start: StreamStart,
    view: TaskView,
    options: CallOptions,
    left: AbortSignal,
  ): AsyncGenerator<StreamResponse, void, undefined>;

  /**
   * Sends a message and waits for the answer: a task that has ended, waits for the client or takes long, or a message.
   * Never sent twice.
   *
   * @throws A2AClientError `INVALID_ARGUMENT` when this is no request with a message in it
   */
  async sendMessage(request: SendMessageRequest, options: CallOptions = {}): Promise<SendMessageResponse> {
    checkSendable(request);
    return this.run(
      ({ calls }) => calls.call('SendMessage', request, decodeSendMessageResponse, options),
      options.signal,
    );
  }

  /**
   * Sends a message and gives what happens as it happens. Once a task is known, a stream that breaks is taken up again,
   * and each delta is told once. An agent that cannot stream is asked again and again instead.
   *
   * @throws A2AClientError `INVALID_ARGUMENT` when this is no request with a message in it
   */
  sendMessageStream(request: SendMessageRequest, options: CallOptions = {}): A2AStream {
    checkSendable(request);
    const { polling, ...resuming } = this.streamSettings;
    return this.streamOf(({ calls, streams }, view, call) => {
      if (!streams) return polledSend(calls, request, view, call, polling);
      const settings = { method: 'SendStreamingMessage' as const, params: request, call, polling, ...resuming };
      return new ResumingStream(calls, view, settings).events();
    }, options);
  }

  /** The task as it is. */
  getTask(request: GetTaskRequest | string, options: CallOptions = {}): Promise<Task> {
    return this.run(({ calls }) => calls.call('GetTask', byId(request), decodeTask, options), options.signal);
  }

  /** One page of the caller's tasks. */
  listTasks(request: ListTasksRequest = {}, options: CallOptions = {}): Promise<ListTasksResponse> {
    return this.run(({ calls }) => calls.call('ListTasks', request, decodeListTasksResponse, options), options.signal);
  }

  /** The tasks of all pages, which are asked for as they are needed. */
  async *allTasks(request: ListTasksRequest = {}, options: CallOptions = {}): AsyncGenerator<Task, void, undefined> {
    let { pageToken } = request;
    do {
      const page = await this.listTasks({ ...request, ...(pageToken && { pageToken }) }, options);
      yield* page.tasks;
      if (page.nextPageToken !== '' && page.nextPageToken === pageToken) {
        throw new A2AClientError('INVALID_ANSWER', 'The agent names the same page as the next one again');
      }
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
  }

  /** Asks the agent to stop, and gives the task as it is then. */
  cancelTask(request: CancelTaskRequest | string, options: CallOptions = {}): Promise<Task> {
    return this.run(({ calls }) => calls.call('CancelTask', byId(request), decodeTask, options), options.signal);
  }

  /** The task as it is, and then what happens to it, to its end. Taken up again when it breaks. */
  subscribeToTask(request: SubscribeToTaskRequest | string, options: CallOptions = {}): A2AStream {
    const { polling, ...resuming } = this.streamSettings;
    const params = byId(request);
    return this.streamOf(({ calls, streams }, view, call) => {
      if (!streams) return polledSubscription(calls, params.id, view, call, polling);
      const settings = {
        method: 'SubscribeToTask' as const,
        params,
        taskId: params.id,
        call,
        polling,
        ...resuming,
      };
      return new ResumingStream(calls, view, settings).events();
    }, options);
  }

  /** Has the agent call a URL whenever something happens to a task. */
  createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
    options?: CallOptions,
  ): Promise<TaskPushNotificationConfig>;
  /** @param token sent along with each call, so that the receiver knows who calls */
  createTaskPushNotificationConfig(taskId: string, url: string, token?: string): Promise<TaskPushNotificationConfig>;
  createTaskPushNotificationConfig(
    given: TaskPushNotificationConfig | string,
    more: CallOptions | string = {},
    token?: string,
  ): Promise<TaskPushNotificationConfig> {
    const url = typeof more === 'string' ? more : '';
    const config = typeof given === 'string' ? { taskId: given, url, ...(token !== undefined && { token }) } : given;
    const options = typeof more === 'string' ? {} : more;
    return this.run(
      ({ calls }) => calls.call('CreateTaskPushNotificationConfig', config, decodeTaskPushNotificationConfig, options),
      options.signal,
    );
  }

  /** One push configuration. */
  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    options: CallOptions = {},
  ): Promise<TaskPushNotificationConfig> {
    return this.run(
      ({ calls }) => calls.call('GetTaskPushNotificationConfig', request, decodeTaskPushNotificationConfig, options),
      options.signal,
    );
  }

  /** The push configurations of a task. */
  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest | string,
    options: CallOptions = {},
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const params = typeof request === 'string' ? { taskId: request } : request;
    return this.run(
      ({ calls }) =>
        calls.call('ListTaskPushNotificationConfigs', params, decodeListTaskPushNotificationConfigsResponse, options),
      options.signal,
    );
  }

  /** Ends what {@link createTaskPushNotificationConfig} began. */
  async deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    options: CallOptions = {},
  ): Promise<void> {
    await this.run(
      ({ calls }) => calls.call('DeleteTaskPushNotificationConfig', request, anything, options),
      options.signal,
    );
  }

  private streamOf(start: StreamStart, options: CallOptions): A2AStream {
    checkCallOptions(options);
    return new A2AStream((view, left) => this.runStream(start, view, options, left), new TaskView());
  }
}

function byId<T extends { id: string }>(request: T | string): T | { id: string } {
  return typeof request === 'string' ? { id: request } : request;
}
