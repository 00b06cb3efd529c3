import { Ancestry, validateAcyclic } from './ancestry.js';
import type { StepDefinition } from './step-definition.js';
import { validateContextSources, validateEdges } from './validate-graph.js';

/** A checked graph. Steps are known by their place in the workflow. */
export class WorkflowGraph {
  private constructor(
    readonly steps: readonly StepDefinition[],
    readonly ancestry: Ancestry,
    private readonly indices: ReadonlyMap<string, number>,
  ) {}

  /** @throws WorkflowDefinitionError about the first fault, in the order that all editions of the engine share */
  static of(steps: readonly StepDefinition[]): WorkflowGraph {
    validateEdges(steps);
    const indices = new Map(steps.map(({ name }, index) => [name, index]));
    const ancestry = Ancestry.of(steps, indices);
    validateContextSources(steps, indices, ancestry);
    validateAcyclic(steps, indices);
    return new WorkflowGraph(steps, ancestry, indices);
  }

  /** Where no edge leads to. */
  get roots(): readonly number[] {
    return this.steps.flatMap((_, index) => (this.ancestry.predecessors(index).length === 0 ? [index] : []));
  }

  /** `undefined` for a terminal route. */
  indexOf(name: string): number | undefined {
    return this.indices.get(name);
  }

  /** Whose results the step may see, in the order in which it sees them. */
  contextSources(index: number): readonly number[] {
    const contextFrom = this.steps[index]?.contextFrom ?? null;
    if (contextFrom === null) return this.ancestry.predecessors(index);
    if (contextFrom[0] === '*') return this.ancestry.nearestFirst(index);
    return contextFrom.flatMap((name) => this.indices.get(name) ?? []);
  }
}
