import {
  isInterrupted,
  type Part,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import type { CallOptions } from './calls/agent-calls.js';
import { CallScope } from './calls/call-scope.js';
import { userMessage } from './calls/user-message.js';
import type { A2AStream } from './streams/a2a-stream.js';
import { LeavableEvents } from './streams/leavable-events.js';
import { isSettled } from './task/settled.js';
import { textOfAnswer } from './task/task-text.js';
import type { TaskView } from './task/task-view.js';

/** What a conversation needs of a client. */
export interface ChatClient {
  sendMessage(request: SendMessageRequest, options?: CallOptions): Promise<SendMessageResponse>;
  sendMessageStream(request: SendMessageRequest, options?: CallOptions): A2AStream;
  waitForTask(taskId: string, options?: CallOptions): Promise<Task>;
}

/**
 * A conversation with an agent: every turn is in the same context, and a turn that answers a question goes to the task
 * that asked. One turn at a time.
 *
 * @publicApi
 */
export class A2AChat {
  private asking: string | undefined;

  constructor(
    private readonly client: ChatClient,
    private context?: string,
  ) {}

  /** The conversation, as the agent calls it; undefined before the first answer. */
  get contextId(): string | undefined {
    return this.context;
  }

  /** The task that waits for the next turn. */
  get taskId(): string | undefined {
    return this.asking;
  }

  /**
   * Says something, and gives the text of the answer. Where the agent asks something, that is the text, {@link taskId}
   * is the task that asks, and what you say next goes to it.
   *
   * @throws A2ATaskFailedError when the task ends without success
   */
  async say(content: string | readonly Part[], options: CallOptions = {}): Promise<string> {
    const answer = await this.client.sendMessage(this.request(content), options);
    this.remember(answer);
    if ('message' in answer || isSettled(answer.task.status.state)) return textOfAnswer(answer);
    const task = await this.client.waitForTask(answer.task.id, options);
    this.remember({ task });
    return textOfAnswer({ task });
  }

  /** Says something, and gives the answer as it comes. */
  stream(
    content: string | readonly Part[],
    options: CallOptions = {},
  ): Required<AsyncIterableIterator<StreamResponse, void, undefined>> {
    return new LeavableEvents((left) => this.answerTo(content, options, left));
  }

  private async *answerTo(
    content: string | readonly Part[],
    options: CallOptions,
    left: AbortSignal,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const scope = new CallScope(options.signal, 0, left);
    try {
      const stream = this.client.sendMessageStream(this.request(content), { ...options, signal: scope.signal });
      for await (const event of stream) {
        this.note(stream.view);
        yield event;
      }
    } finally {
      scope.end();
    }
  }

  private request(content: string | readonly Part[]): SendMessageRequest {
    const ids = {
      ...(this.context !== undefined && { contextId: this.context }),
      ...(this.asking !== undefined && { taskId: this.asking }),
    };
    return { message: userMessage(content, ids) };
  }

  private remember(answer: SendMessageResponse): void {
    if ('message' in answer) return this.note({ contextId: answer.message.contextId });
    const { id, contextId, status } = answer.task;
    this.note({ contextId, taskId: id, state: status.state });
  }

  private note({ contextId, taskId, state }: Partial<Pick<TaskView, 'contextId' | 'taskId' | 'state'>>): void {
    this.context = contextId ?? this.context;
    this.asking = state !== undefined && isInterrupted(state) ? taskId : undefined;
  }
}
