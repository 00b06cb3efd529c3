import type { ControlPoint } from '../control/control-point.js';
import type { EmitEvent } from '../control/event-callback.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { ExecutionRecorder } from '../journal/execution-recorder.js';
import type { ExecutionRecord } from './execution-record.js';
import type { RunSlots } from './slots.js';
import type { WorkflowGraph } from './workflow-graph.js';

/** What all parts of one run share. */
export interface ExecutionContext {
  readonly executionId: string;
  readonly graph: WorkflowGraph;
  readonly controlPoint: ControlPoint;
  readonly engineClient: WorkflowEngineClient;
  readonly runtimeIntent: string;
  readonly language: string;
  readonly runningStatus: boolean;
  readonly callbackTimeoutMs: number;
  readonly slots: RunSlots;
  readonly record: ExecutionRecord;
  readonly recorder: ExecutionRecorder;
  /** Work that may go on for a moment after nobody wants its result; the run does not end before it. */
  readonly track: (work: Promise<unknown>) => void;
  /** Tells an event, unless the run is over. */
  readonly emit: EmitEvent;
  /** Aborted when the run is over, in whatever way. */
  readonly signal: AbortSignal;
}
