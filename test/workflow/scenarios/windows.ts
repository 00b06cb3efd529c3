import type { Workflow, WorkflowEvent } from 'nestjs-a2a/workflow';
import { contextWindow } from '../../../libs/workflow/src/core/context-window.js';
import { ExecutionRecord } from '../../../libs/workflow/src/core/execution-record.js';
import { copySteps } from '../../../libs/workflow/src/core/step-definition.js';
import { WorkflowGraph } from '../../../libs/workflow/src/core/workflow-graph.js';

/**
 * The windows of all steps that ran. That of a step which asks the host nothing is shown to nobody: the engine is asked
 * for it.
 */
export function windowsOf(
  workflow: Workflow,
  events: readonly WorkflowEvent[],
  shown: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const windows = new Map(shown);
  const started = events.flatMap((event) => (event.type === 'step_start' ? [event.data.step] : []));
  const silent = started.filter((step) => !windows.has(step));
  if (silent.length === 0) return windows;
  const graph = WorkflowGraph.of(copySteps(workflow));
  const record = new ExecutionRecord();
  for (const event of events) {
    const index = event.type === 'step_complete' ? graph.indexOf(event.data.step) : undefined;
    if (event.type === 'step_complete' && index !== undefined) record.stepFinished(index, event.data.step, []);
  }
  for (const step of silent) {
    const { upstreamResults } = contextWindow(graph, graph.indexOf(step) ?? -1, record, '');
    windows.set(
      step,
      upstreamResults.map(({ stepName }) => stepName),
    );
  }
  return windows;
}
