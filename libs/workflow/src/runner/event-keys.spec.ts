import { describe, expect, it } from '@jest/globals';
import { TaskState } from 'nestjs-a2a/protocol';
import { EngineClientBench, negotiable, replyWith } from '../../../../test/support/workflow/engine-client-bench.js';
import { done, proposes, task } from '../../../../test/support/workflow/scripted-runtime.js';
import { controlPoint } from '../control/control-point.builder.js';
import { EventType } from '../control/event-type.js';
import { RouteDecision } from '../model/route.js';
import { Workflow } from '../model/workflow.js';
import { executePsop } from './execute-psop.js';

const { INPUT_REQUIRED, FAILED } = TaskState;
const CLIENT_EVENTS = /^(agent|negotiation)_/;
const psop = Workflow.fromMap({
  name: 'w',
  steps: [
    { name: 'A', subtasks: [{ agent: 'X', description: 'a' }], next: [{ step: 'B', condition: 'c' }] },
    { name: 'B', subtasks: [{ agent: 'X', description: 'b' }] },
  ],
});

/** Each kind of event of a run, as its members; those that differ are told apart. */
async function keysOf(send: ConstructorParameters<typeof EngineClientBench>[0]['send'], allowed = true) {
  const bench = new EngineClientBench({ send });
  const keys = new Map<string, string[]>();
  const order: string[] = [];
  const result = await executePsop({
    psop,
    engineClient: bench.client,
    controlPoint: controlPoint({
      onTask: ({ instruction }) => negotiable(instruction),
      onNegotiation: (request) => replyWith(request, 'ACCEPT'),
      onRoute: () => {
        if (!allowed) throw new Error('boom');
        return RouteDecision.allow();
      },
    }),
    eventCallback: {
      onEvent: (type, data) => {
        order.push(type);
        keys.set(type, [...(keys.get(type) ?? []), Object.keys(data).join(' ')]);
      },
    },
  });
  return { result, order, of: (type: string) => [...new Set(keys.get(type) ?? [])], types: [...keys.keys()] };
}

const asks = task(INPUT_REQUIRED, { says: 'agreed?', metadata: proposes() });

describe('the members of each event', () => {
  it('are spelled as in the other editions of the engine', async () => {
    const { of, order, types } = await keysOf([asks, done('1'), done('2')]);
    expect(order).toEqual([
      'start',
      'step_start',
      'task_request',
      'agent_request',
      'negotiation_request',
      'negotiation_resolved',
      'agent_request',
      'agent_response',
      'task_status_changed',
      'task_response',
      'step_complete',
      'route_decision',
      'step_start',
      'task_request',
      'agent_request',
      'agent_response',
      'task_status_changed',
      'task_response',
      'step_complete',
      'workflow_complete',
      'complete',
      'close',
    ]);
    expect(Object.fromEntries(types.map((type) => [type, of(type)]))).toEqual({
      start: ['workflow steps'],
      step_start: ['executionId step'],
      task_request: ['executionId step agent task'],
      task_status_changed: ['executionId step subtask_index agent status'],
      task_response: ['executionId step subtask_index agent task taskId outputs error errorCode errorDetails success'],
      step_complete: ['executionId step results'],
      route_decision: ['executionId step next condition conditional allowed reason'],
      workflow_complete: ['executionId success'],
      complete: ['history step_outputs'],
      close: [''],
      agent_request: ['agent content'],
      agent_response: ['agent response receivedMessages'],
      negotiation_request: ['agent request exchange'],
      negotiation_resolved: ['agent exchange reply'],
    });
    for (const type of types.filter((name) => CLIENT_EVENTS.test(name))) {
      expect(of(type).join()).not.toContain('executionId');
    }
  });

  it('of a row of the history as well', async () => {
    const { result } = await keysOf([done('1'), done('2')]);
    expect(Object.keys(result.history[0] ?? {}).toSorted()).toEqual(
      [
        'step',
        'subtask_index',
        'task',
        'agent',
        'status',
        'taskId',
        'outputs',
        'error',
        'errorCode',
        'errorDetails',
      ].toSorted(),
    );
  });

  it.each<[string, Parameters<typeof keysOf>, string[], string]>([
    [
      'a step that fails',
      [[task(FAILED)]],
      ['executionId step results error errorCode', 'error history step_outputs'],
      'workflow_complete,error,close',
    ],
    [
      'a decision that fails',
      [[done('1')], false],
      ['executionId error', 'error history step_outputs'],
      'step_complete,error,error,close',
    ],
  ])('tell %s to who listens', async (_, given, errors, last) => {
    const { of, order, result } = await keysOf(...given);
    expect(result.success).toBe(false);
    expect(of('error')).toEqual(errors);
    expect(order.join()).toMatch(new RegExp(`${last}$`));
    expect(order).not.toContain('complete');
  });

  it('tell a negotiation that fails by the class of the error', async () => {
    const { of } = await keysOf([asks, task(INPUT_REQUIRED, { metadata: proposes(2, { maxRounds: 9 }) })]);
    expect(of('negotiation_failed')).toEqual(['agent exchange errorType']);
  });
});

it('knows all kinds of events, the reserved ones among them', () => {
  expect(Object.fromEntries(Object.entries(EventType).map(([name, value]) => [name.toLowerCase(), value]))).toEqual(
    Object.fromEntries(Object.values(EventType).map((value) => [value, value])),
  );
  expect(Object.values(EventType)).toHaveLength(22);
});
