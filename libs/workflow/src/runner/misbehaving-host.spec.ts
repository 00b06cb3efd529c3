import { getEventListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  completed,
  hanging,
  type ScriptedAgent,
  ScriptedEngineClient,
} from '../../../../test/support/workflow/scripted-engine-client.js';
import { controlPoint, type ControlPointHandlers } from '../control/control-point.builder.js';
import { CancellationException } from '../errors/workflow.error.js';
import { MessageContent } from '../model/message-content.js';
import { RouteDecision } from '../model/route.js';
import { TaskResult } from '../model/task-result.js';
import { Workflow } from '../model/workflow.js';
import { executePsop } from './execute-psop.js';
import type { PlainEvent } from './plain-event.js';
import type { ExecutePsopOptions } from './psop-options.js';
import type { WorkflowRun } from './workflow-run.js';

/** An agent's step, then one of the host, with a question on the way. */
const psop = Workflow.fromMap({
  name: 'w',
  steps: [
    { name: 'A', subtasks: [{ agent: 'X', description: 'a' }], next: [{ step: 'S', condition: 'c' }] },
    { name: 'S', type: 'SelfLoop', subtasks: [{ agent: 'self', description: 's' }], next: [{ step: 'end' }] },
  ],
});
const decisions: Required<Omit<ControlPointHandlers, 'onNegotiation'>> = {
  onTask: ({ instruction }) => MessageContent.text(instruction),
  onSelfTask: () => TaskResult.success(['s']),
  onRoute: () => RouteDecision.allow('yes'),
};
const answers: ScriptedAgent = () => Promise.resolve(completed(['r']));
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** What the types forbid, hosts in JavaScript do. */
const junk = <T>(value: unknown): T => JSON.parse(JSON.stringify(value));

function runOf(
  handlers: Partial<ControlPointHandlers> = {},
  options: Partial<ExecutePsopOptions> = {},
  agent = answers,
): WorkflowRun {
  const engineClient = options.engineClient ?? new ScriptedEngineClient({ X: agent }, 0.2);
  return executePsop({ psop, controlPoint: controlPoint({ ...decisions, ...handlers }), ...options, engineClient });
}

describe('a host that misbehaves', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', onUnhandled));
  afterAll(() => void process.off('unhandledRejection', onUnhandled));
  afterEach(async () => {
    await tick();
    expect(unhandled.splice(0)).toEqual([]);
  });

  const fails = (): never => {
    throw new Error('observer');
  };
  const failsLater = (): Promise<never> => Promise.reject(new Error('observer'));
  // Hosts use promises of their own making.
  // oxlint-disable-next-line unicorn/no-thenable
  const thenable = (): object => ({ then: (_: unknown, reject: (error: Error) => void) => reject(new Error('own')) });

  describe.each<[string, () => unknown]>([
    ['throws', fails],
    ['rejects', failsLater],
    ['gives a thenable that rejects', thenable],
  ])('whose observer %s', (_, misbehave) => {
    it.each<[string, Partial<ExecutePsopOptions>]>([
      ['eventCallback', { eventCallback: { onEvent: misbehave } }],
      ['onEvent', { onEvent: misbehave }],
      ['onFinish', { onFinish: misbehave }],
      [
        'onCallbackError as well',
        {
          eventCallback: { onEvent: misbehave },
          onEvent: fails,
          onFinish: misbehave,
          onCallbackError: misbehave,
        },
      ],
    ])('does not disturb the run: %s', async (_name, options) => {
      const told: unknown[] = [];
      await expect(runOf({}, { onCallbackError: (error) => void told.push(error), ...options })).resolves.toMatchObject(
        {
          success: true,
        },
      );
      await tick();
      if (options.onCallbackError === undefined) expect(told.length).toBeGreaterThan(0);
    });
  });

  it('drops the events of a hook that is async: its answer comes too late', async () => {
    const told: string[] = [];
    const eventCallback = { onEvent: (type: string) => void told.push(type) };
    await runOf({}, { eventCallback, onEvent: (event: PlainEvent) => Promise.resolve(event) });
    expect(told).toEqual([]);
  });

  it.each<[string, Partial<ControlPointHandlers>, object]>([
    ['content that is a text', { onTask: () => junk('do it') }, { errorCode: 'workflow.execution_failed' }],
    ['content without parts', { onTask: () => junk({ text: 'x' }) }, { error: 'WorkflowArgumentError' }],
    [
      'content with parts that are none',
      { onTask: () => junk({ parts: [{ x: 1 }] }) },
      { error: 'WorkflowArgumentError' },
    ],
    ['a result that is a text', { onSelfTask: () => junk('done') }, { step: 'S', error: 'WorkflowArgumentError' }],
    ['a result of half a yes', { onSelfTask: () => junk({ success: 1 }) }, { step: 'S', status: 'failed' }],
    [
      'outputs that are a text',
      { onSelfTask: () => junk({ success: true, outputs: 'done' }) },
      { step: 'S', error: 'WorkflowArgumentError' },
    ],
  ])('fails the subtask when it is given %s', async (_, handlers, row) => {
    const { success, history } = await runOf(handlers);
    expect(success).toBe(false);
    expect(history.at(-1)).toMatchObject({ status: 'failed', ...row });
  });

  it.each([true, false, 'yes', {}, { allowed: 'true' }, []])('takes %j for no decision', async (decision) => {
    await expect(runOf({ onRoute: () => junk(decision) })).resolves.toMatchObject({
      success: false,
      error: 'onRoute failed for edge A -> S: onRoute must return RouteDecision.allow() or RouteDecision.deny()',
    });
  });

  it.each<[string, unknown, string]>([
    ['a text', 'plain', 'plain'],
    ['an object without a prototype', Object.create(null), 'Error'],
    ['a symbol', Symbol('s'), 'Error'],
    ['a secret', new Error('password=hunter2'), 'password=***'],
  ])('tells of %s that is thrown about an edge', async (_, thrown, text) => {
    const run = runOf({
      onRoute: () => {
        throw thrown;
      },
    });
    await expect(run).resolves.toMatchObject({ error: `onRoute failed for edge A -> S: ${text}` });
  });

  it('accepts content that only looks like one, and sends a copy of it', async () => {
    const content = { parts: [{ text: 'mine' }], metadata: { a: [1] }, extensions: ['u:1'] };
    const engineClient = new ScriptedEngineClient({ X: answers });
    await runOf({ onTask: () => junk(content) }, { engineClient });
    expect(engineClient.sent[0]?.content).toBeInstanceOf(MessageContent);
    expect(engineClient.sent[0]?.content).toEqual(
      new MessageContent(content.parts, content.metadata, content.extensions),
    );
  });

  it('cannot change what it is shown', async () => {
    const attempts: string[] = [];
    const attempt = (what: string, target: object, ...path: string[]): void => {
      const inner = path.slice(0, -1).reduce<object>((at, key) => Object(Reflect.get(at, key)), target);
      if (Reflect.set(inner, path.at(-1) ?? '', 'changed')) attempts.push(what);
    };
    const run = runOf({
      onTask: (request) => {
        attempt('instruction', request, 'instruction');
        attempt('input', request, 'input', 'text');
        attempt('upstream', request, 'workflowInput', 'upstreamResults', '0');
        return decisions.onTask(request);
      },
      onRoute: (request) => {
        attempt('results', request, 'currentResults', '0', 'status');
        attempt('outputs', request, 'currentResults', '0', 'outputs', '0');
        attempt('artifact', request, 'currentResults', '0', 'receivedMessages', '0', 'artifacts', '0', 'parts', '0');
        return decisions.onRoute(request);
      },
    });
    run.events$.subscribe((event) => {
      attempt('event', event, 'type');
      for (const key of Object.keys(event.data)) attempt(`${event.type}.${key}`, event.data, key);
      attempt(`more of ${event.type}`, event.data, 'more');
    });
    const result = await run;
    attempt('row', result, 'history', '0', 'status');
    attempt('outputs', result, 'stepOutputs', 'A', 'a', '0');
    expect(attempts).toEqual([]);
    expect(result).toMatchObject({ success: true, stepOutputs: { A: { a: ['r'] }, S: { s: ['s'] } } });
  });

  it.each([
    'onTask',
    'onRoute',
    'onSelfTask',
    'start',
    'task_request',
    'step_complete',
    'workflow_complete',
    'complete',
  ])('may cancel the run from inside: %s', async (place) => {
    const types: string[] = [];
    const cancelIn = <T>(name: string, answer: T): T => {
      if (name === place) run.cancel();
      return answer;
    };
    const run: WorkflowRun = runOf(
      {
        onTask: (request) => cancelIn('onTask', decisions.onTask(request)),
        onRoute: (request) => cancelIn('onRoute', decisions.onRoute(request)),
        onSelfTask: (request) => cancelIn('onSelfTask', decisions.onSelfTask(request)),
      },
      {
        eventCallback: {
          onEvent: (type) => {
            types.push(type);
            cancelIn(type, undefined);
          },
        },
      },
    );
    await expect(run).rejects.toThrow(CancellationException);
    expect(types.at(-1)).toBe('close');
    expect(types.filter((type) => type === 'close')).toHaveLength(1);
  });

  it('may cancel as often as it likes, also when all is over', async () => {
    const run = runOf({}, { eventCallback: { onEvent: (type) => type === 'close' && run.cancel() } });
    await expect(run).resolves.toMatchObject({ success: true });
    run.cancel();
    run.cancel();
    await expect(run).resolves.toMatchObject({ success: true });
  });

  it('may start another run in each of its callbacks, on the same client', async () => {
    const engineClient = new ScriptedEngineClient({ X: answers });
    const inner = async (): Promise<void> => {
      await expect(runOf({}, { engineClient })).resolves.toMatchObject({ success: true });
    };
    const run = runOf(
      {
        onTask: (request) => inner().then(() => decisions.onTask(request)),
        onRoute: (request) => inner().then(() => decisions.onRoute(request)),
        onSelfTask: (request) => inner().then(() => decisions.onSelfTask(request)),
      },
      { engineClient, onFinish: inner, eventCallback: { onEvent: inner } },
    );
    await expect(run).resolves.toMatchObject({ success: true });
    expect(engineClient.closed).toBe(0);
  });

  it('answers when nobody waits any more: nothing comes of it', async () => {
    const late: ((value: MessageContent) => void)[] = [];
    const told: string[] = [];
    const engineClient = new ScriptedEngineClient({ X: answers });
    const run = runOf(
      { onTask: () => new Promise((resolve) => late.push(resolve)) },
      { engineClient, eventCallback: { onEvent: (type) => void told.push(type) } },
    );
    await tick();
    run.cancel();
    await expect(run).rejects.toThrow(CancellationException);
    const before = told.length;
    for (const resolve of late) resolve(MessageContent.text('late'));
    await tick();
    expect(engineClient.sent).toEqual([]);
    expect(told).toHaveLength(before);
  });

  it('leaves nothing on a signal that it uses for many runs, and starts none when it is aborted', async () => {
    const stop = new AbortController();
    for (let at = 0; at < 3; at += 1) await runOf({}, { signal: stop.signal });
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    stop.abort();
    const told: string[] = [];
    const finished: unknown[] = [];
    const engineClient = new ScriptedEngineClient({ X: hanging });
    const run = runOf(
      {},
      {
        engineClient,
        signal: stop.signal,
        onFinish: ({ error }) => void finished.push(error),
        eventCallback: { onEvent: (type) => void told.push(type) },
      },
    );
    await expect(run).rejects.toThrow(CancellationException);
    expect(told).toEqual(['error', 'close']);
    expect(finished).toEqual(['Workflow execution cancelled']);
    expect(engineClient.sent).toEqual([]);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may call everything %s', async (name) => {
    const engineClient = new ScriptedEngineClient(Object.fromEntries([[name, answers]]));
    const odd = Workflow.fromMap({
      name,
      steps: [
        { name, subtasks: [{ agent: name, description: name }], next: [{ step: `${name}2`, condition: name }] },
        { name: `${name}2`, subtasks: [{ agent: name, description: name }], context_from: [name] },
      ],
    });
    const events: PlainEvent[] = [];
    const result = await runOf({}, { psop: odd, engineClient, onEvent: (event) => void events.push(event) });
    expect(JSON.stringify(result.stepOutputs)).toBe(`{"${name}":{"${name}":["r"]},"${name}2":{"${name}":["r"]}}`);
    const complete = events.find(({ type }) => type === 'complete');
    expect(JSON.stringify(complete?.data['step_outputs'])).toBe(JSON.stringify(result.stepOutputs));
    expect(Object.getPrototypeOf(result.stepOutputs)).toBe(Object.prototype);
  });

  it.each<[string, object]>([
    ['maxParallelTasks', { maxParallelTasks: 0 }],
    ['maxParallelTasks', { maxParallelTasks: Number.NaN }],
    ['maxParallelTasksPerAgent', { maxParallelTasksPerAgent: -1 }],
  ])('cannot shut the door for ever: %s', (name, options) => {
    expect(() => runOf({}, options)).toThrow(`${name} must be at least 1`);
  });

  it.each<[unknown, string]>([
    [{ steps: [null] }, 'A step must be an object'],
    [{ steps: [{ name: 'A', subtasks: [null] }] }, 'A subtask must be an object'],
    [{ steps: [{ name: 'A', subtasks: 'all' }] }, 'The subtasks of a step must be a list'],
    [{ steps: [{ name: 'A', next: 'end' }] }, 'The edges of a step must be a list'],
    [{ steps: [{ name: 'A', contextFrom: 'ABC' }] }, 'contextFrom must be a list'],
    [{ steps: [{ name: 'A', stepType: 'Some' }] }, 'Unknown workflow step type: Some'],
  ])('is told what is wrong with %j', async (broken, text) => {
    await expect(runOf({}, { psop: junk(broken) })).rejects.toThrow(text);
  });
});
