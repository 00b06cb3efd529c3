import type { JsonValue } from 'nestjs-a2a/protocol';
import type { JsonObject } from './business-values.js';
import type { TaskStatus } from './task-status.js';

/**
 * A finished subtask, in the order in which they finished.
 *
 * @publicApi
 */
export interface HistoryEntry {
  readonly step: string;
  readonly subtask_index: number;
  readonly task: string;
  readonly agent: string;
  readonly status: TaskStatus;
  /** The engine's own id of the subtask. */
  readonly taskId: string;
  readonly outputs: readonly JsonValue[];
  /** Empty when it succeeded. */
  readonly error: string;
  /** Empty when it succeeded. */
  readonly errorCode: string;
  readonly errorDetails: JsonObject;
}

/**
 * Outputs by step, and in a step by the description of the subtask.
 *
 * @publicApi
 */
export type StepOutputs = Readonly<Record<string, Readonly<Record<string, readonly JsonValue[]>>>>;

/**
 * How a run ended.
 *
 * @publicApi
 */
export interface ExecutionResult {
  readonly success: boolean;
  readonly history: readonly HistoryEntry[];
  readonly stepOutputs: StepOutputs;
  /** `null` when it succeeded. */
  readonly error: string | null;
}
