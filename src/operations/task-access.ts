import { TaskNotFoundError, type A2AMethod } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import type { TaskScope } from '../tasks/task-store.js';

/** Where the host's provider is known, once the app has started. */
export interface AuthorizationSource {
  readonly authorization: TaskAuthorizationProvider | undefined;
}

/** Who may do what with which task: the host's provider if there is one, else each task belongs to who made it. */
export class TaskAccess {
  constructor(
    private readonly agent: string,
    private readonly source: AuthorizationSource,
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
    const scope = { agent: this.agent, tenant: call.tenant };
    return this.provider === undefined ? { ...scope, owner: call.user.id } : scope;
  }

  /** @throws TaskNotFoundError */
  async checkCreate(call: ServerCallContext, operation: A2AMethod): Promise<void> {
    if (this.provider && !(await this.provider.checkCreate(call, operation))) throw new TaskNotFoundError('');
  }

  /** @throws TaskNotFoundError */
  async checkWrite(call: ServerCallContext, taskId: string, operation: A2AMethod): Promise<void> {
    if (this.provider && !(await this.provider.checkWrite(call, taskId, operation))) {
      throw new TaskNotFoundError(taskId);
    }
  }

  async mayRead(call: ServerCallContext, taskId: string, operation: A2AMethod): Promise<boolean> {
    return this.provider === undefined || (await this.provider.checkRead(call, taskId, operation));
  }

  /** Tells the provider whose a new task is. */
  async record(call: ServerCallContext, taskId: string, operation: A2AMethod): Promise<void> {
    if (this.provider === undefined || (await this.provider.isTaskRecorded(taskId))) return;
    await this.provider.recordOwnership(call, taskId, operation);
  }
}
