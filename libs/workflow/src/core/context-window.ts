import type { WorkflowInput } from '../model/workflow-input.js';
import type { ExecutionRecord } from './execution-record.js';
import type { WorkflowGraph } from './workflow-graph.js';

/** What a step may know of the steps before it. Those that never ran are not in it. */
export function contextWindow(
  graph: WorkflowGraph,
  step: number,
  record: ExecutionRecord,
  runtimeIntent: string,
): WorkflowInput {
  const upstreamResults = graph.contextSources(step).flatMap((source) => record.upstreamOf(source) ?? []);
  return Object.freeze({ runtimeIntent, upstreamResults: Object.freeze(upstreamResults) });
}
