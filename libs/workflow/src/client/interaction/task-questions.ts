import { type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import { WorkflowStateError } from '../../errors/workflow.error.js';
import type { SendMessageResult } from '../../model/send-message-result.js';
import type { Wait } from '../timing/time-limits.js';
import type { A2ATransport } from '../transport/a2a-transport.js';
import { endsSend } from '../transport/collect-events.js';
import { isTransient } from './transient-failure.js';

/** Whom the questions go to, and until when. */
export interface TaskQuestionsOptions {
  readonly transport: A2ATransport;
  readonly agentName: string;
  readonly wait: Wait;
  readonly signal: AbortSignal;
}

/** Asks an agent how a task stands that no stream tells of. */
export class TaskQuestions {
  constructor(private readonly options: TaskQuestionsOptions) {}

  /**
   * Waits a while, then asks, until there is an answer.
   *
   * @throws WorkflowStateError when nobody knows which task it is
   */
  async untilAnswered(taskId: string | undefined): Promise<SendMessageResult> {
    const { transport, wait, signal } = this.options;
    if (taskId === undefined) throw new WorkflowStateError('Non-terminal response has no remote task identity');
    for (;;) {
      await wait(transport.config.taskPollIntervalMillis, signal);
      const result = await this.ask(taskId);
      if (result !== undefined) return result;
    }
  }

  /** Takes up a task that was begun before: by its stream while there is one, else by questions. */
  async reattach(taskId: string, onEvent: (event: StreamResponse) => Promise<void>): Promise<SendMessageResult> {
    const { transport, agentName, signal } = this.options;
    const now = (await this.ask(taskId)) ?? (await this.untilAnswered(taskId));
    if (!isAtWork(now.taskState) || transport.card(agentName).capabilities.streaming !== true) return now;
    try {
      return await transport.subscribeToTask(agentName, taskId, { signal, onEvent, mayBreak: true }, endsSend);
    } catch {
      signal.throwIfAborted();
      return now;
    }
  }

  /** @returns `undefined` when the question or its answer was lost on the way */
  private async ask(taskId: string): Promise<SendMessageResult | undefined> {
    const { transport, agentName, signal } = this.options;
    try {
      return await transport.getTask(agentName, taskId, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      transport.config.log.warn(`A question about a task of ${agentName} got no answer; it is asked again`);
      return undefined;
    }
  }
}

/** Does the agent work on a task in this state, or is it going to? */
export function isAtWork(state: string): boolean {
  return state === TaskState.SUBMITTED || state === TaskState.WORKING;
}
