import { randomUUID } from 'node:crypto';
import {
  ExtendedAgentCardNotConfiguredError,
  InvalidParamsError,
  PayloadTooLargeError,
  PushNotificationNotSupportedError,
  ResourceExhaustedError,
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
import type { A2ASettings } from '../a2a.options.js';
import { isPending } from '../awaitable.js';

import { sizeOf } from '../agent/agent-content.js';
import type { AgentProfile } from '../agent/agent-profile.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { AcceptedMessage } from '../execution/accepted-message.js';
import type { AgentExecutions } from '../execution/agent-executions.js';
import type { RunStop } from '../execution/agent-run.js';
import type { RunInput } from '../execution/run-context.js';
import { belonging } from '../execution/task-message.js';
import type { SessionIdentity } from '../execution/session-identity.js';
import type { TaskSession } from '../execution/task-session.js';
import type { TaskSessionRegistry } from '../execution/task-session.registry.js';
import type { PushNotificationOperations } from '../push/push-notification.operations.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import { RequestHandler } from './request-handler.js';
import { waitForAnswer } from './send-wait.js';
import type { StreamFrame } from './stream-frame.js';
import type { TaskAccess, TaskMethod } from './task-access.js';
import { listTasks } from './task-listing.js';
import type { TaskStreams } from './task-streams.js';
import { taskView } from './task-view.js';

const MAX_REFERENCED_TASKS = 32;

/** What the operations need of their agent. */
export interface RequestHandlerServices {
  readonly agent: string;
  readonly settings: A2ASettings;
  readonly store: TaskStore;
  readonly sessions: TaskSessionRegistry;
  readonly executions: AgentExecutions;
  readonly streams: TaskStreams;
  readonly access: TaskAccess;
  readonly push: PushNotificationOperations;
  profile(): AgentProfile;
  extendedCard(call: ServerCallContext): Promise<AgentCard | undefined>;
}

/** The operations on this agent's store, sessions and streams. */
export class DefaultRequestHandler extends RequestHandler {
  constructor(private readonly services: RequestHandlerServices) {
    super();
  }

  override async sendMessage(request: SendMessageRequest, call: ServerCallContext): Promise<SendMessageResponse> {
    const accepting = this.accept(request, call, 'SendMessage');
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
    const accepted = await this.accept(request, call, 'SendStreamingMessage');
    // Nobody will read the stream, so nobody's leaving it can make the task appear.
    if (call.caller?.gone) void accepted.session.materialise().catch(() => undefined);
    return this.services.streams.ofMessage(accepted);
  }

  override async getTask(request: GetTaskRequest, call: ServerCallContext): Promise<Task> {
    await this.services.access.checkRead(call, request.id, 'GetTask');
    const snapshot = await this.find(request.id, call);
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

  /** Takes a message on: from here it will be worked on, whatever becomes of its caller. */
  private accept(
    request: SendMessageRequest,
    call: ServerCallContext,
    operation: TaskMethod,
  ): AcceptedMessage | Promise<AcceptedMessage> {
    const { profile, settings } = this.services;
    const { taskId, referenceTaskIds } = request.message;
    const inline = request.configuration?.taskPushNotificationConfig;
    if (inline && !profile().pushNotifications) throw new PushNotificationNotSupportedError();
    if (settings.checkInputModes) profile().checkInput(request.message);
    if (taskId) return this.acceptFollowUp(request, call, operation, taskId);
    const { access } = this.services;
    // Most messages need nobody's answer before they are taken on.
    if (access.decidesPerTask || settings.maxTasksPerOwner > 0 || referenceTaskIds || inline) {
      return this.acceptAfterChecks(request, call, operation);
    }
    const identity = this.newTask(request, call);
    return this.services.executions.start(identity, this.firstInput(request, call, identity, operation, []));
  }

  private async acceptAfterChecks(
    request: SendMessageRequest,
    call: ServerCallContext,
    operation: TaskMethod,
  ): Promise<AcceptedMessage> {
    const { access, executions, push } = this.services;
    const inline = request.configuration?.taskPushNotificationConfig;
    if (inline) await push.checkInline(inline, undefined);
    await access.checkCreate(call, operation);
    await this.checkTasksOfOwner(call);
    const referenced = await this.referencedTasks(request.message.referenceTaskIds, call);
    const identity = this.newTask(request, call);
    const input = this.firstInput(request, call, identity, operation, referenced);
    if (!access.decidesPerTask && !inline) return executions.start(identity, input);
    try {
      return await executions.startAfter(identity, input, async () => {
        await access.record(call, identity.key.id, operation);
        if (inline) await push.attachToNew(identity.key, inline);
      });
    } catch (error) {
      if (inline) await push.detachNew(identity.key, inline);
      throw error;
    }
  }

  private newTask(request: SendMessageRequest, call: ServerCallContext): SessionIdentity {
    const key = { agent: this.services.agent, tenant: call.tenant, id: randomUUID() };
    return { key, owner: call.user.id, contextId: request.message.contextId || randomUUID() };
  }

  private async acceptFollowUp(
    request: SendMessageRequest,
    call: ServerCallContext,
    operation: TaskMethod,
    taskId: string,
  ): Promise<AcceptedMessage> {
    const { access, sessions, push } = this.services;
    const inline = request.configuration?.taskPushNotificationConfig;
    if (inline) await push.checkInline(inline, taskId);
    await access.checkWrite(call, taskId, operation);
    const session = await sessions.open(access.scopeOf(call), taskId);
    if (session === undefined) throw new TaskNotFoundError(taskId);
    try {
      const { contextId } = request.message;
      if (contextId && contextId !== session.identity.contextId) {
        throw new InvalidParamsError([
          { field: 'message.contextId', description: 'is not the context of the task that message.taskId names' },
        ]);
      }
      const referenced = await this.referencedTasks(request.message.referenceTaskIds, call);
      await push.resume(session);
      return await this.followUp(session, this.runInput(request, call, session.identity, operation, referenced));
    } finally {
      sessions.release(session);
    }
  }

  private async followUp(session: TaskSession, input: RunInput): Promise<AcceptedMessage> {
    const { executions, push } = this.services;
    const inline = input.configuration.taskPushNotificationConfig;
    const attached = inline && (await push.attach(session, inline));
    try {
      const accepted = await executions.followUp(session, input);
      attached?.follow(accepted.snapshot);
      return accepted;
    } catch (error) {
      await attached?.undo();
      throw error;
    }
  }

  /** @throws PayloadTooLargeError when the message alone fills the task */
  private firstInput(
    request: SendMessageRequest,
    call: ServerCallContext,
    identity: SessionIdentity,
    operation: TaskMethod,
    referenced: Task[],
  ): RunInput {
    const input = this.runInput(request, call, identity, operation, referenced);
    const { maxTaskBytes } = this.services.settings;
    if (input.bytes > maxTaskBytes) throw new PayloadTooLargeError(maxTaskBytes);
    return input;
  }

  private runInput(
    request: SendMessageRequest,
    call: ServerCallContext,
    identity: SessionIdentity,
    operation: TaskMethod,
    referencedTasks: Task[],
  ): RunInput {
    const message = belonging(request.message, identity);
    const { access } = this.services;
    return {
      message,
      bytes: sizeOf(message),
      configuration: request.configuration ?? {},
      metadata: request.metadata,
      referencedTasks,
      call,
      scope: access.scopeOf(call),
      followed: operation === 'SendStreamingMessage',
      ...(access.decidesPerTask && { mayRead: (reader, id) => access.mayRead(reader, id, 'GetTask') }),
    };
  }

  /** The tasks that a message names, as far as the caller may see them; others are passed over in silence. */
  private async referencedTasks(ids: readonly string[] | undefined, call: ServerCallContext): Promise<Task[]> {
    if (ids === undefined || ids.length === 0) return [];
    const wanted = [...new Set(ids)].slice(0, MAX_REFERENCED_TASKS);
    const { access } = this.services;
    const found = await Promise.all(
      wanted.map(async (id) => ((await access.mayRead(call, id, 'GetTask')) ? this.find(id, call) : undefined)),
    );
    return found.flatMap((snapshot) => (snapshot === undefined ? [] : [snapshot.toTask()]));
  }

  private async checkTasksOfOwner(call: ServerCallContext): Promise<void> {
    const { maxTasksPerOwner } = this.services.settings;
    if (maxTasksPerOwner === 0) return;
    const { access, store } = this.services;
    const scope = { ...access.scopeOf(call), owner: call.user.id };
    const { total } = await store.list({ scope, limit: 0 });
    if (total >= maxTasksPerOwner) {
      throw new ResourceExhaustedError(
        `You have ${total} tasks here already; more are possible when old ones are gone`,
      );
    }
  }

  /** A task in the caller's scope, as its readers have seen it last: a live session knows more than the store. */
  private async find(id: string, call: ServerCallContext): Promise<TaskSnapshot | undefined> {
    const { access, sessions, store } = this.services;
    const record = await store.get(access.scopeOf(call), id);
    return record && (sessions.find(record.key)?.snapshot ?? record.snapshot);
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
