import { Inject, Injectable, Logger } from '@nestjs/common';
import { APICallError, streamText, type LanguageModel } from 'ai';
import { AgentEmitterError, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { chatMessages } from './chat-history.js';

/** Injection token of the model. */
export const LANGUAGE_MODEL = Symbol('LanguageModel');

const SYSTEM = 'You are a helpful agent that answers other agents and people, in plain text.';
/** The whole story stays in the log: what a provider says may tell of keys, accounts and prompts. */
const NO_ANSWER = 'The language model could not answer. Try again later.';

/** Lets a language model answer, and hands its words on as they come. */
@Injectable()
export class ChatAgent extends AgentExecutor {
  private readonly logger = new Logger(ChatAgent.name);

  constructor(@Inject(LANGUAGE_MODEL) private readonly model: LanguageModel) {
    super();
  }

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const { signal } = context;
    if (context.text.trim() === '') return emitter.requireInput('What would you like to know?');
    await emitter.working();
    try {
      const words = await this.answer(context, emitter);
      signal.throwIfAborted();
      if (words === 0) return await emitter.fail('The language model gave no answer.');
    } catch (error) {
      if (signal.aborted || error instanceof AgentEmitterError) throw error;
      this.logger.error(`The language model failed: ${inShort(error)}`);
      return emitter.fail(NO_ANSWER);
    }
    await emitter.complete();
  }

  override async cancel(_context: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.updateStatus(TaskState.CANCELED);
  }

  /** @returns how many chunks there were */
  private async answer(context: RequestContext, emitter: AgentEmitter): Promise<number> {
    const { fullStream } = streamText({
      model: this.model,
      system: SYSTEM,
      messages: await chatMessages(context),
      abortSignal: context.signal,
      // Thrown below instead; by default the SDK writes it to the console, with all it knows.
      onError: () => undefined,
    });
    let chunks = 0;
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type !== 'text-delta') continue;
      await emitter.text(part.text);
      chunks += 1;
    }
    return chunks;
  }
}

/** Without the message: providers repeat what they were sent in it. */
function inShort(error: unknown): string {
  if (APICallError.isInstance(error)) return `${error.name}, status ${error.statusCode ?? 'unknown'}`;
  return error instanceof Error ? error.name : typeof error;
}
