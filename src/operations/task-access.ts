import { TaskNotFoundError, UnavailableError, type A2AMethod } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';
import { isDenial, refusalOf } from '../authorization/authorization-refusal.js';
import type { AuthorizationVerdict, TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { TaskOperation } from '../authorization/task-operation.js';
import { settledWithin } from '../execution/deferred.js';
import type { TaskScope } from '../tasks/task-store.js';

/** The methods that have to do with tasks. */
export type TaskMethod = Exclude<A2AMethod, 'GetExtendedAgentCard'>;

const OPERATION_OF: Readonly<Record<TaskMethod, TaskOperation>> = {
  SendMessage: TaskOperation.MESSAGE_SEND,
  SendStreamingMessage: TaskOperation.MESSAGE_SEND_STREAM,
  GetTask: TaskOperation.GET_TASK,
  ListTasks: TaskOperation.LIST_TASKS,
  CancelTask: TaskOperation.CANCEL_TASK,
  SubscribeToTask: TaskOperation.SUBSCRIBE_TO_TASK,
  CreateTaskPushNotificationConfig: TaskOperation.CREATE_TASK_PUSH_NOTIFICATION_CONFIG,
  GetTaskPushNotificationConfig: TaskOperation.GET_TASK_PUSH_NOTIFICATION_CONFIG,
  ListTaskPushNotificationConfigs: TaskOperation.LIST_TASK_PUSH_NOTIFICATION_CONFIGS,
  DeleteTaskPushNotificationConfig: TaskOperation.DELETE_TASK_PUSH_NOTIFICATION_CONFIG,
};

/** Stands for "any task" where a list as a whole is asked about. */
const ALL_TASKS = '';
const RETRY_AFTER_SECONDS = 5;

/** Where the host's provider is known, once the app has started. */
export interface AuthorizationSource {
  readonly authorization: TaskAuthorizationProvider | undefined;
}

/**
 * Who may do what with which task: the host's provider if there is one, else each task belongs to who made it. Every
 * check comes before the store is looked at, so that a refusal says nothing of what exists.
 */
export class TaskAccess {
  /** @param recordMs how long recording an owner may take, 0 = without limit: a slot for the run is held meanwhile */
  constructor(
    private readonly agent: string,
    private readonly source: AuthorizationSource,
    private readonly recordMs = 0,
  ) {}

  private get provider(): TaskAuthorizationProvider | undefined {
    return this.source.authorization;
  }

  /** Whether a provider decides, task by task. */
  get decidesPerTask(): boolean {
    return this.provider !== undefined;
  }

  /** Where a call may look for tasks at all. */
  scopeOf(call: ServerCallContext): TaskScope {
    const { agent } = this;
    const { tenant } = call;
    return this.provider === undefined ? { agent, tenant, owner: call.user.id } : { agent, tenant };
  }

  /** @throws TaskNotFoundError, or the reason that the provider gives */
  async checkCreate(call: ServerCallContext, method: TaskMethod): Promise<void> {
    await this.check('', (provider) => provider.checkCreate(call, OPERATION_OF[method]));
  }

  /** @throws TaskNotFoundError, or the reason that the provider gives */
  async checkRead(call: ServerCallContext, taskId: string, method: TaskMethod): Promise<void> {
    await this.check(taskId, (provider) => provider.checkRead(call, taskId, OPERATION_OF[method]));
  }

  /** @throws TaskNotFoundError, or the reason that the provider gives */
  async checkWrite(call: ServerCallContext, taskId: string, method: TaskMethod): Promise<void> {
    await this.check(taskId, (provider) => provider.checkWrite(call, taskId, OPERATION_OF[method]));
  }

  /** Whether the caller may list at all. @throws TaskNotFoundError, or the reason that the provider gives */
  async checkList(call: ServerCallContext): Promise<void> {
    await this.checkRead(call, ALL_TASKS, 'ListTasks');
  }

  /**
   * The same as {@link checkRead} for one task among others, where a denied one is passed over in silence.
   *
   * @throws what the provider throws, unless that denies
   */
  async mayRead(call: ServerCallContext, taskId: string, method: TaskMethod): Promise<boolean> {
    try {
      await this.checkRead(call, taskId, method);
      return true;
    } catch (refusal) {
      if (isDenial(refusal)) return false;
      throw refusal;
    }
  }

  /** Tells the provider whose a new task is. */
  async record(call: ServerCallContext, taskId: string, method: TaskMethod): Promise<void> {
    const { provider } = this;
    if (provider === undefined) return;
    const recording = recordBy(provider, call, taskId, OPERATION_OF[method]);
    if (this.recordMs > 0 && !(await settledWithin(recording, this.recordMs))) {
      throw new UnavailableError('Whose task it is could not be recorded in time', RETRY_AFTER_SECONDS);
    }
    try {
      await recording;
    } catch (thrown) {
      throw refusalOf(thrown, taskId);
    }
  }

  private async check(
    taskId: string,
    ask: (provider: TaskAuthorizationProvider) => AuthorizationVerdict,
  ): Promise<void> {
    const { provider } = this;
    if (provider === undefined) return;
    let allowed: unknown;
    try {
      allowed = await ask(provider);
    } catch (thrown) {
      throw refusalOf(thrown, taskId);
    }
    // Whatever else a host's code gives, an object that says no or a promise in a promise, is no yes.
    if (allowed !== true) throw new TaskNotFoundError(taskId);
  }
}

async function recordBy(
  provider: TaskAuthorizationProvider,
  call: ServerCallContext,
  taskId: string,
  operation: TaskOperation,
): Promise<void> {
  if ((await provider.isTaskRecorded(taskId, call)) === true) return;
  await provider.recordOwnership(call, taskId, operation);
}
