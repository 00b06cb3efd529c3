import type { AgentMessageBody } from 'nestjs-a2a';
import { isDataPart, type Message, Role, type Task } from 'nestjs-a2a/protocol';
import {
  A2ATExtension,
  A2atMessages,
  type NegotiationContext,
  Performative,
  ReceivedMessage,
  MessageContent,
} from 'nestjs-a2a/workflow';
import { z } from 'zod';
import { EVIDENCE } from './evidence.js';
import type { Visit } from './visit-planner.js';

const MAX_ROUNDS = 3;
const COUNTER = z.object({ restoreWithinMinutes: z.number() });

/** A visit as it is proposed, and which round of the negotiation that is. */
export interface Proposal {
  readonly context: NegotiationContext;
  readonly visit: Visit;
}

export function firstRound(id: string): NegotiationContext {
  return { id, round: 1, maxRounds: MAX_ROUNDS, performative: Performative.PROPOSE };
}

export function proposalMessage({ context, visit }: Proposal): AgentMessageBody {
  const text = `建议：${visit.engineer}，${visit.arrivesInMinutes} 分钟后到达，费用 ${visit.cost} 元`;
  const { parts, metadata, extensions } = A2atMessages.from(
    {
      extensionUri: A2ATExtension.NEGOTIATION_T.uri,
      promptText: text,
      templateUri: 'urn:example:repair:visit-proposal',
      negotiationContext: context,
    },
    [{ text }, { data: { ...visit } }],
  );
  return { parts, metadata: { ...metadata }, extensions };
}

/** What this agent has proposed last: the task itself remembers it. */
export function proposalIn({ history = [] }: Task): Proposal | undefined {
  for (const message of history.toReversed()) {
    if (message.role !== Role.AGENT) continue;
    const visit = EVIDENCE['visit-scheduling'].safeParse(message.parts.find(isDataPart)?.data);
    if (visit.success) return { visit: visit.data, context: contextOf(message) };
  }
  return undefined;
}

/** The answer of the other side; a REJECT says what would do. */
export function answerIn(message: Message): { context: NegotiationContext; restoreWithinMinutes: number | undefined } {
  const counter = COUNTER.safeParse(message.parts.find(isDataPart)?.data);
  return { context: contextOf(message), restoreWithinMinutes: counter.data?.restoreWithinMinutes };
}

function contextOf({ parts, metadata }: Message): NegotiationContext {
  return A2atMessages.contextOf(new ReceivedMessage(new MessageContent(parts, metadata)));
}
