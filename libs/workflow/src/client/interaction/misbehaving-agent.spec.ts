import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type JsonValue, type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import { MessageContent, type NegotiationReply, type SendTaskOptions, WireLog } from 'nestjs-a2a/workflow';
import { caught } from '../../../../../test/support/caught.js';
import { answering, EngineClientBench } from '../../../../../test/support/workflow/engine-client-bench.js';
import {
  artifactOf,
  done,
  messageOf,
  proposes,
  type Script,
  stands,
  task,
  taskOf,
} from '../../../../../test/support/workflow/scripted-runtime.js';
import { waitByClock } from '../timing/time-limits.js';

const { COMPLETED, WORKING, INPUT_REQUIRED } = TaskState;
/** What the types forbid, hosts in JavaScript do. */
const junk = <T>(value: unknown): T => JSON.parse(JSON.stringify(value));
const nested = (depth: number): JsonValue => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

function status(contextId: string, state: TaskState, taskId = 't'): StreamResponse {
  return { statusUpdate: { taskId, contextId, status: { state } } };
}

function artifact(contextId: string, taskId = 't', text = 'x'): StreamResponse {
  return { artifactUpdate: { taskId, contextId, artifact: artifactOf('a', [text]), append: true } };
}

describe('an agent that misbehaves', () => {
  const unhandled: unknown[] = [];
  process.on('unhandledRejection', (reason) => unhandled.push(reason));
  afterEach(async () => {
    jest.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  });

  it.each<[string, Script]>([
    ['an artifact of another task', (id) => [status(id, WORKING), artifact(id, 'u'), status(id, COMPLETED)]],
    ['a state of another task', (id) => [status(id, WORKING), status(id, WORKING, 'u'), status(id, COMPLETED)]],
    ['an artifact of another context', (id) => [status(id, WORKING), artifact('other'), status(id, COMPLETED)]],
    ['a state of another context', (id) => [status(id, WORKING), status('other', COMPLETED), status(id, COMPLETED)]],
    ['a task of another context', (id) => [{ task: taskOf('other', WORKING) }, status(id, COMPLETED)]],
    ['another task', (id) => [status(id, WORKING), { task: taskOf(id, WORKING, { id: 'u' }) }, status(id, COMPLETED)]],
    ['an update without a task', (id) => [status(id, WORKING), artifact(id, ''), status(id, COMPLETED)]],
  ])('does not get %s in between', async (_, send) => {
    const bench = new EngineClientBench({ send: [send] });
    expect((await caught(bench.send())).message).toBe('Remote task/context identity changed');
    expect(bench.words).not.toContain('agent_response');
    expect(bench.runtime.wire.filter((line) => line.startsWith('send'))).toHaveLength(1);
    bench.expectIdle();
  });

  it('may leave the context out of its updates', async () => {
    const bench = new EngineClientBench({
      send: [(id) => [{ task: taskOf(id, WORKING) }, artifact(''), { task: taskOf(id, COMPLETED) }]],
    });
    expect((await bench.send()).outputs).toEqual(['x']);
  });

  it('may tell ten thousand pieces, huge ones among them', async () => {
    const pieces = Array.from({ length: 10_000 }, (_, at) => (at === 5_000 ? 'y'.repeat(4_000_000) : String(at)));
    const bench = new EngineClientBench({
      send: [(id) => [status(id, WORKING), ...pieces.map((text) => artifact(id, 't', text)), status(id, COMPLETED)]],
    });
    const { outputs, text } = await bench.send();
    expect(outputs).toHaveLength(10_000);
    expect(outputs[9_999]).toBe('9999');
    expect(text.length).toBe(pieces.join('').length);
    bench.expectIdle();
  });

  it.each<[string, Script]>([
    ['data', (id) => [{ task: { ...taskOf(id, COMPLETED), artifacts: [artifactOf('a', [nested(2_000)])] } }]],
    ['metadata', (id) => [{ task: { ...taskOf(id, COMPLETED), metadata: { deep: nested(2_000) } } }]],
    ['a message', () => [{ message: messageOf('x', { deep: nested(2_000) }) }]],
  ])('fails with %s that is too deep to be walked', async (_, send) => {
    const bench = new EngineClientBench({ send: [send] });
    expect((await caught(bench.send())).message).toBe('Not a JSON value: deeper than 500 levels');
    bench.expectIdle();
  });

  it('cannot get at prototypes', async () => {
    const metadata = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    const bench = new EngineClientBench({
      send: [(id) => [{ task: { ...taskOf(id, COMPLETED, { says: 'x', metadata }), metadata } }]],
    });
    const result = await bench.send();
    expect(JSON.stringify(result.metadata)).toBe(JSON.stringify(metadata));
    expect(Object.getPrototypeOf(result.metadata)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('may ask the same for ever: the host is asked once, and the time ends it', async () => {
    jest.useFakeTimers();
    const asks = stands(INPUT_REQUIRED, { metadata: proposes() });
    const bench = new EngineClientBench({
      config: { sendTimeoutSeconds: 2, maxNegotiationExchanges: 1 },
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds / 200)),
      send: [task(INPUT_REQUIRED, { metadata: proposes() }), task(WORKING)],
      get: Array.from({ length: 100 }, () => asks),
    });
    const strategy = answering('ACCEPT');
    const failed = caught(bench.send({ negotiationStrategy: strategy }));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await failed).toMatchObject({ message: 'Task interaction timed out after 2 seconds' });
    expect(strategy.requests).toHaveLength(1);
    expect(bench.runtime.wire.filter((line) => line.startsWith('get')).length).toBeGreaterThan(10);
    expect(bench.runtime.wire.slice(-2)).toEqual(['cancel t', 'close conversation']);
    bench.expectIdle();
  });
});

describe('a host that misbehaves towards a client', () => {
  it.each<[string, MessageContent, string]>([
    ['a text', junk('do it'), 'Content must be a MessageContent, for example MessageContent.text(…)'],
    ['no parts', junk({ text: 'do it' }), 'Content must be a MessageContent, for example MessageContent.text(…)'],
    ['parts that are a text', junk({ parts: 'do it' }), 'Parts must be a list'],
    ['extensions that are a text', junk({ parts: [], extensions: 'u:1' }), 'Extensions must be a list of URIs'],
  ])('is told that %s is no content', async (_, content, text) => {
    const bench = new EngineClientBench({});
    expect(await caught(bench.send({}, content))).toMatchObject({ name: 'WorkflowArgumentError', message: text });
    expect(bench.runtime.wire).toEqual([]);
  });

  it('is told that a strategy of null is none', async () => {
    const bench = new EngineClientBench({});
    const options: SendTaskOptions = junk({ negotiationStrategy: null });
    expect(await caught(bench.send(options))).toMatchObject({ message: 'negotiationStrategy' });
  });

  it.each<[unknown, string]>([
    ['yes', 'onNegotiation must return NegotiationReply.send(…) or NegotiationReply.stop(…)'],
    [{}, 'onNegotiation must return NegotiationReply.send(…) or NegotiationReply.stop(…)'],
    [{ kind: 'accept' }, 'onNegotiation must return NegotiationReply.send(…) or NegotiationReply.stop(…)'],
    [{ kind: 'send' }, 'Content must be a MessageContent, for example MessageContent.text(…)'],
    [{ kind: 'send', content: 'yes' }, 'Content must be a MessageContent, for example MessageContent.text(…)'],
    [{ kind: 'stop', code: ' ', reason: 'r' }, 'Stop code and reason are required'],
  ])('is told that %j is no reply', async (reply, text) => {
    const bench = new EngineClientBench({ send: [task(INPUT_REQUIRED, { metadata: proposes() })] });
    const negotiationStrategy = { resolve: (): NegotiationReply => junk(reply) };
    expect((await caught(bench.send({ negotiationStrategy }))).message).toBe(text);
    expect(bench.words).toEqual(['agent_request', 'negotiation_request#1', 'negotiation_failed#1']);
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
  });

  it('does not hide an error behind a log that throws', async () => {
    const fails = (): never => {
      throw new Error('disk full');
    };
    const bench = new EngineClientBench({
      config: { log: { warn: fails }, wireLog: new WireLog(() => Promise.reject(new Error('disk full'))) },
      send: [(id) => [status(id, WORKING), status('other', WORKING)]],
      cancel: () => new Error('no'),
    });
    bench.client.setEventCallback({ onEvent: fails });
    const error = await caught(bench.send());
    expect(error.message).toBe('Remote task/context identity changed');
    expect(error).toMatchObject({ suppressed: [{ message: 'cancelTask failed for X: no' }] });
    bench.expectIdle();
  });

  it('may take its callbacks away', async () => {
    const bench = new EngineClientBench({ send: [done('ok')] });
    bench.client.setEventCallback(null);
    bench.client.setControlPoint(null);
    expect((await bench.send()).outputs).toEqual(['ok']);
    expect(bench.events).toEqual([]);
  });

  it('waits long when it is told to wait longer than a timer can', async () => {
    const stop = new AbortController();
    const waiting = caught(waitByClock(Infinity, stop.signal));
    const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 20, 'waits'))]);
    expect(first).toBe('waits');
    stop.abort(new Error('enough'));
    expect((await waiting).message).toBe('enough');
  });
});
