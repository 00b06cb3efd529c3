import {
  ExtendedAgentCardNotConfiguredError,
  TaskNotFoundError,
  UnauthenticatedError,
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import type { ServerCallContext } from '../agent/server-call-context.js';
import { isPending } from '../awaitable.js';
import type { RunStop } from '../execution/agent-run.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import { MessageAcceptance } from './message-acceptance.js';
import { RequestHandler } from './request-handler.js';
import { findTask, type RequestHandlerServices } from './request-handler.services.js';
import { waitForAnswer } from './send-wait.js';
import type { StreamFrame } from './stream-frame.js';
import { listTasks } from './task-listing.js';
import { taskView } from './task-view.js';

/** The operations on this agent's store, sessions and streams. */
export class DefaultRequestHandler extends RequestHandler {
  private readonly messages: MessageAcceptance;

  constructor(private readonly services: RequestHandlerServices) {
    super();
    this.messages = new MessageAcceptance(services);
  }

  override async sendMessage(request: SendMessageRequest, call: ServerCallContext): Promise<SendMessageResponse> {
    const accepting = this.messages.accept(request, call, 'SendMessage');
    const accepted = isPending(accepting) ? await accepting : accepting;
    const { settings } = this.services;
    const returnImmediately = request.configuration?.returnImmediately === true;
    const stop = await waitForAnswer(accepted, { returnImmediately, settings, caller: call.caller });
    return this.answer(stop, request.configuration?.historyLength);
  }

  override async sendStreamingMessage(
    request: SendMessageRequest,
    call: ServerCallContext,
  ): Promise<Observable<StreamFrame>> {
    const accepted = await this.messages.accept(request, call, 'SendStreamingMessage');
    // Nobody will read the stream, so nobody's leaving it can make the task appear.
    if (call.caller?.gone) void accepted.session.materialise().catch(() => undefined);
    return this.services.streams.ofMessage(accepted);
  }

  override async getTask(request: GetTaskRequest, call: ServerCallContext): Promise<Task> {
    await this.services.access.checkRead(call, request.id, 'GetTask');
    const snapshot = await findTask(this.services, request.id, call);
    if (snapshot === undefined) throw new TaskNotFoundError(request.id);
    return this.view(snapshot, request.historyLength);
  }

  override async listTasks(request: ListTasksRequest, call: ServerCallContext): Promise<ListTasksResponse> {
    return listTasks(request, call, this.services);
  }

  override async cancelTask(request: CancelTaskRequest, call: ServerCallContext): Promise<Task> {
    const { access, sessions, executions, push } = this.services;
    await access.checkWrite(call, request.id, 'CancelTask');
    const session = await sessions.open(access.scopeOf(call), request.id);
    if (session === undefined) throw new TaskNotFoundError(request.id);
    try {
      await push.resume(session);
      return this.view(await executions.cancel(session, call, request.metadata));
    } finally {
      sessions.release(session);
    }
  }

  override async subscribeToTask(
    request: SubscribeToTaskRequest,
    call: ServerCallContext,
    lastEventId?: number,
  ): Promise<Observable<StreamFrame>> {
    const { access, sessions, streams } = this.services;
    await access.checkRead(call, request.id, 'SubscribeToTask');
    // While it is held, nobody can end the task behind our back.
    const session = await sessions.open(access.scopeOf(call), request.id);
    if (session === undefined) throw new TaskNotFoundError(request.id);
    try {
      const resumed = lastEventId === undefined ? undefined : await streams.resumed(session, lastEventId);
      return resumed ?? streams.ofTask(session);
    } finally {
      sessions.release(session);
    }
  }

  override createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.services.push.create(request, call);
  }

  override getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.services.push.get(request, call);
  }

  override listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    call: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.services.push.list(request, call);
  }

  override deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<void> {
    return this.services.push.delete(request, call);
  }

  override async getExtendedAgentCard(
    _request: GetExtendedAgentCardRequest,
    call: ServerCallContext,
  ): Promise<AgentCard> {
    if (!call.user.authenticated) throw new UnauthenticatedError();
    const card = await this.services.extendedCard(call);
    if (card === undefined) throw new ExtendedAgentCardNotConfiguredError();
    return card;
  }

  private answer(stop: RunStop, historyLength: number | undefined): SendMessageResponse {
    if (stop.kind === 'error') throw stop.error;
    if (stop.kind === 'message') return { message: stop.message };
    return { task: this.view(stop.snapshot, historyLength) };
  }

  private view(snapshot: TaskSnapshot, historyLength?: number): Task {
    const { historyMaxRawBytes } = this.services.settings;
    return taskView(snapshot, { historyLength, historyMaxRawBytes });
  }
}
