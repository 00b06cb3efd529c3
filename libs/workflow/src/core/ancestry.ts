import { WorkflowDefinitionError } from '../errors/workflow.error.js';
import { BitSet } from './bit-set.js';
import type { StepDefinition } from './step-definition.js';

/** Who comes before whom in a graph. Steps are known by their place in the workflow. */
export class Ancestry {
  private constructor(
    private readonly before: readonly (readonly number[])[],
    private readonly ancestors: readonly BitSet[],
  ) {}

  /** @param steps checked by `validateEdges`; cycles may still be there */
  static of(steps: readonly StepDefinition[], indexOf: ReadonlyMap<string, number>): Ancestry {
    const before: number[][] = steps.map(() => []);
    steps.forEach(({ next }, from) => {
      for (const edge of next) {
        const to = indexOf.get(edge?.step ?? '');
        if (to !== undefined) before[to]?.push(from);
      }
    });
    return new Ancestry(before, ancestorsOf(before));
  }

  /** The steps with an edge to this one, in the order of the workflow. */
  predecessors(index: number): readonly number[] {
    return this.before[index] ?? [];
  }

  isAncestor(ancestor: number, of: number): boolean {
    return this.ancestors[of]?.has(ancestor) ?? false;
  }

  /** Is there an ancestor of this step that is in `activated`, but not in `finished`? */
  waitsFor(index: number, activated: BitSet, finished: BitSet): boolean {
    return this.ancestors[index]?.meets(activated, finished) ?? false;
  }

  /** All ancestors, the nearest first, and those of one distance in the order of the workflow. */
  nearestFirst(index: number): readonly number[] {
    const seen = new BitSet(this.before.length);
    const order: number[] = [];
    let level = this.predecessors(index);
    while (level.length > 0) {
      const fresh: number[] = [];
      for (const at of level) {
        if (seen.has(at)) continue;
        seen.add(at);
        fresh.push(at);
      }
      const [only] = fresh;
      if (fresh.length > 1) fresh.sort((a, b) => a - b);
      for (const at of fresh) order.push(at);
      // Most levels are one step: nothing is to be put together.
      level =
        fresh.length === 1 && only !== undefined
          ? this.predecessors(only)
          : fresh.flatMap((at) => this.predecessors(at));
    }
    return order;
  }
}

/** In a graph with cycles a step may be its own ancestor. */
function ancestorsOf(before: readonly (readonly number[])[]): BitSet[] {
  const size = before.length;
  const ancestors = before.map(() => new BitSet(size));
  const after: number[][] = before.map(() => []);
  before.forEach((sources, to) => {
    for (const from of sources) after[from]?.push(to);
  });
  const open = before.map((sources) => sources.length);
  const ready = open.flatMap((count, at) => (count === 0 ? [at] : []));
  let done = 0;
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    done += 1;
    for (const to of after[at] ?? []) {
      pass(ancestors, at, to);
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) ready.push(to);
    }
  }
  // What is left lies on or behind a cycle, for which there is no order: a walk back from each finds its ancestors.
  if (done < size) open.forEach((count, at) => count > 0 && walkBack(before, at, ancestors));
  return ancestors;
}

function pass(ancestors: readonly BitSet[], from: number, to: number): void {
  const [source, target] = [ancestors[from], ancestors[to]];
  if (source === undefined || target === undefined) return;
  target.addAll(source);
  target.add(from);
}

function walkBack(before: readonly (readonly number[])[], start: number, ancestors: readonly BitSet[]): void {
  const found = ancestors[start];
  if (found === undefined) return;
  const seen = new Set<number>();
  const open = [...(before[start] ?? [])];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    found.add(at);
    open.push(...(before[at] ?? []));
  }
}

/**
 * Walks the edges in their order, from each step in its order.
 *
 * @throws WorkflowDefinitionError names the step at which the walk came back to itself
 */
export function validateAcyclic(steps: readonly StepDefinition[], indexOf: ReadonlyMap<string, number>): void {
  const entered = new BitSet(steps.length);
  const left = new BitSet(steps.length);
  // A list of its own instead of recursion: a chain may be longer than the stack.
  const path: { index: number; edge: number }[] = [];
  for (let root = 0; root < steps.length; root += 1) {
    if (entered.has(root)) continue;
    entered.add(root);
    path.push({ index: root, edge: 0 });
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edges = steps[top.index]?.next ?? [];
      if (top.edge === edges.length) {
        left.add(top.index);
        path.pop();
        continue;
      }
      const to = indexOf.get(edges[top.edge]?.step ?? '');
      top.edge += 1;
      if (to === undefined || left.has(to)) continue;
      if (entered.has(to)) {
        throw new WorkflowDefinitionError(`Workflow graph contains a cycle at step ${steps[to]?.name}`);
      }
      entered.add(to);
      path.push({ index: to, edge: 0 });
    }
  }
}
