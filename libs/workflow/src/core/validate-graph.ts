import { WorkflowDefinitionError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import type { Ancestry } from './ancestry.js';
import type { StepDefinition } from './step-definition.js';
import { isTerminalRoute } from './terminal-routes.js';

/**
 * Checks the names and the edges of a graph.
 *
 * @throws WorkflowDefinitionError about the first fault
 */
export function validateEdges(steps: readonly StepDefinition[]): void {
  const names = new Set<string>();
  for (const { name } of steps) {
    if (isBlank(name)) throw new WorkflowDefinitionError('Workflow step name must not be blank');
    if (isTerminalRoute(name)) {
      throw new WorkflowDefinitionError(`Workflow step name is reserved for a terminal route: ${name}`);
    }
    if (names.has(name)) throw new WorkflowDefinitionError(`Duplicate workflow step name: ${name}`);
    names.add(name);
  }
  for (const step of steps) validateEdgesOf(step, names);
}

function validateEdgesOf({ name, next }: StepDefinition, names: ReadonlySet<string>): void {
  const targets = new Set<string>();
  for (const edge of next) {
    if (edge === null) throw new WorkflowDefinitionError(`Step ${name} contains a null outgoing edge`);
    const { step: target } = edge;
    if (isBlank(target))
      throw new WorkflowDefinitionError(`Step ${name} contains an outgoing edge with a blank target`);
    if (targets.has(target)) {
      throw new WorkflowDefinitionError(`Step ${name} contains duplicate outgoing target ${target}`);
    }
    targets.add(target);
    if (!isTerminalRoute(target) && !names.has(target)) {
      throw new WorkflowDefinitionError(`Step ${name} references missing step ${target}`);
    }
  }
}

/**
 * Checks from where the steps take their context.
 *
 * @throws WorkflowDefinitionError about the first fault
 */
export function validateContextSources(
  steps: readonly StepDefinition[],
  indexOf: ReadonlyMap<string, number>,
  ancestry: Ancestry,
): void {
  steps.forEach(({ name, contextFrom }, index) => {
    if (contextFrom === null) return;
    if (contextFrom.includes('*')) {
      if (contextFrom.length === 1) return;
      throw new WorkflowDefinitionError(`Step ${name} cannot combine '*' with named context sources`);
    }
    for (const source of contextFrom) {
      const at = indexOf.get(source);
      if (at === undefined)
        throw new WorkflowDefinitionError(`Step ${name} references missing context source ${source}`);
      if (!ancestry.isAncestor(at, index)) {
        throw new WorkflowDefinitionError(`Step ${name} context source ${source} is not an upstream dependency`);
      }
    }
  });
}
