import { describe, expect, it } from '@jest/globals';
import { completed, hanging, ScriptedEngineClient } from '../../../../test/support/workflow/scripted-engine-client.js';
import { DefaultA2ARuntime } from '../client/runtime/default-a2a.runtime.js';
import { controlPoint } from '../control/control-point.builder.js';
import { CancellationException } from '../errors/workflow.error.js';
import { InMemoryExecutionJournal } from '../journal/in-memory-execution-journal.js';
import type { JournalRecord } from '../journal/journal-record.js';
import { MessageContent } from '../model/message-content.js';
import { Workflow } from '../model/workflow.js';
import { ExecutePsop } from './execute-psop.builder.js';
import { executePsop, resumePsop } from './execute-psop.js';
import type { PlainEvent } from './plain-event.js';
import type { ExecutePsopOptions } from './psop-options.js';

const psop = Workflow.fromMap({
  name: 'w',
  steps: [{ name: 'A', subtasks: [{ agent: 'X', description: 'a' }], next: [{ step: 'end' }] }],
});
const decisions = controlPoint({ onTask: ({ instruction }) => MessageContent.text(instruction) });
const done = (): ScriptedEngineClient => new ScriptedEngineClient({ X: () => Promise.resolve(completed(['r'])) });

function runOf(options: Partial<ExecutePsopOptions> = {}) {
  const told: [string, object][] = [];
  const engineClient = options.engineClient ?? done();
  const eventCallback = { onEvent: (type: string, data: object) => void told.push([type, data]) };
  const run = executePsop({ psop, controlPoint: decisions, eventCallback, ...options, engineClient });
  return { run, told, types: () => told.map(([type]) => type), engineClient };
}

describe('executePsop', () => {
  it('brackets the run: start, complete, close; a client that was given stays open', async () => {
    const { run, told, types, engineClient } = runOf();
    await expect(run).resolves.toMatchObject({ success: true, stepOutputs: { A: { a: ['r'] } } });
    expect(types()).toEqual([
      'start',
      'step_start',
      'task_request',
      'task_status_changed',
      'task_response',
      'step_complete',
      'route_decision',
      'workflow_complete',
      'complete',
      'close',
    ]);
    expect(told[0]?.[1]).toEqual({ workflow: 'w', steps: 1 });
    expect(told.at(-2)?.[1]).toEqual({
      history: [expect.objectContaining({ step: 'A' })],
      step_outputs: { A: { a: ['r'] } },
    });
    expect(engineClient).toMatchObject({ closed: 0 });
  });

  it('resolves for a workflow that fails, and tells it twice', async () => {
    const broken = Workflow.fromMap({ steps: [{ name: 'A', next: [{ step: 'A' }] }] });
    const { run, types } = runOf({ psop: broken });
    await expect(run).resolves.toMatchObject({ success: false, error: 'Workflow graph contains a cycle at step A' });
    expect(types()).toEqual(['start', 'error', 'error', 'close']);
  });

  it.each<[string, Partial<ExecutePsopOptions>, string]>([
    ['no workflow', { controlPoint: decisions }, 'psop is required'],
    ['no control point', { psop }, 'controlPoint is required'],
    ...Object.entries({
      agentCards: [],
      sslVerify: true,
      caCertsPath: 'ca.pem',
      credentialsConfigPath: 'c.json',
      clientOptions: {},
      a2aClientRuntime: new DefaultA2ARuntime(),
    }).map(([name, value]): [string, Partial<ExecutePsopOptions>, string] => [
      `a client and ${name}`,
      { psop, controlPoint: decisions, engineClient: done(), [name]: value },
      'engineClient cannot be combined with agentCards, a2aClientRuntime, TLS, or credentials settings',
    ]),
  ])('refuses %s at once', (_, options, text) => {
    expect(() => ExecutePsop.builder().with(options).execute()).toThrow(text);
  });

  it('has a builder for each option', async () => {
    const finished: string[] = [];
    const run = ExecutePsop.builder()
      .psop(psop)
      .controlPoint(decisions)
      .engineClient(done())
      .runtimeIntent('why')
      .lang('en')
      .onEvent((event) => event)
      .onFinish(() => void finished.push('finished'))
      .eventCallback({ onEvent: () => undefined })
      .execute();
    await expect(run).resolves.toMatchObject({ success: true });
    expect(finished).toEqual(['finished']);
    expect(() =>
      ExecutePsop.builder().agentCards([]).sslVerify(true).caCertsPath('x').credentialsConfigPath('y').execute(),
    ).toThrow('psop is required');
  });

  it('hands onFinish the result and the events until then, waits for it, and does not mind what it throws', async () => {
    const errors: unknown[] = [];
    let kept: readonly PlainEvent[] = [];
    const { run, types } = runOf({
      onCallbackError: (error) => errors.push(error),
      onFinish: async (result, events) => {
        kept = events;
        await Promise.resolve();
        throw new Error(`late ${result.success}`);
      },
    });
    await expect(run).resolves.toMatchObject({ success: true });
    expect(kept.map(({ type }) => type)).toEqual(types().slice(0, -1));
    expect(typeof kept[0]?.timestamp).toBe('number');
    expect(errors).toEqual([new Error('late true')]);
  });

  it.each<[string, (event: PlainEvent) => unknown, string[]]>([
    ['drops what becomes null', ({ type }) => (type === 'start' ? null : undefined), []],
    [
      'takes a list for several',
      (event) => (event.type === 'close' ? [event, 7, { type: 'more' }, null] : null),
      ['close {}', 'more {}'],
    ],
    ['takes what replaces it', ({ type }) => (type === 'close' ? { data: { a: 1 } } : 'dropped'), ['close {"a":1}']],
    ['completes what lacks data', ({ type }) => (type === 'close' ? { type: 'end', data: [1] } : null), ['end {}']],
    [
      'keeps an event when it throws',
      ({ type }) => {
        if (type === 'close') throw new Error('hook');
        return null;
      },
      ['close {}'],
    ],
  ])('has a hook that %s', async (_, onEvent, expected) => {
    const { run, told } = runOf({ onEvent });
    await run;
    expect(told.map(([type, data]) => `${type} ${JSON.stringify(data)}`)).toEqual(expected);
  });

  it('tells callbacks plain JSON', async () => {
    const events: object[] = [];
    const client = new ScriptedEngineClient({
      X: async (content, { events: tell }) => {
        tell?.onEvent('agent_request', { agent: 'X', content: content.withExtension('u:1') });
        return completed([]);
      },
    });
    await runOf({ engineClient: client, onEvent: (event) => void events.push(event) }).run;
    expect(events.find((event) => 'type' in event && event.type === 'agent_request')).toMatchObject({
      data: { agent: 'X', content: { parts: [{ text: 'a' }], metadata: {}, extensions: ['u:1'] } },
    });
  });

  it('can be watched: typed events for observers and iterations that began before it did', async () => {
    const { run } = runOf();
    const observed: string[] = [];
    run.events$.subscribe(({ type }) => observed.push(type));
    const read: string[] = [];
    for await (const event of run.readEvents()) {
      read.push(event.type);
      if (event.type === 'task_response') expect(event.data.outputs).toEqual(['r']);
    }
    expect(read).toEqual(observed);
    expect(read.at(0)).toBe('start');
    expect(read.at(-1)).toBe('close');
    await expect(run.result).resolves.toMatchObject({ success: true });
  });

  it('drops a reader that does not read, and nobody else', async () => {
    const client = new ScriptedEngineClient({
      X: async (_, { events }) => {
        for (let at = 0; at < 10_001; at += 1) {
          events?.onEvent('negotiation_failed', { agent: 'X', exchange: at, errorType: 'E' });
        }
        return completed([]);
      },
    });
    const { run } = runOf({ engineClient: client });
    const reader = run.readEvents();
    let observed = 0;
    run.events$.subscribe(() => (observed += 1));
    await run;
    await expect(reader.next()).rejects.toThrow('fell more than 10000 events behind');
    await expect(reader.next()).resolves.toMatchObject({ done: true });
    expect(observed).toBeGreaterThan(10_001);
  });

  it('ends when it is cancelled: one error, onFinish, close, and a rejection', async () => {
    const stop = new AbortController();
    const finished: unknown[] = [];
    const { run, told, types } = runOf({
      engineClient: new ScriptedEngineClient({ X: hanging }),
      signal: stop.signal,
      onFinish: (result) => {
        finished.push(result);
        return new Promise(() => undefined);
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(run).rejects.toThrow(new CancellationException('Workflow execution cancelled'));
    const cancelled = { success: false, history: [], stepOutputs: {}, error: 'Workflow execution cancelled' };
    expect(finished).toEqual([cancelled]);
    expect(types()).toEqual(['start', 'step_start', 'task_request', 'error', 'close']);
    expect(told[3]?.[1]).toEqual({ error: 'Workflow execution cancelled', history: [], step_outputs: {} });
  });

  it('closes at once when it is cancelled while onFinish is at work', async () => {
    const { run, types } = runOf({
      onFinish: () => {
        run.cancel();
        return new Promise(() => undefined);
      },
    });
    await expect(run).rejects.toThrow(CancellationException);
    expect(types().slice(-2)).toEqual(['complete', 'close']);
  });

  it('shows of an agent that nobody knows no more than the class of the error', async () => {
    const told: object[] = [];
    const run = executePsop({ psop, controlPoint: decisions, onEvent: (event) => void told.push(event) });
    const { success, history } = await run;
    expect({ success, error: history[0]?.error }).toEqual({ success: false, error: 'WorkflowArgumentError' });
    expect(JSON.stringify([history, told])).not.toContain('not found');
  });

  it('gives its result when the journal cannot note the end, and tells of it', async () => {
    class FullJournal extends InMemoryExecutionJournal {
      override append(id: string, record: JournalRecord): Promise<void> {
        return record.kind === 'ended' ? Promise.reject(new Error('disk full')) : super.append(id, record);
      }
    }
    const errors: unknown[] = [];
    const journal = new FullJournal();
    const { run } = runOf({ journal, onCallbackError: (error) => errors.push(error) });
    await expect(run).resolves.toMatchObject({ success: true });
    expect(errors).toEqual([new Error('disk full')]);
    await expect(journal.unfinished()).resolves.toEqual([run.executionId]);
  });

  it('does not go on with a run that was cancelled', async () => {
    const journal = new InMemoryExecutionJournal();
    const { run } = runOf({ engineClient: new ScriptedEngineClient({ X: hanging }), journal });
    await new Promise((resolve) => setImmediate(resolve));
    run.cancel();
    await expect(run).rejects.toThrow(CancellationException);
    const { executionId } = run;
    const resumed = resumePsop({ executionId, journal, controlPoint: decisions, engineClient: done() });
    await expect(resumed).rejects.toThrow(`Execution was cancelled, and its agents' tasks with it: ${executionId}`);
  });

  it('rejects for what is no workflow, after the close', async () => {
    const { run, types } = runOf({ psop: JSON.parse('{"name":"w"}') });
    await expect(run).rejects.toThrow('A workflow with a list of steps is required');
    expect(types()).toEqual(['close']);
  });
});
