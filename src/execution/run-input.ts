import type { Message, SendMessageConfiguration, Struct, Task } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskScope } from '../tasks/task-store.js';

/** What a request says besides its message. */
export interface RequestDetails {
  readonly configuration: SendMessageConfiguration;
  readonly metadata: Struct | undefined;
  readonly referencedTasks: readonly Task[];
}

/** Whether a call may see a task of its scope. */
export type TaskReadCheck = (call: ServerCallContext, taskId: string) => Promise<boolean>;

/** What a message brings along for its run. */
export class RunInput {
  constructor(
    readonly message: Message,
    /** The size of the message, for `maxTaskBytes`. */
    readonly bytes: number,
    readonly call: ServerCallContext,
    /** Whose tasks this call may see. */
    readonly scope: TaskScope,
    readonly details: RequestDetails,
    /** Somebody is about to read the events of the task: keep them from the run's first one on. */
    readonly followed: boolean,
    /** Absent: all tasks of the scope. */
    readonly mayRead: TaskReadCheck | undefined,
  ) {}

  /** The same for a run that begins later: its sender's stream is read by then, and nobody would take the events. */
  get later(): RunInput {
    const { message, bytes, call, scope, details, mayRead } = this;
    return new RunInput(message, bytes, call, scope, details, false, mayRead);
  }

  /** The same as another call sees it. */
  forCall(call: ServerCallContext, metadata: Struct | undefined): RunInput {
    const { message, bytes, scope, details, followed, mayRead } = this;
    return new RunInput(message, bytes, call, scope, { ...details, metadata }, followed, mayRead);
  }
}
