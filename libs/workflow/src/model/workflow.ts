import { isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { listOf, parseStep, textOf } from './parse-step.js';
import type { WorkflowStep } from './workflow-step.js';

/**
 * A plan over several agents: a graph of steps without cycles.
 *
 * @publicApi
 */
export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly steps: readonly WorkflowStep[];
}

export const Workflow = {
  /**
   * Reads a workflow as orchestration centers write it (`context_from`, `type` or `step_type`); `contextFrom` and
   * `stepType` are read as well, and unknown members are passed over. The graph itself is checked when it runs.
   *
   * @returns a frozen copy
   * @throws WorkflowArgumentError that names the member which has the wrong form
   */
  fromMap(data: unknown): Workflow {
    if (data === null || data === undefined) throw new WorkflowArgumentError('Workflow data must not be null');
    if (!isRecord(data)) throw new WorkflowArgumentError('Workflow data must be an object');
    return Object.freeze({
      id: textOf(data, 'id'),
      name: textOf(data, 'name'),
      description: textOf(data, 'description'),
      steps: listOf(data, 'steps', 'steps', parseStep),
    });
  },
};
