import type { ExecutionResult } from '../model/execution-result.js';
import type { Workflow } from '../model/workflow.js';
import { toMermaid } from './mermaid.js';
import { toSvg } from './svg.js';
import { drawingOf } from './workflow-drawing.js';

/**
 * A drawing language.
 *
 * @publicApi
 */
export type WorkflowPictureFormat = 'mermaid' | 'svg';

/**
 * Draws a workflow: its steps with their subtasks, its edges with their conditions, and, after a run, which steps
 * succeeded, failed or never ran.
 *
 * @param result of a run; without it no states are shown
 * @param format default: `mermaid`
 * @returns text in the language of Mermaid, or a complete SVG document. An SVG is laid out here and at once: for
 *   1,000 steps that takes a second, and several when each has many edges
 * @publicApi
 */
export function renderWorkflow(
  workflow: Workflow,
  result?: ExecutionResult,
  format: WorkflowPictureFormat = 'mermaid',
): string {
  const drawing = drawingOf(workflow, result);
  return format === 'svg' ? toSvg(drawing) : toMermaid(drawing);
}
