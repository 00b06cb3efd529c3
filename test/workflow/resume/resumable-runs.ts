import type { AgentCard } from 'nestjs-a2a/protocol';
import { Workflow } from 'nestjs-a2a/workflow';

/**
 * Where a run is when its process is killed.
 *
 * - `asked`: the host was asked for the content
 * - `sending`: the send is in the journal, and the message has not left
 * - `sent`: the message has arrived, and its answer has not
 * - `known`: the agent's task is in the journal
 * - `finished`: what the first subtask came to is in the journal
 * - `routed`: so are the decisions about the edges behind it
 * - `won`: one of two subtasks is enough, and has succeeded; the other one is at work
 * - `ended`: the run is over
 */
export type Place = 'asked' | 'ended' | 'finished' | 'known' | 'routed' | 'sending' | 'sent' | 'won';

/** A run, by its id. */
export interface ResumableRun {
  readonly id: string;
  readonly diesAt: Place;
  /** When it goes on. */
  readonly resendUnknown?: boolean;
}

export const RUNS: readonly ResumableRun[] = [
  { id: 'asked', diesAt: 'asked' },
  { id: 'sending', diesAt: 'sending' },
  { id: 'sending-again', diesAt: 'sending', resendUnknown: true },
  { id: 'sent', diesAt: 'sent' },
  { id: 'known', diesAt: 'known' },
  { id: 'finished', diesAt: 'finished' },
  { id: 'torn', diesAt: 'finished' },
  { id: 'routed', diesAt: 'routed' },
  { id: 'won', diesAt: 'won' },
  { id: 'ended', diesAt: 'ended' },
];

/** What the process is to do. */
export interface RunsOrder {
  readonly kind: 'begin' | 'resume';
  readonly folder: string;
  readonly card: AgentCard;
}

/** A line that the process writes. */
export type RunsReport =
  | { readonly kind: 'at'; readonly id: string }
  | {
      readonly kind: 'over';
      readonly id: string;
      readonly success: boolean;
      readonly rows: readonly string[];
      readonly outputs: object;
      /** What the host was asked, in this life of the process. */
      readonly asked: readonly string[];
    };

/** Two steps in a row, the second behind a question; the first may be won by one of two subtasks. */
export function workflowOf({ id, diesAt }: ResumableRun): Workflow {
  const first =
    diesAt === 'won'
      ? { name: 'A', type: 'AnySuccess', subtasks: [subtask(`${id} slow`), subtask(`${id} a`)] }
      : { name: 'A', subtasks: [subtask(`${id} a`)] };
  const steps = [
    { ...first, next: [{ step: 'B', condition: 'go on?' }] },
    { name: 'B', subtasks: [subtask(`${id} b`)] },
  ];
  return Workflow.fromMap({ id, name: id, steps });
}

function subtask(description: string) {
  return { agent: 'X', description };
}
