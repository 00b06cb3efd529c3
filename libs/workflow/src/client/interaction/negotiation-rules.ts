import { WorkflowArgumentError, WorkflowStateError } from '../../errors/workflow.error.js';
import { A2ATExtension } from '../../extensions/a2at-extension.js';
import { A2atMessages, carries } from '../../extensions/a2at-messages.js';
import { type NegotiationContext, Performative, readNegotiationContext } from '../../extensions/negotiation-context.js';
import type { MessageContent } from '../../model/message-content.js';
import type { ReceivedMessage } from '../../model/received-message.js';
import type { SendMessageResult } from '../../model/send-message-result.js';

const URI = A2ATExtension.NEGOTIATION_T.uri;

/** A proposal of an agent. */
export interface Proposal {
  readonly received: ReceivedMessage;
  readonly context: NegotiationContext;
}

/**
 * The proposal that a task waits with.
 *
 * @throws WorkflowStateError when the host has not allowed negotiations, or there is no proposal
 */
export function proposalOf(result: SendMessageResult, original: MessageContent): Proposal {
  requireActivation(original);
  const received = result.receivedMessages.find((entry) => carries(entry, URI));
  if (received === undefined) {
    throw new WorkflowStateError('Unsupported INPUT_REQUIRED interaction: no Negotiation-T Propose');
  }
  return { received, context: A2atMessages.contextOf(received) };
}

/**
 * The proposal of an agent that has made no task yet; `undefined` when its message is none.
 *
 * @throws WorkflowStateError when the host has not allowed negotiations
 */
export function tasklessProposalOf(result: SendMessageResult, original: MessageContent): Proposal | undefined {
  const received = result.receivedMessages.find(({ message }) => Object.hasOwn(message?.metadata ?? {}, URI));
  if (received === undefined) return undefined;
  requireActivation(original);
  return { received, context: A2atMessages.contextOf(received) };
}

/**
 * Checks the host's answer to a proposal.
 *
 * @returns whether it is an Abort
 * @throws WorkflowArgumentError when it is no answer to this proposal
 */
export function isAbort({ extensions, metadata }: MessageContent, proposal: NegotiationContext): boolean {
  if (!extensions.includes(URI) || !Object.hasOwn(metadata, URI)) {
    throw new WorkflowArgumentError('Negotiation reply must carry and activate Negotiation-T');
  }
  const reply = replyContext(metadata['negotiationContext']);
  const fits =
    reply !== undefined &&
    reply.id === proposal.id &&
    reply.round === proposal.round &&
    reply.maxRounds === proposal.maxRounds &&
    reply.performative !== Performative.PROPOSE;
  if (!fits) throw new WorkflowArgumentError('Reply does not match the received negotiation context/round');
  return reply.performative === Performative.ABORT;
}

function replyContext(value: unknown): NegotiationContext | undefined {
  try {
    return readNegotiationContext(value);
  } catch {
    return undefined;
  }
}

function requireActivation({ extensions }: MessageContent): void {
  if (!extensions.includes(URI)) {
    throw new WorkflowStateError('Remote requested Negotiation-T although it was not activated by the host');
  }
}
