import { randomUUID } from 'node:crypto';
import { abortable } from 'nestjs-a2a/net';
import { isTerminal, type StreamResponse, type Task, TaskState } from 'nestjs-a2a/protocol';
import type { EmitEvent } from '../../control/event-callback.js';
import { BusinessFailure } from '../../errors/business-failure.error.js';
import { TimeoutException, WorkflowStateError } from '../../errors/workflow.error.js';
import type { MessageContent } from '../../model/message-content.js';
import type { SendMessageResult } from '../../model/send-message-result.js';
import type { TaskRequest } from '../../model/task-request.js';
import { ClientEventMapper } from '../response/client-event.mapper.js';
import { ProtocolResponses } from '../response/protocol-responses.js';
import { Deadline } from '../timing/deadline.js';
import type { Wait } from '../timing/time-limits.js';
import type { A2ATransport } from '../transport/a2a-transport.js';
import type { SendTaskJournal } from '../workflow-engine-client.js';
import { InteractionEnd } from './interaction-end.js';
import { askHost, type AskNegotiator } from './negotiator.js';
import { NegotiationLedger } from './negotiation-ledger.js';
import { isAbort, type Proposal, proposalOf, tasklessProposalOf } from './negotiation-rules.js';
import { RemoteTask } from './remote-task.js';
import { findSentTask } from './sent-task.js';
import { isAtWork, TaskQuestions } from './task-questions.js';

/** What one call of `sendTask` is made of. */
export interface InteractionOptions {
  readonly transport: A2ATransport;
  readonly agentName: string;
  readonly content: MessageContent;
  /** `undefined`: nobody answers proposals. */
  readonly negotiator: AskNegotiator | undefined;
  readonly emit: EmitEvent;
  readonly wait: Wait;
  readonly task?: TaskRequest;
  readonly journal?: SendTaskJournal;
  readonly signal?: AbortSignal;
  /** Told of clean-up that goes on after the call has failed. */
  readonly track: (cleanUp: Promise<void>) => void;
}

/** An answer to go on with, or the last one. */
type Step = { readonly next: SendMessageResult } | { readonly last: SendMessageResult };

/** One task of an agent, from the first message to its end: sends, asks, negotiates. All state of a call is in here. */
export class Interaction {
  private readonly contextId: string;
  private readonly remote: RemoteTask;
  private readonly ledger: NegotiationLedger;
  private readonly deadline: Deadline;
  private readonly end: InteractionEnd;
  private readonly questions: TaskQuestions;
  private attempt = 0;

  constructor(private readonly options: InteractionOptions) {
    const { transport, agentName, emit, journal, signal, track, wait } = options;
    const { sendTimeoutSeconds, maxNegotiationExchanges } = transport.config;
    const contextId = journal?.resume?.contextId ?? randomUUID();
    this.contextId = contextId;
    this.remote = new RemoteTask(contextId);
    this.ledger = new NegotiationLedger(maxNegotiationExchanges);
    const { remote, ledger } = this;
    this.end = new InteractionEnd({ transport, agentName, contextId, remote, ledger, emit, track }, signal);
    this.questions = new TaskQuestions({ transport, agentName, wait, signal: this.end.signal });
    this.deadline = new Deadline(sendTimeoutSeconds, () =>
      this.cancel(new TimeoutException(`Task interaction timed out after ${sendTimeoutSeconds} seconds`)),
    );
  }

  /** Gives up: the agent's task is cancelled, and the call fails with this. */
  cancel(reason: unknown): void {
    this.end.abort(reason);
  }

  /** Whatever is still to be cleaned up has only a moment left. */
  hurry(): void {
    this.end.hurry();
  }

  async run(): Promise<SendMessageResult> {
    try {
      const result = await abortable(this.converse(), this.end.signal);
      this.end.succeeded();
      return result;
    } catch (error) {
      await this.end.failed(error);
      throw error;
    } finally {
      this.deadline.clear();
    }
  }

  private async converse(): Promise<SendMessageResult> {
    this.end.signal.throwIfAborted();
    let result = await this.begin();
    for (;;) {
      this.end.signal.throwIfAborted();
      const step = await this.advance(result);
      this.end.signal.throwIfAborted();
      if ('last' in step) {
        const { text: response, receivedMessages } = step.last;
        this.emit('agent_response', { agent: this.options.agentName, response, receivedMessages });
        return step.last;
      }
      result = step.next;
    }
  }

  private async begin(): Promise<SendMessageResult> {
    const { content, journal } = this.options;
    const resume = journal?.resume;
    if (resume === undefined) {
      const messageId = randomUUID();
      await journal?.beforeSend({ contextId: this.contextId, messageId });
      return this.send(content, undefined, messageId);
    }
    const taskId = resume.taskId ?? (await this.findTask(resume.messageId, resume.resendUnknown ?? false));
    if (taskId === undefined) return this.send(content, undefined, resume.messageId);
    this.remote.adopt(taskId);
    if (resume.taskId === undefined) await journal?.taskKnown(taskId);
    return this.questions.reattach(taskId, (event) => this.take(event));
  }

  private findTask(messageId: string, mayBeLost: boolean): Promise<string | undefined> {
    const { transport, agentName } = this.options;
    const { signal } = this.end;
    return findSentTask({ transport, agentName, contextId: this.contextId, messageId, signal, mayBeLost });
  }

  private async send(
    content: MessageContent,
    taskId?: string,
    messageId: string = randomUUID(),
  ): Promise<SendMessageResult> {
    const { agentName, transport, task } = this.options;
    const { contextId, end } = this;
    end.signal.throwIfAborted();
    this.emit('agent_request', { agent: agentName, content });
    this.attempt += 1;
    try {
      return await transport.send(
        agentName,
        content,
        { messageId, contextId, ...(taskId !== undefined && { taskId }) },
        {
          signal: end.signal,
          onceSent: end.wireSignal,
          mayBreak: true,
          onLeaving: () => end.messageLeaves(),
          onEvent: (event) => this.take(event),
          correlation: {
            ...(task !== undefined && { executionId: task.executionId, logicalTaskId: task.taskId }),
            attempt: this.attempt,
            contextId,
          },
        },
      );
    } finally {
      end.answerEnded();
    }
  }

  private async take(event: StreamResponse): Promise<void> {
    const { agentName, journal } = this.options;
    const isNew = this.remote.see(event);
    const { id } = this.remote;
    if (isNew && id !== undefined) {
      this.end.taskKnown();
      await journal?.taskKnown(id);
    }
    if (this.end.signal.aborted) return;
    this.remote.check(event);
    ClientEventMapper.emit(this.options.emit, agentName, event);
  }

  private async advance(result: SendMessageResult): Promise<Step> {
    const { task, taskState } = result;
    if (task !== null) this.remote.confirm(task);
    if (isAtWork(taskState) || (task === null && this.lostItsTask(result)))
      return { next: await this.questions.untilAnswered(this.remote.id) };
    if (task === null) {
      const proposal = tasklessProposalOf(result, this.options.content);
      return proposal === undefined ? { last: result } : this.negotiate(proposal, undefined);
    }
    if (taskState === TaskState.INPUT_REQUIRED) return this.negotiateTask(result, task);
    if (isTerminal(task.status.state)) return { last: result };
    throw new WorkflowStateError(`Unsupported non-final remote task state: ${taskState}`);
  }

  /** Did the stream end after it had shown the task, but before it said how it stands? */
  private lostItsTask({ receivedMessages }: SendMessageResult): boolean {
    return this.remote.id !== undefined && receivedMessages.every(({ message }) => message === null);
  }

  private negotiateTask(result: SendMessageResult, task: Task): Promise<Step> {
    if (this.remote.id === undefined) throw new WorkflowStateError('INPUT_REQUIRED has no remote task identity');
    return this.negotiate(proposalOf(result, this.options.content), task.id);
  }

  private async negotiate({ received, context }: Proposal, taskId: string | undefined): Promise<Step> {
    const { ledger, contextId } = this;
    const place = taskId ?? contextId;
    ledger.check(context);
    if (ledger.isAnswered(place, context)) {
      if (taskId === undefined) throw new WorkflowStateError('Remote repeated a taskless negotiation round');
      return { next: await this.questions.untilAnswered(this.remote.id) };
    }
    const exchange = ledger.begin(place, context);
    const { agentName: agent, content: originalSubmission, negotiator, task, transport } = this.options;
    const { signal } = this.end;
    const reply = await askHost(
      {
        agent,
        exchange,
        received,
        originalSubmission,
        previousExchanges: ledger.previous(context.id),
        remainingWaitMs: this.deadline.remainingMs,
        task,
        contextId,
        signal,
      },
      { negotiator, emit: this.options.emit, log: transport.config.log },
    );
    signal.throwIfAborted();
    ledger.keep(context.id, received, reply);
    if (reply.kind === 'stop') throw new BusinessFailure(reply.code, reply.reason);
    const aborts = isAbort(reply.content, context);
    this.emit('negotiation_resolved', { agent, exchange, reply });
    const answer = await this.send(reply.content, taskId);
    return aborts ? { last: await this.aborted(answer) } : { next: answer };
  }

  /** The business has ended it: whatever the agent makes of that, it is no success. */
  private async aborted(answer: SendMessageResult): Promise<SendMessageResult> {
    this.end.signal.throwIfAborted();
    if (answer.task !== null) this.remote.confirm(answer.task);
    await this.end.cancelRemote();
    return ProtocolResponses.withFailure(answer, 'negotiation.aborted', 'The business sent Abort');
  }

  private readonly emit: EmitEvent = (type, data) => this.options.emit(type, data);
}
