import { describe, expect, it } from '@jest/globals';
import {
  completed,
  failed,
  hanging,
  type ScriptedAgent,
  ScriptedEngineClient,
} from '../../../../test/support/workflow/scripted-engine-client.js';
import { controlPoint, type ControlPointHandlers } from '../control/control-point.builder.js';
import type { EventData } from '../control/event-data.js';
import type { EventType } from '../control/event-type.js';
import { BusinessFailure } from '../errors/business-failure.error.js';
import { CancellationException, WorkflowStateError } from '../errors/workflow.error.js';
import { MessageContent } from '../model/message-content.js';
import { RouteDecision, type RouteRequest } from '../model/route.js';
import type { TaskRequest } from '../model/task-request.js';
import { TaskResult } from '../model/task-result.js';
import { Workflow } from '../model/workflow.js';
import { WorkflowExecutor, type WorkflowExecutorOptions } from './workflow-executor.js';

interface StepInit {
  type?: string;
  /** `agent:description` */
  sub?: readonly string[];
  /** `target` or `target?condition` */
  next?: readonly string[];
  ctx?: readonly string[];
}

function workflowOf(steps: Readonly<Record<string, StepInit>>): Workflow {
  return Workflow.fromMap({
    name: 'w',
    steps: Object.entries(steps).map(([name, { type, sub = [], next = [], ctx }]) => ({
      name,
      type,
      context_from: ctx ?? null,
      subtasks: sub.map((text) => {
        const [agent, description] = text.split(':');
        return { agent, description };
      }),
      next: next.map((text) => {
        const [step, condition] = text.split('?');
        return { step, condition };
      }),
    })),
  });
}

function runOf(
  steps: Readonly<Record<string, StepInit>>,
  agents: Readonly<Record<string, ScriptedAgent>> = {},
  handlers: ControlPointHandlers = {},
  options: Partial<WorkflowExecutorOptions> & { timeoutSeconds?: number } = {},
) {
  const events: string[] = [];
  const data: { type: EventType; data: EventData[EventType] }[] = [];
  const requests: TaskRequest[] = [];
  const engineClient = new ScriptedEngineClient(agents, options.timeoutSeconds);
  const executor = new WorkflowExecutor({
    workflow: workflowOf(steps),
    engineClient,
    controlPoint: controlPoint({
      onTask: (request) => {
        requests.push(request);
        return MessageContent.text(request.instruction);
      },
      ...handlers,
    }),
    eventCallback: {
      onEvent: (type, payload) => {
        data.push({ type, data: payload });
        const { step, next, agent } = { step: '', next: '', agent: '', ...payload };
        events.push([type, step, next || agent].filter(Boolean).join(' '));
      },
    },
    ...options,
  });
  return { executor, events, data, requests, engineClient };
}

const echo: ScriptedAgent = (content) =>
  Promise.resolve(completed(content.parts.map((part) => ('text' in part ? part.text : ''))));
const failing: ScriptedAgent = () => Promise.resolve(failed());

describe('WorkflowExecutor', () => {
  it('walks a line, tells each step in order, and hands results on', async () => {
    const { executor, events, requests } = runOf(
      { A: { sub: ['X:a'], next: ['B'] }, B: { sub: ['X:b'], next: ['end'] } },
      { X: echo },
      {},
      { runtimeIntent: 'why', lang: 'en', executionId: '11111111-2222-3333-4444-555555555555' },
    );
    const result = await executor.run();
    expect(events).toEqual([
      'step_start A',
      'task_request A X',
      'task_status_changed A X',
      'task_response A X',
      'step_complete A',
      'route_decision A B',
      'step_start B',
      'task_request B X',
      'task_status_changed B X',
      'task_response B X',
      'step_complete B',
      'route_decision B end',
      'workflow_complete',
    ]);
    expect(result).toMatchObject({ success: true, error: null, stepOutputs: { A: { a: ['a'] }, B: { b: ['b'] } } });
    expect(result.history).toEqual([
      expect.objectContaining({ step: 'A', subtask_index: 0, task: 'a', agent: 'X', status: 'success', error: '' }),
      expect.objectContaining({ step: 'B', errorCode: '', errorDetails: {}, outputs: ['b'] }),
    ]);
    expect(requests[1]).toMatchObject({
      executionId: executor.executionId,
      stepName: 'B',
      language: 'en',
      instruction: 'b',
      input: { text: 'b' },
      workflowInput: {
        runtimeIntent: 'why',
        upstreamResults: [{ stepName: 'A', taskResults: [{ agentName: 'X', status: 'success', outputs: ['a'] }] }],
      },
    });
    expect(requests[1]?.signal.aborted).toBe(false);
  });

  it('joins branches: a branch that was not taken is neither waited for nor shown', async () => {
    const { executor, requests } = runOf(
      {
        A: { sub: ['X:a'], next: ['B?yes', 'C?no'] },
        B: { sub: ['X:b'], next: ['D'] },
        C: { sub: ['X:c'], next: ['D'] },
        D: { sub: ['X:d'], ctx: ['*'] },
      },
      { X: echo },
      { onRoute: ({ condition }) => (condition === 'yes' ? RouteDecision.allow() : RouteDecision.deny('not that')) },
    );
    const result = await executor.run();
    expect(Object.keys(result.stepOutputs)).toEqual(['A', 'B', 'D']);
    expect(requests.at(-1)?.workflowInput.upstreamResults.map(({ stepName }) => stepName)).toEqual(['B', 'A']);
  });

  it('waits at a join for an ancestor that may still activate another branch', async () => {
    const order: string[] = [];
    const slow: ScriptedAgent = async (content) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return echo(content, {});
    };
    const { executor } = runOf(
      {
        A: { sub: ['X:a'], next: ['C'] },
        S: { sub: ['Y:s'], next: ['B'] },
        B: { sub: ['X:b'], next: ['C'] },
        C: { sub: ['X:c'] },
      },
      { X: echo, Y: slow },
      {},
      { eventCallback: { onEvent: (type, payload) => type === 'step_start' && order.push(JSON.stringify(payload)) } },
    );
    await executor.run();
    expect(order.map((text) => JSON.parse(text).step)).toEqual(['A', 'S', 'B', 'C']);
  });

  it('lets the siblings of a failed step end, and goes nowhere from there', async () => {
    const { executor, events } = runOf(
      {
        A: { sub: ['X:a'], next: ['C?fail'] },
        B: { sub: ['Y:b'], next: ['D'] },
        C: { sub: ['Y:c'] },
        D: { sub: ['Y:d'] },
      },
      { X: failing, Y: echo },
      { onRoute: () => RouteDecision.allow() },
    );
    await expect(executor.run()).resolves.toMatchObject({ success: false, error: 'Step execution failed' });
    expect(events).toEqual(
      expect.arrayContaining(['error A', 'step_complete B', 'route_decision B D', 'workflow_complete']),
    );
    expect(events.filter((event) => /step_start|route_decision A/.test(event))).toEqual([
      'step_start A',
      'step_start B',
    ]);
  });

  it('takes the first success of an ANY_SUCCESS step; the others are cancelled and leave no trace', async () => {
    const { executor, data, engineClient } = runOf(
      { A: { type: 'AnySuccess', sub: ['Z:z', 'X:x', 'Y:y'], next: ['end'] } },
      { X: echo, Y: hanging, Z: failing },
    );
    const result = await executor.run();
    expect(result).toMatchObject({ success: true, stepOutputs: { A: { z: [], x: ['x'] } } });
    expect(result.history.map(({ agent }) => agent)).toEqual(['Z', 'X']);
    expect(engineClient.sent).toHaveLength(3);
    expect(JSON.stringify(data)).not.toContain('"agent":"Y","status"');
  });

  it.each<[string, Record<string, StepInit>, object]>([
    [
      'names subtasks apart that share a description',
      { A: { sub: ['X:s', 'Y:s', 'X:t'] } },
      { 's [X#0]': ['s'], 's [Y#1]': ['s'], t: ['t'] },
    ],
    ['does nothing in a step without subtasks', { A: { type: 'AnySuccess' } }, {}],
    ['is not fooled by a description', { A: { sub: ['X:__proto__'] } }, JSON.parse('{"__proto__":["__proto__"]}')],
  ])('%s', async (_, steps, outputs) => {
    const result = await runOf(steps, { X: echo, Y: echo }).executor.run();
    expect(result.success).toBe(true);
    expect(JSON.stringify(result.stepOutputs.A)).toBe(JSON.stringify(outputs));
  });

  it('lets the host do the work of a SELF_LOOP step', async () => {
    const { executor, engineClient } = runOf(
      { A: { type: 'SelfLoop', sub: ['self:ok', 'self:bad', 'self:none'] } },
      {},
      {
        onSelfTask: ({ instruction }) => {
          if (instruction === 'none') return Promise.resolve(JSON.parse('null'));
          return instruction === 'ok' ? TaskResult.success(['r']) : TaskResult.failure('host.rule', 'not allowed');
        },
      },
    );
    const { history, success } = await executor.run();
    expect(success).toBe(false);
    expect(engineClient.sent).toEqual([]);
    expect(Object.fromEntries(history.map(({ task, errorCode, error }) => [task, `${errorCode}:${error}`]))).toEqual({
      ok: ':',
      bad: 'host.rule:not allowed',
      none: 'workflow.execution_failed:NullResultError',
    });
  });

  it.each<[string, ControlPointHandlers['onTask'], string, string]>([
    ['nothing', () => JSON.parse('null'), 'workflow.execution_failed', 'NullResultError'],
    ['a promise of nothing', () => Promise.resolve(JSON.parse('null')), 'workflow.execution_failed', 'NullResultError'],
    [
      'an error with a secret',
      () => Promise.reject(new TypeError('password=x')),
      'workflow.execution_failed',
      'TypeError',
    ],
    [
      'a failure of its own',
      () => Promise.reject(new Error('w', { cause: new BusinessFailure('b.c', 'm') })),
      'b.c',
      'm',
    ],
    ['no answer', () => new Promise(() => undefined), 'workflow.timeout', 'TimeoutException'],
    ['no handler', undefined, 'workflow.execution_failed', 'WorkflowStateError'],
  ])('fails the subtask when onTask gives %s', async (_, onTask, errorCode, error) => {
    const { executor, engineClient } = runOf(
      { A: { sub: ['X:a'] } },
      { X: echo },
      { onTask },
      { timeoutSeconds: 0.05 },
    );
    const { history } = await executor.run();
    expect(history).toEqual([expect.objectContaining({ errorCode, error, status: 'failed', outputs: [] })]);
    expect(engineClient.sent).toEqual([]);
  });

  it.each<[string, ControlPointHandlers['onRoute'], string]>([
    ['throws', () => Promise.reject(new Error('boom')), 'onRoute failed for edge A -> B: boom'],
    ['throws without a text', () => Promise.reject(new TypeError()), 'onRoute failed for edge A -> B: TypeError'],
    ['gives nothing', () => JSON.parse('null'), 'onRoute failed for edge A -> B: onRoute returned null future'],
    [
      'gives a promise of nothing',
      () => Promise.resolve(JSON.parse('null')),
      'onRoute failed for edge A -> B: onRoute returned null decision',
    ],
    ['never answers', () => new Promise(() => undefined), 'onRoute failed for edge A -> B: TimeoutException'],
    ['is not there', undefined, 'onRoute failed for edge A -> B: onRoute handler is required for A'],
  ])('ends the run when onRoute %s', async (_, onRoute, error) => {
    const asked: string[] = [];
    const { executor, events } = runOf(
      { A: { sub: ['X:a'], next: ['B?c', 'C?d', 'D'] }, B: {}, C: {}, D: {} },
      { X: echo },
      {
        onRoute:
          onRoute &&
          ((request: RouteRequest) => {
            asked.push(request.nextStep);
            return request.nextStep === 'B' ? onRoute(request) : RouteDecision.allow();
          }),
      },
      { timeoutSeconds: 0.05 },
    );
    await expect(executor.run()).resolves.toMatchObject({ success: false, error, stepOutputs: { A: { a: ['a'] } } });
    expect(asked).toEqual(onRoute ? ['B', 'C'] : []);
    expect(events.slice(-2)).toEqual(['step_complete A', 'error']);
  });

  it('asks about conditional edges only, ends included, and shows what the step saw and did', async () => {
    const asked: RouteRequest[] = [];
    const { executor, data } = runOf(
      { A: { sub: ['X:a'], next: ['B'] }, B: { sub: ['X:b'], next: ['end? later ', 'C? '] }, C: {} },
      { X: echo },
      {
        onRoute: (request) => {
          asked.push(request);
          return RouteDecision.deny();
        },
      },
    );
    await expect(executor.run()).resolves.toMatchObject({ success: true });
    expect(asked).toEqual([
      expect.objectContaining({
        stepName: 'B',
        nextStep: 'end',
        condition: ' later ',
        workflowInput: expect.objectContaining({ upstreamResults: [expect.objectContaining({ stepName: 'A' })] }),
        currentResults: [expect.objectContaining({ outputs: ['b'] })],
      }),
    ]);
    expect(data.filter(({ type }) => type === 'route_decision').map((event) => event.data)).toEqual([
      expect.objectContaining({
        step: 'A',
        next: 'B',
        conditional: false,
        allowed: true,
        reason: 'unconditional edge',
      }),
      expect.objectContaining({ step: 'B', next: 'end', conditional: true, allowed: false, reason: '' }),
      expect.objectContaining({ step: 'B', next: 'C', conditional: false, allowed: true }),
    ]);
  });

  it('ends with the text when a subtask has neither an input nor a description', async () => {
    const { executor, engineClient } = runOf({ A: { sub: ['X:a', 'X: '] } }, { X: hanging });
    await expect(executor.run()).resolves.toMatchObject({
      success: false,
      error: 'Text must not be blank',
      history: [],
    });
    expect(engineClient.sent).toHaveLength(0);
  });

  it('reports a graph that cannot be run, and starts nothing', async () => {
    const { executor, events } = runOf({ A: { sub: ['X:a'], next: ['A'] } }, { X: echo });
    await expect(executor.run()).resolves.toEqual({
      success: false,
      error: 'Workflow graph contains a cycle at step A',
      history: [],
      stepOutputs: {},
    });
    expect(events).toEqual(['error']);
  });

  it('runs once, on its own copy of the workflow', async () => {
    const step = { name: 'A', subtasks: [], next: [], layer: 0, contextFrom: null, stepType: 'AllSuccess' as const };
    const steps = [step];
    const workflow = { id: '', name: '', description: '', steps };
    const { executor } = runOf({}, {}, {}, { workflow });
    steps.push({ ...step, name: 'B' });
    await expect(executor.run()).resolves.toMatchObject({ stepOutputs: { A: {} } });
    await expect(executor.run()).rejects.toThrow(new WorkflowStateError('WorkflowExecutor is single-use'));
  });

  it('stops when it is cancelled: signals fire, nothing more is told, late answers are ignored', async () => {
    const stop = new AbortController();
    const seen: AbortSignal[] = [];
    const { executor, events } = runOf(
      { A: { sub: ['X:a', 'Y:b'] } },
      { X: hanging },
      {
        onTask: ({ signal, instruction }) => {
          seen.push(signal);
          return instruction === 'a' ? MessageContent.text('a') : new Promise(() => undefined);
        },
      },
    );
    const running = executor.run(stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(running).rejects.toThrow(new CancellationException('Workflow execution cancelled'));
    expect(seen.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(events).toEqual(['step_start A', 'task_request A X', 'task_request A Y']);
  });

  it('keeps to its limits of subtasks at work, of all and of each agent', async () => {
    let now = 0;
    let most = 0;
    const byAgent = new Map<string, number>();
    const counted =
      (agent: string): ScriptedAgent =>
      async (content) => {
        most = Math.max(most, (now += 1));
        const own = (byAgent.get(agent) ?? 0) + 1;
        byAgent.set(agent, own);
        expect(own).toBeLessThanOrEqual(2);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        byAgent.set(agent, (byAgent.get(agent) ?? 0) - 1);
        return echo(content, {});
      };
    const sub = Array.from({ length: 12 }, (_, at) => `${at < 8 ? 'X' : 'Y'}:${at}`);
    const { executor } = runOf(
      { A: { sub } },
      { X: counted('X'), Y: counted('Y') },
      {},
      { maxParallelTasks: 3, maxParallelTasksPerAgent: 2 },
    );
    await expect(executor.run()).resolves.toMatchObject({ success: true });
    expect(most).toBe(3);
  });

  it('tells of subtasks that start when it is asked to', async () => {
    const { executor, data } = runOf({ A: { sub: ['X:a'] } }, { X: echo }, {}, { runningStatus: true });
    await executor.run();
    expect(data.filter(({ type }) => type === 'task_status_changed').map((event) => event.data)).toEqual([
      expect.objectContaining({ status: 'running' }),
      expect.objectContaining({ status: 'success' }),
    ]);
  });

  it('is not disturbed by a callback that throws', async () => {
    const thrown: unknown[] = [];
    const { executor } = runOf(
      { A: { sub: ['X:a'] } },
      { X: echo },
      {},
      {
        eventCallback: {
          onEvent: () => {
            throw new Error('observer');
          },
        },
        onCallbackError: (error) => thrown.push(error),
      },
    );
    await expect(executor.run()).resolves.toMatchObject({ success: true });
    expect(thrown).toHaveLength(6);
  });
});
