import { isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { BusinessInput } from './business-input.js';
import { parseStepType } from './step-type.js';
import type { JumpCondition, WorkflowStep, WorkflowTask } from './workflow-step.js';

export type WireObject = Readonly<Record<string, unknown>>;

/** Reads a step of a workflow as orchestration centers write it. */
export function parseStep(step: WireObject): WorkflowStep {
  return Object.freeze({
    name: textOf(step, 'name'),
    subtasks: listOf(step, 'subtasks', 'steps[].subtasks', parseTask),
    next: listOf(step, 'next', 'steps[].next', parseJump),
    layer: typeof step.layer === 'number' ? step.layer : 0,
    contextFrom: contextFromOf('context_from' in step ? step.context_from : step.contextFrom),
    stepType: parseStepType('step_type' in step ? step.step_type : 'type' in step ? step.type : step.stepType),
  });
}

function parseTask(task: WireObject): WorkflowTask {
  return Object.freeze({
    agent: textOf(task, 'agent'),
    skill: textOf(task, 'skill'),
    description: textOf(task, 'description'),
    input: inputOf(task.input),
  });
}

function parseJump(jump: WireObject): JumpCondition {
  return Object.freeze({ step: textOf(jump, 'step'), condition: textOf(jump, 'condition') });
}

function inputOf(input: unknown): BusinessInput | null {
  if (input === undefined || input === null) return null;
  if (!isRecord(input)) throw new WorkflowArgumentError('subtask input must be an object with text or data');
  const hasText = 'text' in input;
  if (hasText === 'data' in input) {
    throw new WorkflowArgumentError('subtask input must contain exactly one of text or data');
  }
  const value = hasText ? input.text : input.data;
  if (value === undefined || value === null) throw new WorkflowArgumentError('subtask input value must not be null');
  return hasText ? BusinessInput.text(textOf(input, 'text')) : BusinessInput.data(value);
}

function contextFromOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return Object.freeze([value]);
  if (!Array.isArray(value)) throw new WorkflowArgumentError('context_from must be a string or a list of strings');
  return Object.freeze(
    value.map((name: unknown) => {
      if (typeof name !== 'string') throw new WorkflowArgumentError('context_from[] must be a string');
      return name;
    }),
  );
}

export function textOf(object: WireObject, key: string): string {
  const value = object[key];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new WorkflowArgumentError(`${key} must be a string`);
  return value;
}

export function listOf<T>(
  object: WireObject,
  key: string,
  label: string,
  parse: (entry: WireObject) => T,
): readonly T[] {
  const value = object[key];
  if (value === undefined || value === null) return Object.freeze([]);
  if (!Array.isArray(value)) throw new WorkflowArgumentError(`${label} must be a list`);
  return Object.freeze(
    value.map((entry: unknown) => {
      if (!isRecord(entry)) throw new WorkflowArgumentError(`${label} entries must be objects`);
      return parse(entry);
    }),
  );
}
