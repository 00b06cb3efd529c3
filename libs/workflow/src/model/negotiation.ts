import { NullResultError, WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from './blank.js';
import { MessageContent } from './message-content.js';
import type { ReceivedMessage } from './received-message.js';
import type { TaskRequest } from './task-request.js';

/**
 * The host's answer to a proposal: send exactly this content, or stop without sending anything.
 *
 * @publicApi
 */
export type NegotiationReply =
  | { readonly kind: 'send'; readonly content: MessageContent }
  | { readonly kind: 'stop'; readonly code: string; readonly reason: string };

export const NegotiationReply = {
  /** @param content the final Accept, Reject or Abort */
  send(content: MessageContent): NegotiationReply {
    if (content === null || content === undefined) throw new NullResultError('Send content is required');
    return Object.freeze({ kind: 'send', content });
  },

  /** @throws WorkflowArgumentError `Stop code and reason are required` */
  stop(code: string, reason: string): NegotiationReply {
    if (isBlank(code) || isBlank(reason)) throw new WorkflowArgumentError('Stop code and reason are required');
    return Object.freeze({ kind: 'stop', code, reason });
  },
};

/**
 * A reply of a host, checked.
 *
 * @throws WorkflowArgumentError when it is none
 */
export function checkedReply(reply: NegotiationReply): NegotiationReply {
  if (reply.kind === 'stop') return NegotiationReply.stop(reply.code, reply.reason);
  const { kind }: { kind?: unknown } = reply;
  if (kind === 'send') return NegotiationReply.send(MessageContent.of(reply.content));
  throw new WorkflowArgumentError('onNegotiation must return NegotiationReply.send(…) or NegotiationReply.stop(…)');
}

/**
 * A proposal of before, and how it was answered.
 *
 * @publicApi
 */
export interface NegotiationExchange {
  readonly received: ReceivedMessage;
  readonly reply: NegotiationReply;
}

/**
 * An agent proposes something and waits for the host's answer.
 *
 * @publicApi
 */
export interface NegotiationRequest {
  /** The subtask it is about. */
  readonly task: TaskRequest;
  /** What was sent first. */
  readonly originalSubmission: MessageContent;
  /** What the agent proposes; `A2atMessages.contextOf` reads its negotiation context. */
  readonly received: ReceivedMessage;
  /** Of this negotiation, oldest first. */
  readonly previousExchanges: readonly NegotiationExchange[];
  /** Milliseconds until the whole interaction is given up. */
  readonly remainingWaitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
