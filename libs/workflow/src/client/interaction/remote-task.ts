import { isTerminal, type StreamResponse, type Task, type TaskState } from 'nestjs-a2a/protocol';
import { WorkflowStateError } from '../../errors/workflow.error.js';
import { isBlank } from '../../model/blank.js';

/** The agent's task of one interaction: which one it is, and whether it has ended. */
export class RemoteTask {
  private known: string | undefined;
  private ended = false;

  constructor(private readonly contextId: string) {}

  /** As soon as anything has shown it. */
  get id(): string | undefined {
    return this.known;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  /** @returns whether the task was not known before */
  see(event: StreamResponse): boolean {
    if ('message' in event) return false;
    if ('task' in event) return this.take(event.task.id, event.task.status.state);
    if ('statusUpdate' in event) return this.take(event.statusUpdate.taskId, event.statusUpdate.status.state);
    return this.take(event.artifactUpdate.taskId);
  }

  /**
   * Checks that what a stream tells is about this task. That it leaves its conversation out is no contradiction yet.
   *
   * @throws WorkflowStateError when it is about another one
   */
  check(event: StreamResponse): void {
    if ('message' in event) return;
    const { taskId, contextId } = placeOf(event);
    if (taskId !== this.known || (!isBlank(contextId) && contextId !== this.contextId)) throw identityChanged();
  }

  /** Takes a task up that was begun before. */
  adopt(id: string): void {
    this.known = id;
  }

  /** @throws WorkflowStateError when this is another task, or one of another conversation */
  confirm({ id, contextId, status }: Task): void {
    if (isBlank(id) || contextId !== this.contextId || (this.known !== undefined && id !== this.known)) {
      throw identityChanged();
    }
    this.take(id, status.state);
  }

  private take(id: string, state?: TaskState): boolean {
    const isNew = this.known === undefined && !isBlank(id);
    if (isNew) this.known = id;
    // The end of some other task says nothing of this one.
    if (state !== undefined && id === this.known) this.ended = isTerminal(state);
    return isNew;
  }
}

function placeOf(event: Exclude<StreamResponse, { message: unknown }>): { taskId: string; contextId?: string } {
  if ('statusUpdate' in event) return event.statusUpdate;
  if ('artifactUpdate' in event) return event.artifactUpdate;
  return { taskId: event.task.id, contextId: event.task.contextId };
}

function identityChanged(): WorkflowStateError {
  return new WorkflowStateError('Remote task/context identity changed');
}
