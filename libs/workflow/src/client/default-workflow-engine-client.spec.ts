import { describe, expect, it, jest } from '@jest/globals';
import { type AgentCard, TaskState } from 'nestjs-a2a/protocol';
import {
  A2ARuntime,
  A2ATransport,
  type AgentEvent,
  AgentAuthenticator,
  DefaultWorkflowEngineClient,
  MessageContent,
  RemoteA2AError,
  SecurityException,
  type WireEntry,
  WireLog,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { caught } from '../../../../test/support/caught.js';
import { EngineClientBench } from '../../../../test/support/workflow/engine-client-bench.js';
import {
  done,
  messageOf,
  says,
  scriptedCard,
  stands,
  task,
  taskOf,
} from '../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, WORKING, CANCELED } = TaskState;
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class FixedAuthenticator extends AgentAuthenticator {
  calls = 0;
  constructor(private readonly headers: Record<string, string> | Error) {
    super();
  }

  async headersFor(): Promise<Record<string, string>> {
    this.calls += 1;
    if (this.headers instanceof Error) throw this.headers;
    return this.headers;
  }
}

describe('the cards of a client', () => {
  const card = scriptedCard('X');
  it.each<[string, object[]]>([
    ['AgentCard name must not be blank', [{ ...card, name: ' ' }]],
    ['AgentCard capabilities are required: X', [{ ...card, capabilities: undefined }]],
    ['AgentCard supportedInterfaces are required: X', [{ ...card, supportedInterfaces: [] }]],
    ['Duplicate AgentCard name: X', [card, card]],
  ])('are refused: %s', (message, cards) => {
    const isCards = (_value: object[]): _value is AgentCard[] => true;
    if (isCards(cards)) expect(() => new DefaultWorkflowEngineClient(cards)).toThrow(message);
  });
});

describe('calls about tasks', () => {
  it('tell how a task stands', async () => {
    const { client } = new EngineClientBench({ get: [() => taskOf('c', COMPLETED, { artifacts: [['ok']] })] });
    expect(await client.getTask('X', 't')).toMatchObject({ taskState: COMPLETED, outputs: ['ok'], task: { id: 't' } });
  });

  it('list one page, as it comes', async () => {
    const { client } = new EngineClientBench({ list: () => [taskOf('c', WORKING)] });
    expect(await client.listTasks('X', { pageSize: 1 })).toMatchObject({ tasks: [{ id: 't' }], nextPageToken: '' });
  });

  it('cancel', async () => {
    const { client, runtime } = new EngineClientBench({ cancel: () => taskOf('c', CANCELED) });
    expect((await client.cancelTask('X', 't')).taskState).toBe(CANCELED);
    expect(runtime.wire).toEqual(['cancel t']);
  });

  it('follow a task, past callbacks that throw', async () => {
    const { client, logs } = new EngineClientBench({
      subscribe: [
        () => [
          { task: taskOf('c', WORKING) },
          { message: messageOf('hi') },
          { statusUpdate: { taskId: 't', contextId: 'c', status: { state: COMPLETED } } },
        ],
      ],
    });
    const seen: AgentEvent[] = [];
    const result = await client.subscribeToTask('X', 't', (event) => {
      seen.push(event);
      if (event.event_kind === 'message') throw new Error('no');
    });
    expect(seen.map(({ event_kind }) => event_kind)).toEqual(['task', 'message', 'status']);
    expect(result.taskState).toBe(COMPLETED);
    expect(logs).toEqual(['An event callback threw: Error']);
  });

  it('reject a subscription that breaks', async () => {
    const { client } = new EngineClientBench({ subscribe: [() => [{ task: taskOf('c', WORKING) }, new Error('cut')]] });
    const error = await caught(client.subscribeToTask('X', 't', () => undefined));
    expect(error.message).toBe('subscribeToTask failed for X: cut');
  });

  const noop = (): void => undefined;
  it.each<[string, (client: DefaultWorkflowEngineClient) => Promise<unknown>, string]>([
    ['getTask', (client) => client.getTask(' ', 't'), 'agentName and taskId must not be blank'],
    ['cancelTask', (client) => client.cancelTask('X', ''), 'agentName and taskId must not be blank'],
    ['subscribeToTask', (client) => client.subscribeToTask('X', '', noop), 'agentName and taskId must not be blank'],
    ['listTasks', (client) => client.listTasks('', {}), 'agentName and params must not be null or blank'],
    ['getTask of a stranger', (client) => client.getTask('Nobody', 't'), 'Agent not found: Nobody'],
    ['listTasks of a stranger', (client) => client.listTasks('Nobody', {}), 'Agent not found: Nobody'],
  ])('reject what is missing: %s', async (_case, call, message) => {
    expect((await caught(call(new EngineClientBench({}).client))).message).toBe(message);
  });

  it('say what failed, and keep what the agent said', async () => {
    const error = new RemoteA2AError({ remoteCode: 404, message: 'gone' });
    const { client } = new EngineClientBench({ get: [() => error], list: () => error, cancel: () => error });
    for (const call of [
      () => client.getTask('X', 't'),
      () => client.listTasks('X', {}),
      () => client.cancelTask('X', 't'),
    ]) {
      const failed = await caught(call());
      expect(failed.message).toMatch(/^(getTask|listTasks|cancelTask) failed for X: gone$/);
      expect(RemoteA2AError.findIn(failed)).toBe(error);
    }
  });

  it('reject what a runtime cannot do', async () => {
    class SendingRuntime extends A2ARuntime {
      async *sendMessage() {
        yield { message: messageOf('x') };
      }
      async close(): Promise<void> {
        // Nothing is open.
      }
    }
    const client = new DefaultWorkflowEngineClient([scriptedCard('X')], { runtime: new SendingRuntime() });
    const failures = [
      client.getTask('X', 't'),
      client.listTasks('X', {}),
      client.cancelTask('X', 't'),
      client.subscribeToTask('X', 't', noop),
    ].map(async (call) => (await caught(call)).message);
    expect(await Promise.all(failures)).toEqual(
      ['getTask', 'listTasks', 'cancelTask', 'subscribeToTask'].map((name) => `${name} not supported by this runtime`),
    );
  });
});

describe('the client itself', () => {
  it('tells events of a call to its own callback only', async () => {
    const bench = new EngineClientBench({ send: [done(), done()] });
    const own: string[] = [];
    await bench.send({ events: { onEvent: (type) => void own.push(type) } });
    expect(own).toEqual(['agent_request', 'agent_response']);
    expect(bench.events).toEqual([]);
    await bench.send();
    expect(bench.words).toEqual(['agent_request', 'agent_response']);
    bench.client.setEventCallback(null);
  });

  it('takes the strategy and the callback by position as well', async () => {
    const bench = new EngineClientBench({ send: [says('hi')] });
    const own: string[] = [];
    const events = { onEvent: (type: string): void => void own.push(type) };
    const strategy = { resolve: () => Promise.reject(new Error('never asked')) };
    await bench.client.sendTask('X', MessageContent.text('do'), strategy, events);
    expect(own).toEqual(['agent_request', 'agent_message_event', 'agent_response']);
  });

  it('goes on when a callback throws, now or later', async () => {
    const bench = new EngineClientBench({ send: [done('ok')] });
    let calls = 0;
    const onEvent = (): void | Promise<void> => {
      calls += 1;
      if (calls === 1) throw new Error('no');
      return Promise.reject(new Error('no'));
    };
    expect((await bench.send({ events: { onEvent } })).outputs).toEqual(['ok']);
    await tick();
    expect(bench.logs).toHaveLength(2);
  });

  it('asks for credentials anew for each call, and never sends without them', async () => {
    const authenticator = new FixedAuthenticator({ Authorization: 'Bearer one', 'a2a-extensions': 'urn:auth' });
    const bench = new EngineClientBench({});
    const client = new DefaultWorkflowEngineClient([scriptedCard('X')], { runtime: bench.runtime, authenticator });
    await caught(client.getTask('X', 't'));
    await caught(client.getTask('X', 't'));
    expect(authenticator.calls).toBe(2);
    const refusing = new DefaultWorkflowEngineClient([scriptedCard('X')], {
      runtime: bench.runtime,
      authenticator: new FixedAuthenticator(new SecurityException('Authentication header conflict')),
    });
    const before = bench.runtime.wire.length;
    const error = await caught(refusing.sendTask('X', MessageContent.text('do')));
    expect(error).toBeInstanceOf(SecurityException);
    expect(error.message).toBe('Authentication header conflict');
    expect(bench.runtime.wire.slice(before)).toEqual(['close conversation']);
  });

  it('does not let go of what an agent asks for: a card with security and nobody who can answer it', async () => {
    const bench = new EngineClientBench({
      card: {
        ...scriptedCard('X'),
        securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
        securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      },
      send: [done()],
    });
    expect((await caught(bench.send())).message).toBe(
      'Authentication failed for agent X: AgentCard requires credentials but none are configured',
    );
    expect(bench.runtime.requests).toEqual([]);
  });

  it('writes what goes over the wire into the log it is given, without secrets', async () => {
    const entries: WireEntry[] = [];
    const bench = new EngineClientBench({
      config: { wireLog: new WireLog((entry) => void entries.push(entry)) },
      send: [task(WORKING, { says: 'Bearer abc', metadata: { token: 'abc' } })],
      get: [stands(COMPLETED)],
    });
    await bench.send();
    expect(entries.map(({ direction, operation }) => `${direction} ${operation}`)).toEqual([
      'request message:stream',
      'event message:stream',
      'request getTask',
      'response getTask',
    ]);
    expect(entries[1]).toMatchObject({
      agent: 'X',
      attempt: 1,
      contextId: bench.runtime.requests[0]?.message.contextId,
    });
    expect(JSON.stringify(entries)).not.toContain('abc');
    expect(WireLog.format({ direction: 'error', agent: 'a\nb', operation: 'o', attempt: 1, body: { x: 1 } })).toBe(
      'error a\\nb o attempt=1 {"x":1}',
    );
  });
});

describe('closing', () => {
  it('cancels the tasks of sends that run, and then ends the runtime', async () => {
    const bench = new EngineClientBench({ send: [(contextId) => [{ task: taskOf(contextId, WORKING) }, 'hang']] });
    const failed = caught(bench.send());
    await tick();
    await bench.client.close();
    expect(await failed).toMatchObject({ name: 'CancellationException', message: 'Workflow client closed' });
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation', 'close']);
    bench.expectIdle();
  });

  it('is done once, and refuses everything after', async () => {
    const { client, runtime } = new EngineClientBench({});
    await Promise.all([client.close(), client.close()]);
    expect(runtime.wire).toEqual(['close']);
    for (const call of [
      () => client.sendTask('X', MessageContent.text('do')),
      () => client.getTask('X', 't'),
      () => client.listTasks('X', {}),
    ]) {
      expect((await caught(call())).message).toBe('Workflow client closed');
    }
  });

  it('leaves the tasks of subscriptions alone', async () => {
    const bench = new EngineClientBench({ subscribe: [() => [{ task: taskOf('c', WORKING) }, 'hang']] });
    const failed = caught(bench.client.subscribeToTask('X', 't', () => undefined));
    await tick();
    await bench.client.close();
    expect((await failed).name).toBe('CancellationException');
    expect(bench.runtime.wire).toEqual(['subscribe t', 'close']);
  });

  it('leaves a transport of the caller open', async () => {
    const { runtime } = new EngineClientBench({ send: [done(), done()] });
    const config = workflowEngineClientConfig();
    const transport = new A2ATransport([scriptedCard('X')], config, {
      runtime,
      authenticator: new FixedAuthenticator({}),
    });
    await DefaultWorkflowEngineClient.nonOwning(transport).close();
    expect(transport.isClosed).toBe(false);
    await transport.close();
    await transport.close();
    expect(runtime.wire).toEqual(['close']);
    expect((await caught(transport.getTask('X', 't'))).message).toBe('A2A transport is closed');
  });

  it('gives a send that has not said which task it began a moment, and no more', async () => {
    jest.useFakeTimers();
    const bench = new EngineClientBench({ send: [() => ['hang']] });
    const failed = caught(bench.send());
    await jest.advanceTimersByTimeAsync(0);
    let closed = false;
    const closing = bench.client.close().then(() => (closed = true));
    await jest.advanceTimersByTimeAsync(999);
    expect(closed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await closing;
    jest.useRealTimers();
    expect((await failed).name).toBe('CancellationException');
    expect(bench.runtime.wire).toEqual(['send', 'close conversation', 'close']);
  });

  it.each<[string, () => Promise<void>, string[]]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
      ['A part of the A2A transport could not be closed: Error'],
    ],
    ['rejects', () => Promise.reject(new Error('no')), ['A part of the A2A transport could not be closed: Error']],
    ['never ends', () => new Promise(() => undefined), []],
  ])('does not mind a runtime whose close %s', async (_case, close, logs) => {
    jest.useFakeTimers();
    const bench = new EngineClientBench({ send: [done('ok')] });
    bench.runtime.close = close;
    await bench.send();
    const closed = bench.client.close();
    await jest.advanceTimersByTimeAsync(2_000);
    await expect(closed).resolves.toBeUndefined();
    expect(bench.logs).toEqual(logs);
    jest.useRealTimers();
  });

  it('is not held up by a runtime that does not listen', async () => {
    jest.useFakeTimers();
    const bench = new EngineClientBench({
      send: [(contextId) => [{ task: taskOf(contextId, WORKING) }, 'deaf']],
      cancel: () => 'hang',
    });
    const failed = caught(bench.send());
    await jest.advanceTimersByTimeAsync(0);
    const closing = bench.client.close();
    await jest.advanceTimersByTimeAsync(10_000);
    await closing;
    jest.useRealTimers();
    expect((await failed).name).toBe('CancellationException');
    expect(bench.runtime.wire.at(-1)).toBe('close');
  });
});

describe('silence', () => {
  it('ends a subscription after a while, and signs of life put that off', async () => {
    jest.useFakeTimers();
    const bench = new EngineClientBench({ config: { sendTimeoutSeconds: 1 }, subscribe: [() => ['hang']] });
    const failed = caught(bench.client.subscribeToTask('X', 't', () => undefined));
    await jest.advanceTimersByTimeAsync(900);
    bench.runtime.contexts[0]?.transportActivity();
    await jest.advanceTimersByTimeAsync(900);
    expect(bench.client.gauges().subscriptions).toBe(1);
    await jest.advanceTimersByTimeAsync(100);
    jest.useRealTimers();
    expect(await failed).toMatchObject({ name: 'TimeoutException', message: 'A2A tasks:subscribe timed out for X' });
  });

  it('ends a send that stands alone', async () => {
    jest.useFakeTimers();
    const { runtime } = new EngineClientBench({ send: [() => ['hang']] });
    const config = workflowEngineClientConfig({ sendTimeoutSeconds: 1 });
    const transport = new A2ATransport([scriptedCard('X')], config, {
      runtime,
      authenticator: new FixedAuthenticator({}),
    });
    const failed = caught(transport.send('X', MessageContent.text('do'), { messageId: 'm', contextId: 'c' }));
    await jest.advanceTimersByTimeAsync(1_000);
    jest.useRealTimers();
    expect((await failed).message).toBe('A2A message:send timed out for X');
  });
});
