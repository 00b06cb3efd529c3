import { WorkflowStateError } from '../errors/workflow.error.js';
import { BitSet } from './bit-set.js';
import type { ExecutionContext } from './execution-context.js';
import { runStep, type StepEnd } from './run-step.js';
import type { WorkflowGraph } from './workflow-graph.js';

/**
 * Runs the steps in waves: each takes the steps all of whose activated ancestors have finished, and the next one starts
 * when the routing of all of them is done. After a failure no further wave starts.
 *
 * @returns whether every step that ran succeeded
 * @throws the first thing that kept a step from being run or routed
 */
export async function runWaves(context: ExecutionContext): Promise<boolean> {
  const { graph } = context;
  const activated = new BitSet(graph.steps.length);
  const finished = new BitSet(graph.steps.length);
  let pending: readonly number[] = graph.roots;
  for (const root of pending) activated.add(root);
  while (pending.length > 0) {
    const waits = new Set(pending.filter((step) => graph.ancestry.waitsFor(step, activated, finished)));
    const ready = pending.filter((step) => !waits.has(step));
    if (ready.length === 0) throw deadlock(graph, pending, activated, finished);
    const ends = await runWave(context, ready);
    for (const step of ready) finished.add(step);
    if (ends.some(({ failed }) => failed)) return false;
    const next: number[] = [];
    for (const target of ends.flatMap((end) => (end.failed ? [] : end.targets))) {
      if (activated.has(target)) continue;
      activated.add(target);
      next.push(target);
    }
    pending = [...next, ...waits];
  }
  return true;
}

async function runWave(context: ExecutionContext, ready: readonly number[]): Promise<readonly StepEnd[]> {
  const settled = await Promise.allSettled(ready.map((step) => runStep(context, step)));
  context.signal.throwIfAborted();
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

function deadlock(
  graph: WorkflowGraph,
  pending: readonly number[],
  activated: BitSet,
  finished: BitSet,
): WorkflowStateError {
  const stuck = pending.map((step) => {
    const missing = graph.steps.flatMap(({ name }, at) =>
      graph.ancestry.isAncestor(at, step) && activated.has(at) && !finished.has(at) ? [name] : [],
    );
    return `${graph.steps[step]?.name} <- [${missing.join(', ')}]`;
  });
  return new WorkflowStateError(`Workflow dependency deadlock; unresolved active predecessors: ${stuck.join(', ')}`);
}
