import {
  isInterrupted,
  type Part,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import type { CallOptions } from './calls/agent-calls.js';
import { userMessage } from './calls/user-message.js';
import type { A2AStream } from './streams/a2a-stream.js';
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
   * Says something, and gives the text of the answer.
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
  async *stream(
    content: string | readonly Part[],
    options: CallOptions = {},
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const stream = this.client.sendMessageStream(this.request(content), options);
    for await (const event of stream) {
      this.note(stream.view);
      yield event;
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
