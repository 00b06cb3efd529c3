import { Injectable, Logger } from '@nestjs/common';
import { AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { A2AClient, userMessage, type A2AStream } from 'nestjs-a2a/client';
import { InjectA2AClient } from 'nestjs-a2a/client/nest';
import { Relay } from './relay.js';
import { notedIn } from './remote-task.js';

/** Name of the client, see the module. */
export const ANALYST = 'analyst';

/** Gives its work to another agent, and stands between that one and the caller until it is done. */
@Injectable()
export class FrontDesk extends AgentExecutor {
  private readonly logger = new Logger('Front Desk');

  constructor(@InjectA2AClient(ANALYST) private readonly analyst: A2AClient) {
    super();
  }

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const message = userMessage(context.message.parts, notedIn(context));
    // Without the signal: a task that nobody knows yet could not be stopped.
    const stream = this.analyst.sendMessageStream({ message }, { limits: { headersTimeoutMs: 30_000 } });
    const relay = new Relay(emitter, stream.view);
    const leave = leaving(stream);
    context.signal.addEventListener('abort', leave);
    try {
      for await (const event of stream) {
        if (context.signal.aborted) break;
        await relay.pass(event);
      }
    } catch (error) {
      if (context.signal.aborted) throw error;
      this.logger.warn(`The analyst cannot be asked: ${error instanceof Error ? error.message : String(error)}`);
      await emitter.fail('The table analyst cannot be asked at the moment.');
    } finally {
      context.signal.removeEventListener('abort', leave);
      if (context.signal.aborted) await this.stop(stream.view.taskId);
    }
  }

  /** Canceled here is canceled there: a caller knows of one task only. */
  private async stop(taskId: string | undefined): Promise<void> {
    if (taskId === undefined) return;
    try {
      await this.analyst.cancelTask(taskId);
    } catch (error) {
      // It has ended meanwhile, as a rule.
      this.logger.debug(`Not canceled: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Stops listening as soon as it is known what is to be canceled. */
function leaving(stream: A2AStream): () => void {
  return () => {
    if (stream.view.taskId !== undefined) void stream[Symbol.asyncIterator]().return();
  };
}
