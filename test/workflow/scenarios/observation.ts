import type { HistoryEntry, StepOutputs } from 'nestjs-a2a/workflow';

/** What a run came to, in the words of a scenario. */
export interface Observation {
  readonly events: readonly string[];
  readonly success: boolean;
  readonly error: string | null;
  readonly history: readonly HistoryEntry[];
  readonly stepOutputs: StepOutputs;
  readonly wire: readonly string[];
  readonly ctx: ReadonlyMap<string, readonly string[]>;
  readonly routeCalls: readonly string[];
  readonly negotiationRounds: readonly number[];
  /** What is wrong whatever was expected. */
  readonly faults: readonly string[];
}
