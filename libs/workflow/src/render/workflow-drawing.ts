import { isTerminalRoute } from '../core/terminal-routes.js';
import type { ExecutionResult } from '../model/execution-result.js';
import type { Workflow } from '../model/workflow.js';
import { type StepState, stepState } from './step-state.js';

/** A step as it is drawn. */
export interface DrawnStep {
  /** Safe in any language; names of steps are not. */
  readonly id: string;
  /** The name first, then a line for each subtask. */
  readonly lines: readonly string[];
  readonly state: StepState | undefined;
}

/** An edge as it is drawn. */
export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** A workflow as steps and edges between ids, ends included. */
export interface WorkflowDrawing {
  readonly title: string;
  readonly steps: readonly DrawnStep[];
  readonly ends: readonly { readonly id: string; readonly name: string }[];
  readonly edges: readonly DrawnEdge[];
}

// More of a text tells nothing at a glance.
const MAX_TEXT = 60;

/** What is to be drawn. Edges to steps that are not there are left out. */
export function drawingOf(workflow: Workflow, result: ExecutionResult | undefined): WorkflowDrawing {
  const ids = new Map(workflow.steps.map(({ name }, at) => [name, `s${at}`]));
  const ends = new Map<string, string>();
  const targetOf = (name: string): string | undefined => {
    if (isTerminalRoute(name) && !ends.has(name)) ends.set(name, `e${ends.size}`);
    return ids.get(name) ?? ends.get(name);
  };
  const edges = workflow.steps.flatMap(({ name, next }) =>
    next.flatMap(({ step, condition }) => {
      const [from, to] = [ids.get(name), targetOf(step)];
      return from === undefined || to === undefined ? [] : [{ from, to, label: short(condition) }];
    }),
  );
  const steps = workflow.steps.map((step, at) => ({
    id: `s${at}`,
    lines: [short(step.name), ...step.subtasks.map(({ agent, description }) => short(`${agent}: ${description}`))],
    state: stepState(step, result),
  }));
  return { title: workflow.name, steps, edges, ends: [...ends].map(([name, id]) => ({ id, name })) };
}

function short(text: string): string {
  const line = [...text.replaceAll(/\s+/g, ' ').trim()];
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).join('')}…` : line.join('');
}
