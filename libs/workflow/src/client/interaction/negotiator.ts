import { abortable } from 'nestjs-a2a/net';
import type { Awaitable } from '../../awaitable.js';
import type { EmitEvent } from '../../control/event-callback.js';
import { NullResultError, WorkflowStateError } from '../../errors/workflow.error.js';
import type { EngineLog } from '../../logging/engine-log.js';
import { checkedReply, type NegotiationReply, type NegotiationRequest } from '../../model/negotiation.js';
import type { TaskRequest } from '../../model/task-request.js';
import { defaultTaskRequest } from './default-task-request.js';

/** Asks the host: its strategy, or its control point. */
export type AskNegotiator = (request: NegotiationRequest) => Awaitable<NegotiationReply>;

/** What the host is asked about. */
export interface HostQuestion extends Omit<NegotiationRequest, 'task'> {
  readonly agent: string;
  /** Counts from 1. */
  readonly exchange: number;
  readonly task: TaskRequest | undefined;
  readonly contextId: string;
}

/** Who is asked, and who hears of it. */
export interface HostQuestionParts {
  readonly negotiator: AskNegotiator | undefined;
  readonly emit: EmitEvent;
  readonly log: EngineLog;
}

/**
 * Tells of the proposal and asks the host for its answer, until the question's signal is aborted.
 *
 * @throws WorkflowStateError when there is nobody to ask
 * @throws NullResultError when the answer is nothing
 */
export async function askHost(question: HostQuestion, parts: HostQuestionParts): Promise<NegotiationReply> {
  const { agent, exchange, contextId, ...rest } = question;
  const { negotiator, emit, log } = parts;
  const { signal, originalSubmission } = rest;
  const task = rest.task ?? defaultTaskRequest(agent, originalSubmission, contextId, signal);
  const request: NegotiationRequest = Object.freeze({ ...rest, task });
  emit('negotiation_request', { agent, request, exchange });
  if (negotiator === undefined) throw new WorkflowStateError('onNegotiation handler is required');
  const answer: Awaitable<NegotiationReply> | null | undefined = negotiator(request);
  if (answer === null || answer === undefined) throw new NullResultError('onNegotiation returned null future');
  const reply: Promise<NegotiationReply | null | undefined> = Promise.resolve(answer);
  reply.then(
    () => signal.aborted && log.warn(`Late negotiation reply ignored: ${agent}`),
    () => undefined,
  );
  const given = await abortable(reply, signal);
  if (given === null || given === undefined) throw new NullResultError('onNegotiation returned null reply');
  return checkedReply(given);
}
