import { randomUUID } from 'node:crypto';
import {
  InvalidParamsError,
  PayloadTooLargeError,
  PushNotificationNotSupportedError,
  ResourceExhaustedError,
  TaskNotFoundError,
  type SendMessageRequest,
  type Task,
} from 'nestjs-a2a/protocol';
import { sizeOf } from '../agent/agent-content.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { Awaitable } from '../awaitable.js';
import type { AcceptedMessage } from '../execution/accepted-message.js';
import { RunInput } from '../execution/run-input.js';
import type { SessionIdentity } from '../execution/session-identity.js';
import { belonging } from '../execution/task-message.js';
import type { TaskSession } from '../execution/task-session.js';
import { findTask, type RequestHandlerServices } from './request-handler.services.js';
import type { TaskMethod } from './task-access.js';

const MAX_REFERENCED_TASKS = 32;

/** Checks the messages that come in, and hands them to the executions with all that their runs need. */
export class MessageAcceptance {
  constructor(private readonly services: RequestHandlerServices) {}

  /** Takes a message on: from here it will be worked on, whatever becomes of its caller. */
  accept(request: SendMessageRequest, call: ServerCallContext, operation: TaskMethod): Awaitable<AcceptedMessage> {
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
    const inline = input.details.configuration.taskPushNotificationConfig;
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
    return new RunInput(
      message,
      sizeOf(message),
      call,
      access.scopeOf(call),
      { configuration: request.configuration ?? {}, metadata: request.metadata, referencedTasks },
      operation === 'SendStreamingMessage',
      access.decidesPerTask ? (reader, id) => access.mayRead(reader, id, 'GetTask') : undefined,
    );
  }

  /** The tasks that a message names, as far as the caller may see them; others are passed over in silence. */
  private async referencedTasks(ids: readonly string[] | undefined, call: ServerCallContext): Promise<Task[]> {
    if (ids === undefined || ids.length === 0) return [];
    const wanted = [...new Set(ids)].slice(0, MAX_REFERENCED_TASKS);
    const { access } = this.services;
    const found = await Promise.all(
      wanted.map(async (id) =>
        (await access.mayRead(call, id, 'GetTask')) ? findTask(this.services, id, call) : undefined,
      ),
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
}
