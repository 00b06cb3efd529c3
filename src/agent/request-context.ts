import type { Message, SendMessageConfiguration, Struct, Task } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from './server-call-context.js';

/** How far back {@link RequestContext.previousTasks} looks. */
export interface PreviousTasksOptions {
  /** At most so many tasks, newest first. Default 20, at most 100. */
  readonly limit?: number;
}

/** How far back {@link RequestContext.conversation} looks. */
export interface ConversationOptions {
  /** At most so many messages, the newest ones, oldest first. Default 50. */
  readonly maxMessages?: number;
}

/**
 * One message, its task and its caller, as an executor sees them.
 *
 * @publicApi
 */
export interface RequestContext {
  /** The message that started this run. */
  readonly message: Message;
  /** The text parts of the message, joined by line breaks. */
  readonly text: string;
  readonly taskId: string;
  readonly contextId: string;
  /** On a follow-up: the task as this run takes it over, this message the last in its history. Files hold all bytes. */
  readonly task: Task | undefined;
  /** The tasks that the message refers to, as far as the caller may see them. */
  readonly referencedTasks: readonly Task[];
  /** Empty when the caller sent none. */
  readonly configuration: SendMessageConfiguration;
  readonly metadata: Struct | undefined;
  /**
   * Follow-up messages to this run while it lives: with `followUps: 'steer'`, and after `requireAuth()`. Ends with the
   * run. One consumer at a time.
   */
  readonly messages: AsyncIterable<Message>;
  /** Aborted on cancel, on shutdown and when `maxRunSeconds` is over. */
  readonly signal: AbortSignal;
  readonly call: ServerCallContext;
  /**
   * Agent, tenant, owner and contextId in one: what an agent keys its memory by. A contextId alone is not safe for
   * that, since a client may send anyone's.
   */
  readonly sessionKey: string;
  /** Earlier tasks of this context and of this task's owner, as far as the caller may see them; newest first. */
  previousTasks(options?: PreviousTasksOptions): Promise<readonly Task[]>;
  /** The messages of those earlier tasks and of this one so far, in order. */
  conversation(options?: ConversationOptions): Promise<readonly Message[]>;
}
