import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import {
  A2ATExtension,
  A2ATransport,
  AgentAuthenticator,
  DefaultExtensionSender,
  MessageContent,
  type NotificationListener,
  type ReceivedMessage,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { caught } from '../../../../test/support/caught.js';
import {
  artifactOf,
  messageOf,
  type Script,
  ScriptedRuntime,
  scriptedCard,
  task,
  taskOf,
} from '../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, FAILED, WORKING, SUBMITTED, REJECTED } = TaskState;
const NOTIFICATION_T = A2ATExtension.NOTIFICATION_T.uri;
const AUTHORIZATION_T = A2ATExtension.AUTHORIZATION_T.uri;

class NoCredentials extends AgentAuthenticator {
  async headersFor(): Promise<Record<string, string>> {
    return {};
  }
}

const contentFor = (uri: string): MessageContent => new MessageContent([{ text: 'do' }], { [uri]: 'x' }, [uri]);

function benchOf(...send: Script[]) {
  const runtime = new ScriptedRuntime({ send });
  const logs: string[] = [];
  const config = workflowEngineClientConfig({
    sendTimeoutSeconds: 10,
    notificationAckTimeoutSeconds: 4,
    log: { warn: (text) => void logs.push(text) },
  });
  const extensions = [{ uri: NOTIFICATION_T }, { uri: AUTHORIZATION_T }];
  const cards = [scriptedCard('X', { extensions }), scriptedCard('Plain', { extensions: [] })];
  const transport = new A2ATransport(cards, config, { runtime, authenticator: new NoCredentials() });
  const sender = new DefaultExtensionSender(transport);
  const received: ReceivedMessage[] = [];
  const listener: NotificationListener = (_subscription, message) => void received.push(message);
  const open = (given: NotificationListener = listener) =>
    sender.openNotification('X', contentFor(NOTIFICATION_T), given);
  return { runtime, transport, sender, logs, received, open };
}

const status = (contextId: string, state: TaskState, text?: string): StreamResponse => ({
  statusUpdate: {
    taskId: 't',
    contextId,
    status: { state, ...(text !== undefined && { message: messageOf(text) }) },
  },
});

const after = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
  process.on('unhandledRejection', onUnhandled);
  jest.useFakeTimers();
});
afterEach(async () => {
  jest.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

describe('what may be sent', () => {
  const plain = MessageContent.text('do');
  it.each<[string, string, MessageContent, string]>([
    ['an unknown agent', 'Nobody', contentFor(NOTIFICATION_T), 'Agent not found: Nobody'],
    [
      'an agent without it',
      'Plain',
      contentFor(NOTIFICATION_T),
      `Target capability and content must use ${NOTIFICATION_T}`,
    ],
    [
      'no metadata',
      'X',
      plain.withExtension(NOTIFICATION_T),
      `Target capability and content must use ${NOTIFICATION_T}`,
    ],
    [
      'no activation',
      'X',
      new MessageContent([], { [NOTIFICATION_T]: 1 }),
      `Target capability and content must use ${NOTIFICATION_T}`,
    ],
  ])('is no notification: %s', (_case, agent, content, message) => {
    const { sender, runtime } = benchOf();
    expect(() => sender.openNotification(agent, content, () => undefined)).toThrow(message);
    expect(runtime.wire).toEqual([]);
  });

  it('is no authorization without the extension', async () => {
    const { sender } = benchOf();
    const error = await caught(sender.sendAuthorization('X', contentFor(NOTIFICATION_T)));
    expect(error.message).toBe(`Target capability and content must use ${AUTHORIZATION_T}`);
  });

  it('is nothing that nobody listens to', () => {
    const isListener = (_value: unknown): _value is NotificationListener => true;
    const nothing: unknown = null;
    if (isListener(nothing)) expect(() => benchOf().open(nothing)).toThrow('A notification listener is required');
  });
});

describe('an authorization', () => {
  it.each([SUBMITTED, COMPLETED])('is sent once, and resolves with %s', async (state) => {
    const { sender, runtime } = benchOf(task(state));
    expect((await sender.sendAuthorization('X', contentFor(AUTHORIZATION_T))).taskState).toBe(state);
    await after(0);
    expect(runtime.wire).toEqual(['send', 'close conversation']);
    expect(runtime.contexts[0]).toMatchObject({ channel: 'task', headers: { 'A2A-Extensions': AUTHORIZATION_T } });
  });
});

describe('a subscription', () => {
  it('is there before anything is sent, and has a connection and a context of its own', async () => {
    const { open, runtime } = benchOf(() => ['hang']);
    const subscription = open();
    expect(runtime.wire).toEqual([]);
    expect(subscription.isActive()).toBe(true);
    await after(0);
    expect(runtime.contexts[0]).toMatchObject({ channel: 'notification' });
    expect(runtime.requests[0]?.message.contextId).toBe(subscription.contextId);
    subscription.close();
    await after(0);
  });

  it('is acknowledged by the first state, not by messages and artifacts, and all of it is delivered', async () => {
    let go: (value: unknown) => void = () => undefined;
    const gate = new Promise((resolve) => (go = resolve));
    const { open, received } = benchOf((contextId) => [
      { message: messageOf('hello') },
      { artifactUpdate: { taskId: 't', contextId, artifact: artifactOf('a', ['first']) } },
      gate,
      status(contextId, WORKING, 'subscribed'),
      { message: messageOf('news') },
      'hang',
    ]);
    const subscription = open();
    let acknowledged: ReceivedMessage | undefined;
    void subscription.acknowledgement().then((ack) => (acknowledged = ack));
    await after(0);
    expect(received).toHaveLength(2);
    expect(acknowledged).toBeUndefined();
    go(undefined);
    await after(0);
    expect(acknowledged).toMatchObject({ message: { parts: [{ text: 'subscribed' }] } });
    expect(received.map(({ message, artifacts }) => [message?.parts.length ?? 0, artifacts.length])).toEqual([
      [1, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ]);
    expect(subscription.heartbeat()).toMatchObject({ eventCount: 4, active: true });
    await after(9_000);
    subscription.close();
    await subscription.completion();
    await subscription.acknowledgement();
  });

  it('goes on after the end of the task', async () => {
    const { open, received, runtime } = benchOf((contextId) => [
      { task: taskOf(contextId, WORKING) },
      status(contextId, COMPLETED),
      status(contextId, FAILED),
      { message: messageOf('still here') },
      'hang',
    ]);
    const subscription = open();
    await after(0);
    expect(received).toHaveLength(4);
    expect(subscription.isActive()).toBe(true);
    subscription.close();
    subscription.close();
    expect(subscription.isActive()).toBe(false);
    await subscription.completion();
    await after(0);
    expect(runtime.wire).toEqual(['send', 'close conversation']);
    expect(runtime.open).toBe(0);
  });

  it('is refused by a task that fails before it is acknowledged', async () => {
    const { open, received } = benchOf((contextId) => [status(contextId, REJECTED, 'not you'), 'hang']);
    const subscription = open();
    const message = "Notification-T subscription rejected by 'X': state=TASK_STATE_REJECTED, response=not you";
    expect((await caught(subscription.acknowledgement())).message).toBe(message);
    expect((await caught(subscription.completion())).message).toBe(message);
    expect(received).toHaveLength(1);
    expect(subscription.isActive()).toBe(false);
  });

  it.each<[string, Script]>([
    ['at once', () => []],
    ['after a message', () => [{ message: messageOf('bye') }]],
  ])('is not acknowledged by a stream that ends %s', async (_case, script) => {
    const subscription = benchOf(script).open();
    expect((await caught(subscription.acknowledgement())).message).toBe('Stream closed before acknowledgement');
    await subscription.completion();
    expect(subscription.isActive()).toBe(false);
  });

  it('waits so long for its acknowledgement', async () => {
    const subscription = benchOf(() => ['hang']).open();
    const failed = caught(subscription.acknowledgement());
    await after(3_999);
    expect(subscription.isActive()).toBe(true);
    await after(1);
    expect(await failed).toMatchObject({
      name: 'TimeoutException',
      message: 'No subscription acknowledgement received',
    });
    await subscription.completion();
  });

  it('is cancelled when it is closed before its acknowledgement', async () => {
    const subscription = benchOf(() => ['hang']).open();
    subscription.close();
    expect(await caught(subscription.acknowledgement())).toMatchObject({
      name: 'CancellationException',
      message: 'Notification-T subscription closed before acknowledgement',
    });
    await subscription.completion();
  });

  it('may be closed in its first callback, which is the last one then', async () => {
    const { open } = benchOf((contextId) => [status(contextId, WORKING), { message: messageOf('more') }]);
    let calls = 0;
    const subscription = open((given) => {
      calls += 1;
      given.close();
    });
    await subscription.completion();
    await subscription.acknowledgement();
    expect(calls).toBe(1);
  });

  it('goes on when a listener throws, now or later', async () => {
    const { open, logs } = benchOf((contextId) => [status(contextId, WORKING), { message: messageOf('more') }, 'hang']);
    const subscription = open((_subscription, { message }) => {
      if (message === null) throw new Error('no');
      return Promise.reject(new Error('no'));
    });
    await after(0);
    expect(subscription.heartbeat().eventCount).toBe(2);
    expect(logs).toHaveLength(2);
    subscription.close();
    await subscription.completion();
  });

  it('fails when nothing at all comes for too long, and heartbeats put that off', async () => {
    const { open, runtime } = benchOf((contextId) => [status(contextId, WORKING), 'hang']);
    const subscription = open();
    await after(9_000);
    expect(subscription.isHealthy(8_000)).toBe(false);
    runtime.contexts[0]?.transportActivity();
    expect(subscription.isHealthy(0)).toBe(true);
    const { lastEventAt, eventCount } = subscription.heartbeat();
    expect(eventCount).toBe(1);
    expect(lastEventAt?.getTime()).toBeGreaterThan(subscription.lastBusinessEventAt()?.getTime() ?? Infinity);
    await after(9_999);
    expect(subscription.isActive()).toBe(true);
    const failed = caught(subscription.completion());
    await after(1);
    expect(await failed).toMatchObject({ name: 'TimeoutException', message: 'A2A notification stream idle for 10s' });
    expect(subscription.isHealthy(Infinity)).toBe(false);
  });

  it('knows nothing before anything came', () => {
    const subscription = benchOf(() => ['hang']).open();
    expect(subscription.heartbeat()).toEqual({
      openedAt: expect.any(Date),
      lastEventAt: null,
      eventCount: 0,
      active: true,
    });
    expect(subscription.lastBusinessEventAt()).toBeNull();
    expect(subscription.isHealthy(Infinity)).toBe(false);
    expect(() => subscription.isHealthy(-1)).toThrow('maximumIdle must not be negative');
    subscription.close();
  });

  it('rejects with what broke it', async () => {
    const { open } = benchOf((contextId) => [status(contextId, WORKING), new Error('cut')]);
    const subscription = open();
    expect((await caught(subscription.completion())).message).toBe('Agent call failed: cut');
    await subscription.acknowledgement();
  });
});

describe('the end of a sender', () => {
  it('closes its subscriptions and its transport', async () => {
    const { open, sender, transport, runtime } = benchOf((contextId) => [status(contextId, WORKING), 'hang']);
    const subscription = open();
    await after(0);
    await sender.close();
    await subscription.completion();
    expect(transport.isClosed).toBe(true);
    expect(runtime.wire).toEqual(['send', 'close conversation', 'close']);
    expect(() => open()).toThrow('A2A transport is closed');
  });

  it('closes no transport of somebody else', async () => {
    const { transport } = benchOf((contextId) => [status(contextId, WORKING), 'hang']);
    const sender = DefaultExtensionSender.nonOwning(transport);
    const subscription = sender.openNotification('X', contentFor(NOTIFICATION_T), () => undefined);
    await after(0);
    await sender.close();
    await subscription.completion();
    expect(transport.isClosed).toBe(false);
  });

  it('comes with that of its transport', async () => {
    const { open, transport } = benchOf((contextId) => [status(contextId, WORKING), 'hang']);
    const subscription = open();
    await after(0);
    await transport.close();
    await subscription.completion();
    expect(subscription.isActive()).toBe(false);
  });
});
