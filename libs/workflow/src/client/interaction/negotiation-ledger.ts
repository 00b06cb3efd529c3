import { WorkflowStateError } from '../../errors/workflow.error.js';
import { type NegotiationContext, Performative } from '../../extensions/negotiation-context.js';
import type { NegotiationExchange, NegotiationReply } from '../../model/negotiation.js';
import type { ReceivedMessage } from '../../model/received-message.js';

interface Negotiation {
  lastRound: number;
  readonly maxRounds: number;
  readonly exchanges: NegotiationExchange[];
}

/** What was negotiated in one interaction, over all its negotiations. */
export class NegotiationLedger {
  private readonly negotiations = new Map<string, Negotiation>();
  private readonly answered = new Set<string>();
  private count = 0;

  /** @param budget how many proposals are answered */
  constructor(private readonly budget: number) {}

  /** How many proposals were counted, the one that broke the budget among them. */
  get exchanges(): number {
    return this.count;
  }

  /** @throws WorkflowStateError when this is no proposal that fits to those before */
  check({ id, round, maxRounds, performative }: NegotiationContext): void {
    if (performative !== Performative.PROPOSE || round > maxRounds) {
      throw new WorkflowStateError('Expected a valid Negotiation-T Propose');
    }
    const known = this.negotiations.get(id);
    if (known !== undefined && (round < known.lastRound || maxRounds !== known.maxRounds)) {
      throw new WorkflowStateError('Negotiation round regressed or maxRounds changed');
    }
  }

  /** @param place of the round: the task, or the conversation where there is none */
  isAnswered(place: string, context: NegotiationContext): boolean {
    return this.answered.has(keyOf(place, context));
  }

  /**
   * Counts a proposal that is going to be answered.
   *
   * @returns its number, from 1 on
   * @throws WorkflowStateError when there have been too many
   */
  begin(place: string, context: NegotiationContext): number {
    this.count += 1;
    if (this.count > this.budget) {
      throw new WorkflowStateError('Negotiation exchange budget exhausted; no Abort generated');
    }
    this.answered.add(keyOf(place, context));
    const known = this.negotiations.get(context.id);
    if (known === undefined) {
      const { id, round, maxRounds } = context;
      this.negotiations.set(id, { lastRound: round, maxRounds, exchanges: [] });
    } else known.lastRound = context.round;
    return this.count;
  }

  /** The exchanges of this negotiation, oldest first. */
  previous(id: string): readonly NegotiationExchange[] {
    return Object.freeze([...(this.negotiations.get(id)?.exchanges ?? [])]);
  }

  keep(id: string, received: ReceivedMessage, reply: NegotiationReply): void {
    this.negotiations.get(id)?.exchanges.push(Object.freeze({ received, reply }));
  }
}

function keyOf(place: string, { id, round }: NegotiationContext): string {
  return JSON.stringify([place, id, round]);
}
