import { TaskNotFoundError, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { A2AChat, type ChatClient } from '../a2a-chat.js';
import { A2AClientError } from '../client-error.js';
import { checkNames } from '../option-names.js';
import { A2AToolError } from './a2a-tool.error.js';
import { messageOf } from './message-argument.js';
import { toolClientFor, withMetadata, type ToolClient } from './tool-client.js';
import {
  DEFAULT_MAX_ANSWER_LENGTH,
  TOOL_OPTION_NAMES,
  type A2AToolCallOptions,
  type A2AToolOptions,
  type A2AToolTarget,
} from './tool-options.js';
import { boundedAnswer } from './tool-text.js';
import { TurnQueue } from './turn-queue.js';

/**
 * Executes the calls that a model makes of an agent, whatever the tool is called: your tool definition names it and
 * describes its one argument, a string `message`. {@link createA2ATool} writes that definition too.
 *
 * The agent is found at the first call; when that fails, the next call tries again.
 *
 * @publicApi
 */
export class A2ATool {
  private readonly agent: ChatClient;
  private readonly toolClient: ToolClient;
  private readonly maxAnswerLength: number;
  private readonly turns = new TurnQueue();
  private conversation: A2AChat | undefined;

  /**
   * @param target URL of the agent or of its card, the card, or a client that is bound to the agent
   * @throws A2AClientError `INVALID_TOOL` when an option is wrong, or there is none of that name
   */
  constructor(target: A2AToolTarget, options: A2AToolOptions = {}) {
    checkNames('The options of A2ATool', options, TOOL_OPTION_NAMES, 'INVALID_TOOL');
    const { conversation = false, maxAnswerLength = DEFAULT_MAX_ANSWER_LENGTH, metadata } = options;
    if (!Number.isSafeInteger(maxAnswerLength) || maxAnswerLength < 1) {
      throw new A2AClientError('INVALID_TOOL', 'maxAnswerLength must be a whole number above 0');
    }
    this.maxAnswerLength = maxAnswerLength;
    this.toolClient = toolClientFor(target, options);
    this.agent = withMetadata(this.toolClient.client, metadata);
    if (conversation !== false) {
      this.conversation = new A2AChat(this.agent, conversation === true ? undefined : conversation);
    }
  }

  /** The conversation, as the agent calls it; undefined before the first answer, and where each call stands alone. */
  get contextId(): string | undefined {
    return this.conversation?.contextId;
  }

  /**
   * Sends a message to the agent, and gives the text of its answer, however long the task takes. Where the agent asks
   * something, that is the answer.
   *
   * @param args the arguments of the call, as JSON text or as an object: the string `message` in them is sent, and all
   *   of them where there is none
   * @throws A2AToolError with a message that a model may read; the signal's reason when it was aborted
   */
  async execute(args?: unknown, { signal }: A2AToolCallOptions = {}): Promise<string> {
    try {
      const text = messageOf(args);
      const answer = await (this.conversation === undefined
        ? new A2AChat(this.agent).say(text, { signal })
        : this.turns.run(() => this.nextTurn(text, signal), signal));
      return boundedAnswer(answer, this.maxAnswerLength);
    } catch (error) {
      signal?.throwIfAborted();
      throw A2AToolError.of(error);
    }
  }

  /** Ends the tool's own client with all its calls. A client that was given goes on. */
  close(): Promise<void> {
    return this.toolClient.close();
  }

  private async nextTurn(text: string, signal?: AbortSignal): Promise<string> {
    const chat = this.conversation ?? new A2AChat(this.agent);
    const asking = chat.taskId;
    try {
      return await chat.say(text, { signal });
    } catch (error) {
      // The task that asked has ended meanwhile: nothing was done, and the conversation goes on without it.
      if (asking === undefined || chat.taskId !== asking || !isGone(error)) throw error;
      this.conversation = new A2AChat(this.agent, chat.contextId);
      return this.conversation.say(text, { signal });
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof TaskNotFoundError || error instanceof UnsupportedOperationError;
}
