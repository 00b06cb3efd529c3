import type { ServerCallContext } from '../agent/server-call-context.js';
import { TaskAuthorizationProvider } from './task-authorization.provider.js';
import type { TaskOperation } from './task-operation.js';

type Resolve = (call: ServerCallContext) => Promise<TaskAuthorizationProvider>;

/** Stands for a provider that the host has scoped to requests: one instance for each call, made when first asked. */
export class PerCallAuthorization extends TaskAuthorizationProvider {
  private readonly resolved = new WeakMap<ServerCallContext, Promise<TaskAuthorizationProvider>>();

  constructor(private readonly resolve: Resolve) {
    super();
  }

  override async checkCreate(call: ServerCallContext, operation: TaskOperation): Promise<boolean> {
    return (await this.providerFor(call)).checkCreate(call, operation);
  }

  override async checkRead(call: ServerCallContext, taskId: string, operation: TaskOperation): Promise<boolean> {
    return (await this.providerFor(call)).checkRead(call, taskId, operation);
  }

  override async checkWrite(call: ServerCallContext, taskId: string, operation: TaskOperation): Promise<boolean> {
    return (await this.providerFor(call)).checkWrite(call, taskId, operation);
  }

  override async isTaskRecorded(taskId: string, call: ServerCallContext): Promise<boolean> {
    return (await this.providerFor(call)).isTaskRecorded(taskId, call);
  }

  override async recordOwnership(call: ServerCallContext, taskId: string, operation: TaskOperation): Promise<void> {
    await (await this.providerFor(call)).recordOwnership(call, taskId, operation);
  }

  private providerFor(call: ServerCallContext): Promise<TaskAuthorizationProvider> {
    const known = this.resolved.get(call);
    if (known !== undefined) return known;
    const made = this.resolve(call);
    this.resolved.set(call, made);
    return made;
  }
}
