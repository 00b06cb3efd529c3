import { describe, expect, it } from '@jest/globals';
import {
  completed,
  failed,
  hanging,
  type ScriptedAgent,
  ScriptedEngineClient,
} from '../../../../test/support/workflow/scripted-engine-client.js';
import { controlPoint } from '../control/control-point.builder.js';
import { MessageContent } from '../model/message-content.js';
import { RouteDecision } from '../model/route.js';
import { StepType } from '../model/step-type.js';
import type { WorkflowStep } from '../model/workflow-step.js';
import { TaskResult } from '../model/task-result.js';
import { WorkflowExecutor } from './workflow-executor.js';

interface Init extends Partial<Omit<WorkflowStep, 'subtasks' | 'next'>> {
  /** `agent:description` */
  readonly sub?: readonly string[];
  readonly next?: readonly string[];
}

function stepOf(name: string, { sub = [], next = [], ...others }: Init): WorkflowStep {
  return {
    name,
    layer: 0,
    contextFrom: null,
    stepType: StepType.ALL_SUCCESS,
    subtasks: sub.map((text) => {
      const [agent = '', description = ''] = text.split(':');
      return { agent, description, skill: '', input: null };
    }),
    next: next.map((step) => ({ step, condition: '' })),
    ...others,
  };
}

const agents: Record<string, ScriptedAgent> = {
  Good: () => Promise.resolve(completed(['g'])),
  Bad: () => Promise.resolve(failed(['half'])),
  Slow: hanging,
};

async function run(steps: Readonly<Record<string, Init>>) {
  const events: [string, object][] = [];
  const windows = new Map<string, unknown>();
  const engineClient = new ScriptedEngineClient(agents);
  const executor = new WorkflowExecutor({
    workflow: {
      id: '',
      name: '',
      description: '',
      steps: Object.entries(steps).map(([name, init]) => stepOf(name, init)),
    },
    engineClient,
    controlPoint: controlPoint({
      onTask: ({ stepName, instruction, workflowInput }) => {
        windows.set(
          stepName,
          workflowInput.upstreamResults.map((entry) => [
            entry.stepName,
            entry.taskResults.map(({ agentName, status, outputs }) => [agentName, status, outputs]),
          ]),
        );
        return MessageContent.text(instruction);
      },
      onSelfTask: ({ instruction }) =>
        instruction === 'bad' ? TaskResult.failure('host.bad', 'no') : TaskResult.success([[1], instruction]),
      onRoute: () => RouteDecision.allow(),
    }),
    eventCallback: { onEvent: (type, data) => void events.push([type, data]) },
  });
  const result = await executor.run();
  const started = events.flatMap(([type, data]) => (type === 'step_start' && 'step' in data ? [data.step] : []));
  return { result, events, started, windows, engineClient };
}

const ANY = StepType.ANY_SUCCESS;
const SELF = StepType.SELF_LOOP;

describe('the policy of a step', () => {
  it.each<[string, Init, boolean, object, readonly string[]]>([
    ['ALL: all good', { sub: ['Good:a', 'Good:b'] }, true, { a: ['g'], b: ['g'] }, ['a=success', 'b=success']],
    [
      'ALL: one bad, and the others are waited for',
      { sub: ['Bad:a', 'Good:b'] },
      false,
      { a: ['half'], b: ['g'] },
      ['a=failed', 'b=success'],
    ],
    ['ANY: the losers vanish', { stepType: ANY, sub: ['Slow:a', 'Good:b'] }, true, { b: ['g'] }, ['b=success']],
    [
      'ANY: who failed before stays',
      { stepType: ANY, sub: ['Bad:a', 'Good:b', 'Slow:c'] },
      true,
      { a: ['half'], b: ['g'] },
      ['a=failed', 'b=success'],
    ],
    [
      'ANY: all bad',
      { stepType: ANY, sub: ['Bad:a', 'Bad:b'] },
      false,
      { a: ['half'], b: ['half'] },
      ['a=failed', 'b=failed'],
    ],
    [
      'ANY: a loser of the same name gives none',
      { stepType: ANY, sub: ['Slow:a', 'Good:a'] },
      true,
      { a: ['g'] },
      ['a=success'],
    ],
    [
      'ALL: a shared name is told apart, by the place in the step',
      { sub: ['Good:x', 'Good:a', 'Bad:a'] },
      false,
      { x: ['g'], 'a [Good#1]': ['g'], 'a [Bad#2]': ['half'] },
      ['x=success', 'a=success', 'a=failed'],
    ],
    ['SELF: lists stay one value', { stepType: SELF, sub: ['self:a'] }, true, { a: [[1], 'a'] }, ['a=success']],
    [
      'SELF: one bad',
      { stepType: SELF, sub: ['self:a', 'self:bad'] },
      false,
      { a: [[1], 'a'], bad: [] },
      ['a=success', 'bad=failed'],
    ],
    ...[StepType.ALL_SUCCESS, ANY, SELF].map((stepType): [string, Init, boolean, object, readonly string[]] => [
      `${stepType}: nothing to do`,
      { stepType },
      true,
      {},
      [],
    ]),
  ])('%s', async (_, init, success, outputs, rows) => {
    const { result, events } = await run({ S: init });
    expect(result).toMatchObject({ success, error: success ? null : 'Step execution failed' });
    expect(result.stepOutputs).toEqual({ S: outputs });
    expect(result.history.map(({ task, status }) => `${task}=${status}`)).toEqual(rows);
    const told = events.filter(([type]) => type === 'task_response').map(([, data]) => data);
    expect(told).toHaveLength(rows.length);
    expect(events.find(([type]) => type === (success ? 'step_complete' : 'error'))?.[1]).toEqual({
      executionId: expect.any(String),
      step: 'S',
      results: outputs,
      ...(!success && { error: 'Step execution failed', errorCode: 'workflow.step_failed' }),
    });
    expect(events.at(-1)).toEqual(['workflow_complete', { executionId: expect.any(String), success }]);
  });

  it('shows later steps a failed subtask of a step that won all the same', async () => {
    const { windows } = await run({
      S: { stepType: ANY, sub: ['Bad:a', 'Good:b', 'Slow:c'], next: ['T'] },
      T: { sub: ['Good:t'] },
    });
    expect(windows.get('T')).toEqual([
      [
        'S',
        [
          ['Bad', 'failed', ['half']],
          ['Good', 'success', ['g']],
        ],
      ],
    ]);
  });
});

describe('the order of steps', () => {
  it('tells all of one step that starts before the next one starts', async () => {
    const { events } = await run({ A: { sub: ['Good:a', 'Good:b'] }, B: { sub: ['Good:c'] } });
    expect(events.slice(0, 5).map(([type]) => type)).toEqual([
      'step_start',
      'task_request',
      'task_request',
      'step_start',
      'task_request',
    ]);
  });

  it('puts what was just reached before what had to wait', async () => {
    const { started } = await run({
      A: { next: ['C'] },
      S: { next: ['B'] },
      C: {},
      B: { next: ['E', 'C'] },
      E: {},
    });
    expect(started).toEqual(['A', 'S', 'B', 'E', 'C']);
  });

  it('ends the run about a subtask without words, in a later step as well', async () => {
    const { result } = await run({ A: { sub: ['Good:a'], next: ['B'] }, B: { sub: ['Good:b', 'Good: '] } });
    expect(result).toMatchObject({ success: false, error: 'Text must not be blank', stepOutputs: { A: { a: ['g'] } } });
    expect(result.history).toHaveLength(1);
  });

  it('starts nothing further when a step next to it failed', async () => {
    const { started, result } = await run({
      A: { sub: ['Bad:a'] },
      B: { sub: ['Good:b'], next: ['C'] },
      C: { sub: ['Good:c'] },
    });
    expect(started).toEqual(['A', 'B']);
    expect(Object.keys(result.stepOutputs)).toEqual(['A', 'B']);
  });
});
