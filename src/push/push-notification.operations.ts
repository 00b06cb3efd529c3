import { randomUUID } from 'node:crypto';
import {
  InvalidParamsError,
  TaskNotFoundError,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type TaskPushNotificationConfig,
} from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskSession } from '../execution/task-session.js';
import type { TaskSessionRegistry } from '../execution/task-session.registry.js';
import type { TaskAccess } from '../operations/task-access.js';
import type { TaskKey } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import { answeredWithin } from './answered-within.js';
import { checkPushConfig } from './push-config-check.js';
import { configCursorOf, configPageToken } from './push-config-page-token.js';
import type { PushLog } from './push-log.js';
import type { PushNotificationConfigStore, StoredPushConfig } from './push-notification-config-store.js';
import type { PushSubscriptions } from './push-subscriptions.js';
import type { PushUrlPolicy } from './push-url.policy.js';
import { inlineConfig, shown, storedConfig } from './stored-config.js';

const MAX_PAGE_SIZE = 100;

/** What the operations need of their agent. */
export interface PushOperationServices {
  readonly maxPushConfigsPerTask: number;
  readonly snapshotOnCreate: boolean;
  /** How long the policy may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly tasks: TaskStore;
  readonly sessions: TaskSessionRegistry;
  readonly access: TaskAccess;
  readonly configs: PushNotificationConfigStore;
  readonly policy: PushUrlPolicy;
  readonly subscriptions: PushSubscriptions;
  readonly log: PushLog;
}

/** A config that came with a message, stored before the message is taken on. */
export interface AttachedConfig {
  /**
   * The message was taken on: notifies from here.
   *
   * @param snapshot the task as the message found it
   */
  follow(snapshot: TaskSnapshot | undefined): void;
  /** It was not: everything is as before. */
  undo(): Promise<void>;
}

/** The four operations on push notification configs, and the configs that come with messages. */
export class PushNotificationOperations {
  constructor(private readonly services: PushOperationServices) {}

  async create(request: TaskPushNotificationConfig, call: ServerCallContext): Promise<TaskPushNotificationConfig> {
    const taskId = request.taskId ?? '';
    if (taskId === '') throw new InvalidParamsError([{ field: 'taskId', description: 'is required' }]);
    await this.check(request, '');
    const { access, sessions, snapshotOnCreate } = this.services;
    await access.checkWrite(call, taskId, 'CreateTaskPushNotificationConfig');
    // While it is held, nobody can end the task behind our back.
    const session = await sessions.open(access.scopeOf(call), taskId);
    if (session === undefined) throw new TaskNotFoundError(taskId);
    try {
      await this.resume(session);
      const { key } = session.identity;
      const config = storedConfig(request, key, request.id || randomUUID());
      await this.save(key, config);
      this.followNow(session, config, snapshotOnCreate);
      return shown(config);
    } finally {
      sessions.release(session);
    }
  }

  async get(
    request: GetTaskPushNotificationConfigRequest,
    call: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    const key = await this.readable(request.taskId, call, 'GetTaskPushNotificationConfig');
    const config = await this.services.configs.get(key, request.id);
    if (config === undefined) throw new TaskNotFoundError(request.taskId);
    return shown(config);
  }

  async list(
    request: ListTaskPushNotificationConfigsRequest,
    call: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const after = request.pageToken ? configCursorOf(request.pageToken) : undefined;
    const key = await this.readable(request.taskId, call, 'ListTaskPushNotificationConfigs');
    const limit = Math.min(request.pageSize ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
    const { configs, next } = await this.services.configs.list(key, limit, after);
    return { configs: configs.map(shown), nextPageToken: next === undefined ? '' : configPageToken(next) };
  }

  async delete(request: DeleteTaskPushNotificationConfigRequest, call: ServerCallContext): Promise<void> {
    const { access, tasks, configs, subscriptions } = this.services;
    const { taskId, id } = request;
    await access.checkWrite(call, taskId, 'DeleteTaskPushNotificationConfig');
    const record = await tasks.get(access.scopeOf(call), taskId);
    if (record === undefined) throw new TaskNotFoundError(taskId);
    await configs.delete(record.key, id);
    subscriptions.drop(record.key, id);
  }

  /**
   * Checks the config that comes with a message, before anything is made of the message.
   *
   * @throws InvalidParamsError
   */
  async checkInline(config: TaskPushNotificationConfig, taskId: string | undefined): Promise<void> {
    const path = 'configuration.taskPushNotificationConfig.';
    if (config.taskId && config.taskId !== taskId) {
      throw new InvalidParamsError([
        { field: `${path}taskId`, description: 'must be empty: the message says which task' },
      ]);
    }
    await this.check(config, path);
  }

  /** Stores the config of a message that makes a task, and notifies it from the first event on. */
  async attachToNew(key: TaskKey, config: TaskPushNotificationConfig): Promise<void> {
    const stored = inlineConfig(config, key);
    await this.save(key, stored);
    this.services.subscriptions.follow(key, stored, 0);
  }

  /** Takes everything of {@link attachToNew} back: the task will not be. */
  async detachNew(key: TaskKey, config: TaskPushNotificationConfig): Promise<void> {
    this.services.subscriptions.drop(key, inlineConfig(config, key).id);
    await this.services.configs.deleteAll(key);
  }

  /** Stores the config of a follow-up. */
  async attach(session: TaskSession, config: TaskPushNotificationConfig): Promise<AttachedConfig> {
    const { configs, subscriptions, snapshotOnCreate } = this.services;
    const { key } = session.identity;
    const stored = inlineConfig(config, key);
    const before = session.snapshot?.sequence ?? 0;
    const replaced = await configs.get(key, stored.id);
    await this.save(key, stored);
    // What the message makes happen must still be there when it was taken on.
    session.watch();
    return {
      follow: (snapshot) => {
        if (snapshotOnCreate) this.followFrom(snapshot, session, stored);
        else if (subscriptions.covers(key, before, session.published)) subscriptions.follow(key, stored, before);
        else this.followNow(session, stored, true);
      },
      undo: async () => {
        if (replaced) await this.save(key, replaced);
        else await configs.delete(key, stored.id);
      },
    };
  }

  /** Sees to it that a task's configs are notified of what is going to happen to it. */
  async resume({ identity, snapshot }: TaskSession): Promise<void> {
    if (snapshot === undefined || snapshot.ended) return;
    await this.services.subscriptions.resume(identity.key, snapshot.sequence);
  }

  /** From the task as it was, when what happened since can still be had; else from the task as it is. */
  private followFrom(snapshot: TaskSnapshot | undefined, session: TaskSession, config: StoredPushConfig): void {
    const { subscriptions } = this.services;
    const { key } = session.identity;
    if (snapshot !== undefined && subscriptions.covers(key, snapshot.sequence, session.published)) {
      subscriptions.followFrom(snapshot, key, config);
    } else {
      this.followNow(session, config, true);
    }
  }

  private followNow(session: TaskSession, config: StoredPushConfig, withSnapshot: boolean): void {
    const { subscriptions } = this.services;
    const { identity, snapshot } = session;
    if (snapshot !== undefined && withSnapshot) subscriptions.followFrom(snapshot, identity.key, config);
    else if (snapshot?.ended) subscriptions.taskHasEnded(identity.key, config.id);
    else subscriptions.follow(identity.key, config, snapshot?.sequence ?? 0);
  }

  private async save(key: TaskKey, config: StoredPushConfig): Promise<void> {
    const { configs, maxPushConfigsPerTask } = this.services;
    if (await configs.save(key, config, maxPushConfigsPerTask)) return;
    const description = `the task has ${maxPushConfigsPerTask} configs already: delete one, or replace one by its id`;
    throw new InvalidParamsError([{ field: 'id', description }]);
  }

  private async check(config: TaskPushNotificationConfig, path: string): Promise<void> {
    checkPushConfig(config, path);
    if (await this.mayRegister(config.url)) return;
    throw new InvalidParamsError([{ field: `${path}url`, description: 'is not allowed for push notifications' }]);
  }

  private async mayRegister(url: string): Promise<boolean> {
    const { policy, log, timeoutMs } = this.services;
    try {
      // Host code may give anything: only a plain yes is one.
      return (await answeredWithin(policy.mayRegister(url), timeoutMs)) === true;
    } catch (error) {
      log.policyFailed(error);
      return false;
    }
  }

  /** @throws TaskNotFoundError */
  private async readable(
    taskId: string,
    call: ServerCallContext,
    operation: 'GetTaskPushNotificationConfig' | 'ListTaskPushNotificationConfigs',
  ): Promise<TaskKey> {
    const { access, tasks } = this.services;
    await access.checkRead(call, taskId, operation);
    const record = await tasks.get(access.scopeOf(call), taskId);
    if (record === undefined) throw new TaskNotFoundError(taskId);
    return record.key;
  }
}
