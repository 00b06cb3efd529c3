import { isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';

/**
 * What a message of a negotiation is meant to do.
 *
 * @publicApi
 */
export const Performative = {
  PROPOSE: 'PROPOSE',
  ACCEPT: 'ACCEPT',
  REJECT: 'REJECT',
  ABORT: 'ABORT',
} as const;

export type Performative = (typeof Performative)[keyof typeof Performative];

/**
 * Where a negotiation stands.
 *
 * @publicApi
 */
export interface NegotiationContext {
  readonly id: string;
  /** Counts from 1. */
  readonly round: number;
  /** The last round that can be answered. */
  readonly maxRounds: number;
  readonly performative: Performative;
}

const PERFORMATIVES: ReadonlySet<string> = new Set(Object.values(Performative));

/**
 * Reads a negotiation context.
 *
 * @throws WorkflowArgumentError when it is none
 */
export function readNegotiationContext(value: unknown): NegotiationContext {
  if (!isRecord(value)) throw invalid();
  const { id, round, maxRounds, performative } = value;
  if (typeof id !== 'string' || isBlank(id) || typeof performative !== 'string') throw invalid();
  if (!isInteger(round) || !isInteger(maxRounds)) {
    throw new WorkflowArgumentError('Negotiation round must be an integer');
  }
  if (round < 1 || maxRounds < 1) throw invalid();
  if (!isPerformative(performative)) throw new WorkflowArgumentError('Invalid negotiation performative');
  return Object.freeze({ id, round, maxRounds, performative });
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isPerformative(value: string): value is Performative {
  return PERFORMATIVES.has(value);
}

function invalid(): WorkflowArgumentError {
  return new WorkflowArgumentError('Invalid negotiationContext');
}
