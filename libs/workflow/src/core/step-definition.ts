import { isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { BusinessInput } from '../model/business-input.js';
import { listOf } from '../model/business-values.js';
import { parseStepType, type StepType } from '../model/step-type.js';
import type { Workflow } from '../model/workflow.js';
import type { JumpCondition, WorkflowStep, WorkflowTask } from '../model/workflow-step.js';

/** A step as the executor keeps it: its own copy, with the holes that a host may have left in it. */
export interface StepDefinition {
  readonly name: string;
  readonly subtasks: readonly WorkflowTask[];
  readonly next: readonly (JumpCondition | null)[];
  readonly contextFrom: readonly string[] | null;
  readonly stepType: StepType;
}

/**
 * Copies the steps, so that nothing the host does to them later matters.
 *
 * @throws WorkflowArgumentError when it is no workflow at all
 */
export function copySteps(workflow: Workflow): readonly StepDefinition[] {
  if (!Array.isArray(workflow?.steps)) throw new WorkflowArgumentError('A workflow with a list of steps is required');
  return workflow.steps.map(copyStep);
}

function copyStep(step: WorkflowStep): StepDefinition {
  const { name, subtasks, next, contextFrom, stepType } = objectOf(step, 'A step');
  return {
    name,
    subtasks: entriesOf(subtasks, 'The subtasks of a step').map(copyTask),
    next: entriesOf<JumpCondition | null>(next, 'The edges of a step').map(copyEdge),
    contextFrom: contextFrom === null || contextFrom === undefined ? null : entriesOf(contextFrom, 'contextFrom'),
    stepType: parseStepType(stepType),
  };
}

function copyEdge(edge: JumpCondition | null): JumpCondition | null {
  return edge && { step: edge.step, condition: edge.condition ?? '' };
}

function entriesOf<T>(list: readonly T[] | null | undefined, what: string): readonly T[] {
  if (list === null || list === undefined) return [];
  return listOf(list, `${what} must be a list`);
}

function objectOf<T>(value: T, what: string): T {
  if (isRecord(value)) return value;
  throw new WorkflowArgumentError(`${what} must be an object`);
}

function copyTask(task: WorkflowTask): WorkflowTask {
  const { agent, skill, description, input } = objectOf(task, 'A subtask');
  return {
    agent: agent ?? '',
    skill: skill ?? '',
    description: description ?? '',
    input: input ? BusinessInput.of(input) : null,
  };
}
