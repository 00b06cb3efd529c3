import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { A2AClientError } from 'nestjs-a2a/client';
import { TaskState } from 'nestjs-a2a/protocol';
import {
  A2ATExtension,
  CancellationException,
  MessageContent,
  NullResultError,
  RemoteA2AError,
  TimeoutException,
  WorkflowArgumentError,
} from 'nestjs-a2a/workflow';
import { caught } from '../../../../../test/support/caught.js';
import { EngineClientBench, negotiable } from '../../../../../test/support/workflow/engine-client-bench.js';
import {
  artifactOf,
  done,
  messageOf,
  says,
  type Script,
  scriptedCard,
  stands,
  task,
  taskOf,
} from '../../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, FAILED, CANCELED, REJECTED, SUBMITTED, WORKING, INPUT_REQUIRED, AUTH_REQUIRED, UNSPECIFIED } =
  TaskState;
const TASK_T = A2ATExtension.TASK_T.uri;
const NEGOTIATION_T = A2ATExtension.NEGOTIATION_T.uri;
const lost = (): Error => new A2AClientError('STREAM_BROKEN', 'The stream broke');
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refused = (): Error => new RemoteA2AError({ remoteCode: 503, message: 'busy' });

describe('sendTask', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  afterEach(async () => {
    jest.useRealTimers();
    await tick();
    expect(unhandled).toEqual([]);
  });

  describe('what it sends', () => {
    it('puts an envelope around the content and changes nothing of it', async () => {
      const bench = new EngineClientBench({ send: [done('ok')] });
      const content = new MessageContent([{ text: 'do' }, { data: [1] }], { contextId: 'mine' }, [NEGOTIATION_T]);
      await bench.send({}, content);
      const [request] = bench.runtime.requests;
      expect(request).toEqual({
        message: {
          messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          contextId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          role: 'ROLE_USER',
          parts: [{ text: 'do' }, { data: [1] }],
          metadata: { contextId: 'mine' },
          extensions: [NEGOTIATION_T],
        },
      });
      expect(bench.runtime.contexts[0]).toMatchObject({
        channel: 'task',
        headers: { 'A2A-Extensions': NEGOTIATION_T },
      });
      expect(bench.runtime.wire).toEqual(['send', 'close conversation']);
      bench.expectIdle();
    });

    it('takes a fresh context for each call', async () => {
      const bench = new EngineClientBench({ send: [done(), done()] });
      await bench.send();
      await bench.send();
      const contexts = bench.runtime.requests.map(({ message }) => message.contextId);
      expect(new Set(contexts).size).toBe(2);
    });
  });

  describe('before anything is sent', () => {
    const withTask = (extensions: string[], metadata: object): MessageContent =>
      new MessageContent([{ text: 'do' }], metadata, extensions);
    const required = 'urn:required';

    it.each<[string, string, MessageContent]>([
      ['unknown agent', 'Agent not found: Nobody', MessageContent.text('do')],
      [
        'Task-T without metadata',
        'Task-T content must contain matching extension activation and metadata',
        withTask([TASK_T], {}),
      ],
      [
        'metadata of Task-T without activation',
        'Task-T content must contain matching extension activation and metadata',
        withTask([], { [TASK_T]: 'x' }),
      ],
      ['undeclared Task-T', 'Target agent does not declare Task-T: X', withTask([TASK_T], { [TASK_T]: 'x' })],
      ['undeclared Negotiation-T', 'Target agent does not declare Negotiation-T: X', withTask([NEGOTIATION_T], {})],
      ['required extension', `Required extension not activated: ${required}`, MessageContent.text('do')],
    ])('refuses: %s', async (_case, message, content) => {
      const card = scriptedCard('X', { extensions: [{ uri: required, required: true }] });
      const bench = new EngineClientBench({ card });
      const error = await caught(bench.client.sendTask(message.includes('Nobody') ? 'Nobody' : 'X', content));
      expect(error).toBeInstanceOf(WorkflowArgumentError);
      expect(error.message).toBe(message);
      expect(bench.events).toEqual([]);
      expect(bench.runtime.wire).toEqual([]);
    });

    it('refuses a strategy of null, then content of null', async () => {
      const bench = new EngineClientBench({});
      const nothing: unknown = null;
      const isContent = (_value: unknown): _value is MessageContent => true;
      if (!isContent(nothing)) throw new Error('unreachable');
      expect(await caught(bench.client.sendTask('X', nothing, null))).toMatchObject({ message: 'negotiationStrategy' });
      const error = await caught(bench.client.sendTask('X', nothing));
      expect(error).toBeInstanceOf(NullResultError);
      expect(error.message).toBe('onTask returned null content');
    });

    it('sends plain content although the card declares extensions', async () => {
      const bench = new EngineClientBench({ send: [says('hello')] });
      expect((await bench.send({}, MessageContent.text('do'))).outputs).toEqual(['hello']);
      expect(bench.runtime.contexts[0]?.headers).toEqual({});
    });
  });

  describe('how it ends', () => {
    it.each([COMPLETED, FAILED, CANCELED, REJECTED])('resolves at %s, and asks no more', async (state) => {
      const bench = new EngineClientBench({ send: [task(state, { says: 'why', artifacts: [['part']] })] });
      const result = await bench.send();
      expect(result).toMatchObject({ taskState: state, failureCode: null, outputs: ['part'] });
      expect(bench.words).toEqual(['agent_request', 'agent_response']);
      expect(bench.runtime.wire).toEqual(['send', 'close conversation']);
      bench.expectIdle();
    });

    it('resolves with a message and no task', async () => {
      const bench = new EngineClientBench({ send: [says('plain')] });
      const result = await bench.send();
      expect(result).toMatchObject({ task: null, taskState: '', outputs: ['plain'] });
      expect(bench.words).toEqual(['agent_request', 'agent_message_event', 'agent_response']);
    });

    it('tells the stream as it comes, and the parts of artifacts put together', async () => {
      const stream: Script = (contextId) => [
        { task: taskOf(contextId, WORKING) },
        { statusUpdate: { taskId: 't', contextId, status: { state: WORKING, message: messageOf('half way') } } },
        { artifactUpdate: { taskId: 't', contextId, artifact: artifactOf('a', ['one']) } },
        { artifactUpdate: { taskId: 't', contextId, artifact: artifactOf('a', ['two']), append: true } },
        { statusUpdate: { taskId: 't', contextId, status: { state: COMPLETED } } },
        lost(),
      ];
      const bench = new EngineClientBench({ send: [stream] });
      const result = await bench.send();
      expect(result.outputs).toEqual(['one', 'two']);
      expect(bench.words).toEqual([
        'agent_request',
        'agent_status_update',
        'agent_artifact_update',
        'agent_artifact_update',
        'agent_status_update',
        'agent_response',
      ]);
      expect(bench.events.at(-1)?.data).toMatchObject({ agent: 'X', response: 'onetwo' });
    });

    it.each<[string, Script]>([
      ['SUBMITTED', task(SUBMITTED)],
      ['WORKING', task(WORKING)],
      ['a stream that breaks', (contextId) => [{ task: taskOf(contextId, WORKING) }, lost()]],
      [
        'a stream that breaks before it tells a state',
        (contextId) => [{ artifactUpdate: { taskId: 't', contextId, artifact: artifactOf('a', ['x']) } }, lost()],
      ],
      [
        'a stream that ends early',
        (contextId) => [{ statusUpdate: { taskId: 't', contextId, status: { state: WORKING } } }],
      ],
    ])('asks for the task and sends nothing again after %s', async (_case, send) => {
      const bench = new EngineClientBench({
        config: { taskPollIntervalMillis: 700 },
        send: [send],
        get: [stands(WORKING), stands(COMPLETED, { artifacts: [['ok']] })],
      });
      expect((await bench.send()).outputs).toEqual(['ok']);
      expect(bench.runtime.wire).toEqual(['send', 'get t', 'get t', 'close conversation']);
      expect(bench.waits).toEqual([700, 700]);
      bench.expectIdle();
    });

    it('asks again when a question is lost on the way', async () => {
      const bench = new EngineClientBench({
        send: [task(WORKING)],
        get: [() => new A2AClientError('CONNECT_FAILED', 'no'), stands(COMPLETED)],
      });
      expect((await bench.send()).taskState).toBe(COMPLETED);
      expect(bench.logs).toHaveLength(1);
    });
  });

  describe('how it fails', () => {
    it.each<[string, Script, string, string[]]>([
      ['an error before a task is known', () => [lost()], 'Agent call failed: The stream broke', []],
      ['an error of the agent', () => [refused()], 'Agent call failed: busy', []],
      ['no event at all', () => [], 'A2A streaming response closed without an event', []],
      [
        'an error of the agent in the stream',
        (contextId) => [{ task: taskOf(contextId, WORKING) }, refused()],
        'Agent call failed: busy',
        ['cancel t'],
      ],
      [
        'another context',
        () => [{ task: taskOf('another', WORKING) }],
        'Remote task/context identity changed',
        ['cancel t'],
      ],
      [
        'a task without an id',
        (contextId) => [{ task: taskOf(contextId, WORKING, { id: ' ' }) }],
        'Remote task/context identity changed',
        [],
      ],
      [
        'another task in the stream',
        (contextId) => [{ task: taskOf(contextId, WORKING) }, { task: taskOf(contextId, COMPLETED, { id: 'u' }) }],
        'Remote task/context identity changed',
        ['cancel t'],
      ],
      [
        'another context at its end',
        () => [{ task: taskOf('another', COMPLETED) }],
        'Remote task/context identity changed',
        [],
      ],
      [
        'AUTH_REQUIRED',
        task(AUTH_REQUIRED),
        'Unsupported non-final remote task state: TASK_STATE_AUTH_REQUIRED',
        ['cancel t'],
      ],
      ['no state', task(UNSPECIFIED), 'Unsupported non-final remote task state: TASK_STATE_UNSPECIFIED', ['cancel t']],
      [
        'a question without a proposal',
        task(INPUT_REQUIRED, { says: 'which one?' }),
        'Unsupported INPUT_REQUIRED interaction: no Negotiation-T Propose',
        ['cancel t'],
      ],
    ])('rejects after %s', async (_case, send, message, cancels) => {
      const bench = new EngineClientBench({ send: [send] });
      expect((await caught(bench.send())).message).toBe(message);
      expect(bench.runtime.wire).toEqual(['send', ...cancels, 'close conversation']);
      expect(bench.words).not.toContain('agent_response');
      expect(bench.words).not.toContain('negotiation_failed#0');
      bench.expectIdle();
    });

    it('rejects when a question is answered with an error, and keeps what the cancellation failed with', async () => {
      const bench = new EngineClientBench({
        send: [task(WORKING)],
        get: [refused],
        cancel: () => new Error('cannot be cancelled'),
      });
      const error = await caught(bench.send());
      expect(error.message).toBe('getTask failed for X: busy');
      expect(RemoteA2AError.findIn(error)?.httpStatus).toBe(503);
      expect(error).toMatchObject({ suppressed: [{ message: 'cancelTask failed for X: cannot be cancelled' }] });
      expect(bench.runtime.wire).toEqual(['send', 'get t', 'cancel t', 'close conversation']);
      bench.expectIdle();
    });

    it('rejects when the task changes between two questions', async () => {
      const bench = new EngineClientBench({ send: [task(WORKING)], get: [stands(COMPLETED, { id: 'u' })] });
      expect((await caught(bench.send())).message).toBe('Remote task/context identity changed');
      expect(bench.runtime.wire).toContain('cancel t');
    });
  });

  describe('time', () => {
    it('gives the whole interaction one limit, and cancels the task before it says so', async () => {
      jest.useFakeTimers();
      const bench = new EngineClientBench({
        config: { sendTimeoutSeconds: 2 },
        send: [(contextId) => [{ task: taskOf(contextId, WORKING) }, 'hang']],
      });
      const failed = caught(bench.send());
      await jest.advanceTimersByTimeAsync(1_999);
      expect(bench.runtime.wire).toEqual(['send']);
      await jest.advanceTimersByTimeAsync(1);
      const error = await failed;
      expect(error).toBeInstanceOf(TimeoutException);
      expect(error.message).toBe('Task interaction timed out after 2 seconds');
      expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
      bench.expectIdle();
    });

    it('does not wait for an agent that does not answer the cancellation', async () => {
      jest.useFakeTimers();
      const bench = new EngineClientBench({
        config: { sendTimeoutSeconds: 1 },
        send: [(contextId) => [{ task: taskOf(contextId, WORKING) }, 'hang']],
        cancel: () => 'hang',
      });
      const failed = caught(bench.send());
      await jest.advanceTimersByTimeAsync(6_000);
      expect(await failed).toBeInstanceOf(TimeoutException);
      bench.expectIdle();
    });

    it('stops asking when the time is over', async () => {
      jest.useFakeTimers();
      const bench = new EngineClientBench({
        config: { sendTimeoutSeconds: 1 },
        send: [task(WORKING)],
        get: [() => 'hang'],
      });
      const failed = caught(bench.send());
      await jest.advanceTimersByTimeAsync(1_000);
      expect((await failed).name).toBe('TimeoutException');
      expect(bench.runtime.wire).toEqual(['send', 'get t', 'cancel t', 'close conversation']);
    });
  });

  describe('a caller that gives up', () => {
    const hangs: Script = (contextId) => [{ task: taskOf(contextId, WORKING) }, 'hang'];

    it('cancels the task, once', async () => {
      const bench = new EngineClientBench({ send: [hangs] });
      const stop = new AbortController();
      const failed = caught(bench.send({ signal: stop.signal }));
      await tick();
      stop.abort();
      expect(await failed).toBeInstanceOf(CancellationException);
      expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
      await tick();
      bench.expectIdle();
    });

    it('may say why', async () => {
      const bench = new EngineClientBench({ send: [hangs] });
      const reason = new TimeoutException('dispatch');
      expect(await caught(bench.send({ signal: AbortSignal.abort(reason) }))).toBe(reason);
      expect(bench.runtime.wire).toEqual(['close conversation']);
    });

    it('cancels a task that becomes known only later', async () => {
      let reveal: (value: unknown) => void = () => undefined;
      const revealed = new Promise((resolve) => (reveal = resolve));
      const bench = new EngineClientBench({
        send: [(contextId) => [revealed, { task: taskOf(contextId, WORKING) }, 'hang']],
      });
      const stop = new AbortController();
      const failed = caught(bench.send({ signal: stop.signal }));
      await tick();
      stop.abort();
      await failed;
      expect(bench.runtime.wire).toEqual(['send']);
      expect(bench.client.gauges().cleanUps).toBe(1);
      const before = bench.events.length;
      reveal(undefined);
      await tick();
      expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
      expect(bench.events).toHaveLength(before);
      bench.expectIdle();
    });

    it('does not cancel a task that has ended when it becomes known', async () => {
      let reveal: (value: unknown) => void = () => undefined;
      const revealed = new Promise((resolve) => (reveal = resolve));
      const bench = new EngineClientBench({
        send: [(contextId) => [revealed, { task: taskOf(contextId, COMPLETED) }]],
      });
      const stop = new AbortController();
      const failed = caught(bench.send({ signal: stop.signal }));
      await tick();
      stop.abort();
      await failed;
      reveal(undefined);
      await tick();
      expect(bench.runtime.wire).toEqual(['send', 'close conversation']);
      bench.expectIdle();
    });

    it('does not wait for ever to learn which task it was', async () => {
      jest.useFakeTimers();
      const bench = new EngineClientBench({ send: [() => ['hang']] });
      const stop = new AbortController();
      const failed = caught(bench.send({ signal: stop.signal }));
      await jest.advanceTimersByTimeAsync(0);
      stop.abort();
      await failed;
      await jest.advanceTimersByTimeAsync(30_000);
      expect(bench.runtime.wire).toEqual(['send', 'close conversation']);
      bench.expectIdle();
    });
  });

  it('holds no more sends at a time than it is told, and drops those that gave up waiting', async () => {
    let release: (value: unknown) => void = () => undefined;
    const released = new Promise((resolve) => (release = resolve));
    const slow: Script = (contextId) => [released, { task: taskOf(contextId, COMPLETED) }];
    const bench = new EngineClientBench({
      config: { sendExecutorCoreSize: 1, sendExecutorMaxSize: 1 },
      send: [slow, done('second')],
    });
    const first = bench.send();
    const stop = new AbortController();
    const dropped = caught(bench.send({ signal: stop.signal }));
    const second = bench.send({}, negotiable('second'));
    await tick();
    expect(bench.runtime.wire).toEqual(['send']);
    stop.abort();
    await dropped;
    release(undefined);
    await first;
    expect((await second).outputs).toEqual(['second']);
    expect(bench.runtime.requests).toHaveLength(2);
    bench.expectIdle();
  });
});
