import { randomUUID } from 'node:crypto';
import {
  ExtendedAgentCardNotConfiguredError,
  InvalidParamsError,
  PayloadTooLargeError,
  PushNotificationNotSupportedError,
  ResourceExhaustedError,
  TaskNotFoundError,
  UnauthenticatedError,
  type A2AMethod,
  type AgentCard,
  type CancelTaskRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type SubscribeToTaskRequest,
  type Task,
} from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import type { A2ASettings } from '../a2a.options.js';
import { sizeOf } from '../agent/agent-content.js';
import type { AgentProfile } from '../agent/agent-profile.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { AcceptedMessage } from '../execution/accepted-message.js';
import type { AgentExecutions } from '../execution/agent-executions.js';
import type { RunStop } from '../execution/agent-run.js';
import type { RunInput } from '../execution/run-context.js';
import type { SessionIdentity } from '../execution/session-identity.js';
import type { TaskSessionRegistry } from '../execution/task-session.registry.js';
import type { TaskRecord } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import { RequestHandler } from './request-handler.js';
import { waitForAnswer } from './send-wait.js';
import type { StreamFrame } from './stream-frame.js';
import type { TaskAccess } from './task-access.js';
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
    const accepted = accepting instanceof Promise ? await accepting : accepting;
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
    const { snapshot } = await this.readable(request.id, call, 'GetTask');
    return this.view(snapshot, request.historyLength);
  }

  override async listTasks(request: ListTasksRequest, call: ServerCallContext): Promise<ListTasksResponse> {
    return listTasks(request, call, this.services);
  }

  override async cancelTask(request: CancelTaskRequest, call: ServerCallContext): Promise<Task> {
    const { access, sessions, executions } = this.services;
    const session = await sessions.open(access.scopeOf(call), request.id);
    if (session === undefined) throw new TaskNotFoundError(request.id);
    try {
      await access.checkWrite(call, request.id, 'CancelTask');
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
    // While it is held, nobody can end the task behind our back.
    const session = await sessions.open(access.scopeOf(call), request.id);
    if (session === undefined) throw new TaskNotFoundError(request.id);
    try {
      if (!(await access.mayRead(call, request.id, 'SubscribeToTask'))) throw new TaskNotFoundError(request.id);
      const resumed = lastEventId === undefined ? undefined : await streams.resumed(session, lastEventId);
      return resumed ?? streams.ofTask(session);
    } finally {
      sessions.release(session);
    }
  }

  override async createTaskPushNotificationConfig(): Promise<never> {
    throw new PushNotificationNotSupportedError();
  }

  override async getTaskPushNotificationConfig(): Promise<never> {
    throw new PushNotificationNotSupportedError();
  }

  override async listTaskPushNotificationConfigs(): Promise<never> {
    throw new PushNotificationNotSupportedError();
  }

  override async deleteTaskPushNotificationConfig(): Promise<never> {
    throw new PushNotificationNotSupportedError();
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
    operation: A2AMethod,
  ): AcceptedMessage | Promise<AcceptedMessage> {
    const { profile, settings } = this.services;
    if (request.configuration?.taskPushNotificationConfig) throw new PushNotificationNotSupportedError();
    if (settings.checkInputModes) profile().checkInput(request.message);
    const { taskId, referenceTaskIds } = request.message;
    if (taskId) return this.acceptFollowUp(request, call, operation, taskId);
    if (sizeOf(request.message) > settings.maxTaskBytes) throw new PayloadTooLargeError(settings.maxTaskBytes);
    const { access } = this.services;
    // Most messages need nobody's answer before they are taken on.
    if (access.decidesPerTask || settings.maxTasksPerOwner > 0 || referenceTaskIds) {
      return this.acceptAfterChecks(request, call, operation);
    }
    return this.services.executions.start(this.newTask(request, call), this.runInput(request, call, []));
  }

  private async acceptAfterChecks(
    request: SendMessageRequest,
    call: ServerCallContext,
    operation: A2AMethod,
  ): Promise<AcceptedMessage> {
    const { access, executions } = this.services;
    await access.checkCreate(call, operation);
    await this.checkTasksOfOwner(call);
    const input = this.runInput(request, call, await this.referencedTasks(request.message.referenceTaskIds, call));
    const identity = this.newTask(request, call);
    if (!access.decidesPerTask) return executions.start(identity, input);
    return executions.startAfter(identity, input, () => access.record(call, identity.key.id, operation));
  }

  private newTask(request: SendMessageRequest, call: ServerCallContext): SessionIdentity {
    const key = { agent: this.services.agent, tenant: call.tenant, id: randomUUID() };
    return { key, owner: call.user.id, contextId: request.message.contextId || randomUUID() };
  }

  private async acceptFollowUp(
    request: SendMessageRequest,
    call: ServerCallContext,
    operation: A2AMethod,
    taskId: string,
  ): Promise<AcceptedMessage> {
    const { access, sessions, executions } = this.services;
    const session = await sessions.open(access.scopeOf(call), taskId);
    if (session === undefined) throw new TaskNotFoundError(taskId);
    try {
      await access.checkWrite(call, taskId, operation);
      const { contextId } = request.message;
      if (contextId && contextId !== session.identity.contextId) {
        throw new InvalidParamsError([
          { field: 'message.contextId', description: 'is not the context of the task that message.taskId names' },
        ]);
      }
      const referenced = await this.referencedTasks(request.message.referenceTaskIds, call);
      return await executions.followUp(session, this.runInput(request, call, referenced));
    } finally {
      sessions.release(session);
    }
  }

  private runInput(request: SendMessageRequest, call: ServerCallContext, referencedTasks: Task[]): RunInput {
    const { message, configuration, metadata } = request;
    return {
      message,
      configuration: configuration ?? {},
      metadata,
      referencedTasks,
      call,
      scope: this.services.access.scopeOf(call),
    };
  }

  /** The tasks that a message names, as far as the caller may see them; others are passed over in silence. */
  private async referencedTasks(ids: readonly string[] | undefined, call: ServerCallContext): Promise<Task[]> {
    if (ids === undefined || ids.length === 0) return [];
    const wanted = [...new Set(ids)].slice(0, MAX_REFERENCED_TASKS);
    const found = await Promise.all(wanted.map((id) => this.find(id, call, 'GetTask')));
    return found.flatMap((entry) => (entry === undefined ? [] : [entry.snapshot.toTask()]));
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

  private async readable(id: string, call: ServerCallContext, operation: A2AMethod): Promise<FoundTask> {
    const found = await this.find(id, call, operation);
    if (found === undefined) throw new TaskNotFoundError(id);
    return found;
  }

  /** A task in the caller's scope, as its readers have seen it last: a live session knows more than the store. */
  private async find(id: string, call: ServerCallContext, operation: A2AMethod): Promise<FoundTask | undefined> {
    const { access, sessions, store } = this.services;
    const record = await store.get(access.scopeOf(call), id);
    if (record === undefined || !(await access.mayRead(call, id, operation))) return undefined;
    return { record, snapshot: sessions.find(record.key)?.snapshot ?? record.snapshot };
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

interface FoundTask {
  readonly record: TaskRecord;
  readonly snapshot: TaskSnapshot;
}
