import { describe, expect, it } from '@jest/globals';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { StepType } from './step-type.js';
import { Workflow } from './workflow.js';

describe('Workflow.fromMap', () => {
  it('reads what an orchestration center writes, and passes over what it does not know', () => {
    const workflow = Workflow.fromMap({
      id: 'w1',
      name: 'Repair',
      description: 'd',
      created_at: '2026-01-01',
      tags: ['x'],
      steps: [
        {
          name: 'find',
          type: 'AnySuccess',
          layer: 2,
          context_from: ['*'],
          subtasks: [{ task_id: 't1', description: 'look', agent: 'A', skill: 's', status: 'pending' }],
          next: [{ step: 'end', condition: 'done?' }],
        },
      ],
    });
    expect(workflow).toEqual({
      id: 'w1',
      name: 'Repair',
      description: 'd',
      steps: [
        {
          name: 'find',
          stepType: StepType.ANY_SUCCESS,
          layer: 2,
          contextFrom: ['*'],
          subtasks: [{ description: 'look', agent: 'A', skill: 's', input: null }],
          next: [{ step: 'end', condition: 'done?' }],
        },
      ],
    });
  });

  it('fills in what is not there', () => {
    expect(Workflow.fromMap({})).toEqual({ id: '', name: '', description: '', steps: [] });
    expect(Workflow.fromMap({ id: null, name: null, description: null, steps: null })).toEqual(Workflow.fromMap({}));
    expect(Workflow.fromMap({ steps: [{ subtasks: [{}], next: [{}], layer: 'high' }] }).steps).toEqual([
      {
        name: '',
        subtasks: [{ agent: '', skill: '', description: '', input: null }],
        next: [{ step: '', condition: '' }],
        layer: 0,
        contextFrom: null,
        stepType: StepType.ALL_SUCCESS,
      },
    ]);
  });

  it.each<[unknown, StepType]>([
    [undefined, StepType.ALL_SUCCESS],
    [null, StepType.ALL_SUCCESS],
    ['AllSuccess', StepType.ALL_SUCCESS],
    ['allsuccess', StepType.ALL_SUCCESS],
    ['ALL_SUCCESS', StepType.ALL_SUCCESS],
    ['AnySuccess', StepType.ANY_SUCCESS],
    ['any_success', StepType.ANY_SUCCESS],
    ['SELFLOOP', StepType.SELF_LOOP],
    ['Self_Loop', StepType.SELF_LOOP],
  ])('reads the type %j as %s', (type, expected) => {
    expect(Workflow.fromMap({ steps: [{ type }] }).steps[0]?.stepType).toBe(expected);
  });

  it('looks at step_type before type, and reads the spelling of a host', () => {
    const read = (step: object) => Workflow.fromMap({ steps: [step] }).steps[0];
    expect(read({ step_type: 'SelfLoop', type: 'AnySuccess' })?.stepType).toBe(StepType.SELF_LOOP);
    expect(read({ step_type: null, type: 'AnySuccess' })?.stepType).toBe(StepType.ALL_SUCCESS);
    expect(read({ stepType: 'AnySuccess', contextFrom: ['a'] })).toMatchObject({
      stepType: StepType.ANY_SUCCESS,
      contextFrom: ['a'],
    });
  });

  it.each<[unknown, readonly string[] | null]>([
    [undefined, null],
    [null, null],
    ['', null],
    ['a', ['a']],
    [[], []],
    [['*'], ['*']],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
  ])('reads context_from %j as %j', (context_from, expected) => {
    expect(Workflow.fromMap({ steps: [{ context_from }] }).steps[0]?.contextFrom).toEqual(expected);
  });

  it('reads the input of a subtask, data as it is', () => {
    const read = (input: unknown) =>
      Workflow.fromMap({ steps: [{ subtasks: [{ input }] }] }).steps[0]?.subtasks[0]?.input;
    expect(read({ text: 'hello' })).toEqual({ text: 'hello' });
    expect(read({ data: [[1], { a: '中文' }] })).toEqual({ data: [[1], { a: '中文' }] });
    expect(read(null)).toBeNull();
  });

  it.each<[unknown, string]>([
    [null, 'Workflow data must not be null'],
    [undefined, 'Workflow data must not be null'],
    [{ id: 1 }, 'id must be a string'],
    [{ name: {} }, 'name must be a string'],
    [{ description: [] }, 'description must be a string'],
    [{ steps: {} }, 'steps must be a list'],
    [{ steps: ['x'] }, 'steps entries must be objects'],
    [{ steps: [null] }, 'steps entries must be objects'],
    [{ steps: [{ name: 7 }] }, 'name must be a string'],
    [{ steps: [{ subtasks: 'x' }] }, 'steps[].subtasks must be a list'],
    [{ steps: [{ subtasks: [[]] }] }, 'steps[].subtasks entries must be objects'],
    [{ steps: [{ subtasks: [{ agent: 1 }] }] }, 'agent must be a string'],
    [{ steps: [{ subtasks: [{ skill: 1 }] }] }, 'skill must be a string'],
    [{ steps: [{ next: {} }] }, 'steps[].next must be a list'],
    [{ steps: [{ next: [7] }] }, 'steps[].next entries must be objects'],
    [{ steps: [{ next: [{ step: 1 }] }] }, 'step must be a string'],
    [{ steps: [{ next: [{ condition: true }] }] }, 'condition must be a string'],
    [{ steps: [{ type: 'Sometimes' }] }, 'Unknown workflow step type: Sometimes'],
    [{ steps: [{ type: ' AllSuccess' }] }, 'Unknown workflow step type:  AllSuccess'],
    [{ steps: [{ context_from: [1] }] }, 'context_from[] must be a string'],
    [{ steps: [{ context_from: {} }] }, 'context_from must be a string or a list of strings'],
    [{ steps: [{ subtasks: [{ input: 'x' }] }] }, 'subtask input must be an object with text or data'],
    [{ steps: [{ subtasks: [{ input: [] }] }] }, 'subtask input must be an object with text or data'],
    [{ steps: [{ subtasks: [{ input: {} }] }] }, 'subtask input must contain exactly one of text or data'],
    [
      { steps: [{ subtasks: [{ input: { text: 'a', data: 1 } }] }] },
      'subtask input must contain exactly one of text or data',
    ],
    [{ steps: [{ subtasks: [{ input: { text: null } }] }] }, 'subtask input value must not be null'],
    [{ steps: [{ subtasks: [{ input: { data: null } }] }] }, 'subtask input value must not be null'],
    [{ steps: [{ subtasks: [{ input: { text: 1 } }] }] }, 'text must be a string'],
  ])('refuses %j: %s', (data, text) => {
    expect(() => Workflow.fromMap(data)).toThrow(new WorkflowArgumentError(text));
  });

  it('gives a frozen copy', () => {
    const data = { steps: [{ name: 'a', subtasks: [{ input: { data: { list: [1] } } }], next: [{ step: 'end' }] }] };
    const { steps } = Workflow.fromMap(data);
    data.steps[0]?.subtasks[0]?.input.data.list.push(2);
    expect(steps[0]?.subtasks[0]?.input).toEqual({ data: { list: [1] } });
    for (const value of [steps, steps[0], steps[0]?.subtasks, steps[0]?.subtasks[0]?.input, steps[0]?.next[0]]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });
});
