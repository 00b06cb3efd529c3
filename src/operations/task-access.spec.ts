import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ContentTypeNotSupportedError,
  ExtendedAgentCardNotConfiguredError,
  InvalidParamsError,
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  TaskState,
  UnauthenticatedError,
  UnavailableError,
} from 'nestjs-a2a/protocol';
import { AgentsUnderTest, requestOf, type InProcessAgent, type TestCall } from '../../test/support/in-process-agent.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

const operations: [string, (agent: InProcessAgent, id: string, call: TestCall) => Promise<unknown>][] = [
  ['GetTask', (agent, id, call) => agent.get(id, call)],
  ['CancelTask', (agent, id, call) => agent.cancel(id, call)],
  ['SubscribeToTask', (agent, id, call) => agent.subscribe(id, call)],
  ['SubscribeToTask with Last-Event-ID', (agent, id, call) => agent.subscribe(id, call, 1)],
  ['SendMessage', (agent, taskId, call) => agent.send('this', { ...call, taskId })],
  ['SendStreamingMessage', (agent, taskId, call) => agent.stream('this', { ...call, taskId })],
];

describe("Another user's task", () => {
  const strangers: [string, TestCall][] = [
    ['another user', { user: 'bob' }],
    ['nobody', {}],
    ['the same user in another tenant', { user: 'ann', tenant: 't' }],
  ];

  it.each(operations)('%s: -32001, as for one that does not exist', async (_, operation) => {
    const agent = agents.make({ execute: (__, emitter) => emitter.requireInput('which?') });
    const task = await agent.sendForTask('hi', { user: 'ann' });
    await agent.untilIdle();
    for (const [, call] of strangers) {
      const [foreign, unknown] = await Promise.allSettled([
        operation(agent, task.id, call),
        operation(agent, 'nowhere', call),
      ]);
      if (foreign.status === 'fulfilled' || unknown.status === 'fulfilled') throw new Error('It was let in');
      expect(foreign.reason).toBeInstanceOf(TaskNotFoundError);
      expect(String(foreign.reason)).toBe(String(unknown.reason));
      expect((await agent.handler.listTasks({}, agent.call(call))).totalSize).toBe(0);
    }
    expect(await agent.get(task.id, { user: 'ann' })).toEqual(task);
  });

  it('the same id under another agent of the app does not exist', async () => {
    const store = new InMemoryTaskStore();
    const one = agents.make({ store, path: '/one' });
    const two = agents.make({ store, path: '/two' });
    const { id } = await one.sendForTask('hi');
    await expect(two.get(id)).rejects.toBeInstanceOf(TaskNotFoundError);
    expect((await two.handler.listTasks({}, two.call())).totalSize).toBe(0);
  });
});

describe('TaskAuthorizationProvider', () => {
  class Recorded extends TaskAuthorizationProvider {
    readonly asked: string[] = [];
    readonly owners = new Map<string, string>();
    refused = '';

    checkCreate = (_: ServerCallContext, operation: string) => this.answer(`create ${operation}`);
    checkRead = (call: ServerCallContext, id: string, operation: string) =>
      this.answer(`read ${operation}`) && (id === '' || this.owners.get(id)?.[0] === call.user.id[0]);
    checkWrite = (_: ServerCallContext, __: string, operation: string) => this.answer(`write ${operation}`);
    isTaskRecorded = (id: string) => this.owners.has(id);
    recordOwnership = (call: ServerCallContext, id: string): void | Promise<void> =>
      void this.owners.set(id, call.user.id);

    private answer(question: string): boolean {
      this.asked.push(question);
      return question !== this.refused;
    }
  }

  it('decides instead of the owner rule', async () => {
    const authorization = new Recorded();
    const agent = agents.make({ authorization, execute: (_, emitter) => emitter.requireInput('which?') });
    const { id } = await agent.sendForTask('hi', { user: 'a1' });
    expect(authorization.owners.get(id)).toBe('a1');
    await agent.get(id, { user: 'a2' });
    (await agent.subscribe(id, { user: 'a2' })).leave();
    await agent.send('this', { taskId: id, user: 'b' });
    await agent.untilIdle();
    await agent.cancel(id, { user: 'b' });
    expect(authorization.asked).toEqual([
      'create MESSAGE_SEND',
      'read GET_TASK',
      'read SUBSCRIBE_TO_TASK',
      'write MESSAGE_SEND',
      'write CANCEL_TASK',
    ]);
    await expect(agent.get(id, { user: 'b' })).rejects.toBeInstanceOf(TaskNotFoundError);
  });

  it.each([
    ['create MESSAGE_SEND', (agent: InProcessAgent) => agent.send('hi')],
    ['create MESSAGE_SEND_STREAM', (agent: InProcessAgent) => agent.stream('hi')],
    ['read GET_TASK', (agent: InProcessAgent, id: string) => agent.get(id)],
    ['read SUBSCRIBE_TO_TASK', (agent: InProcessAgent, id: string) => agent.subscribe(id)],
    ['write MESSAGE_SEND', (agent: InProcessAgent, taskId: string) => agent.send('this', { taskId })],
    ['write MESSAGE_SEND_STREAM', (agent: InProcessAgent, taskId: string) => agent.stream('this', { taskId })],
    ['write CANCEL_TASK', (agent: InProcessAgent, id: string) => agent.cancel(id)],
  ])('false to %s: there is no such task, and nothing changes', async (question, operation) => {
    const authorization = new Recorded();
    const agent = agents.make({ authorization, execute: (_, emitter) => emitter.requireInput('which?') });
    const task = await agent.sendForTask('hi');
    authorization.refused = question;
    await expect(operation(agent, task.id)).rejects.toBeInstanceOf(TaskNotFoundError);
    await agent.untilIdle();
    expect(await agent.countStored()).toBe(1);
    expect((await agent.stored(task.id))?.status).toEqual(task.status);
  });

  it.each([[undefined], ['no'], [{ allowed: false }], [1]])('%j is no yes', async (verdict) => {
    const authorization = new Recorded();
    const agent = agents.make({ authorization, execute: (_, emitter) => emitter.requireInput('which?') });
    const { id } = await agent.sendForTask('hi');
    const say = () => Reflect.get({ verdict }, 'verdict');
    Object.assign(authorization, { checkCreate: say, checkRead: say, checkWrite: say });
    for (const call of [agent.send('hi'), agent.get(id), agent.cancel(id), agent.handler.listTasks({}, agent.call())]) {
      await expect(call).rejects.toBeInstanceOf(TaskNotFoundError);
    }
  });

  it('that never has recorded an owner does not keep the slot of the run', async () => {
    const authorization = new Recorded();
    const settings = { executorMaxSize: 1, executorQueueCapacity: 0, agentTimeoutSeconds: 0.01 };
    const agent = agents.make({ authorization, settings });
    const { recordOwnership } = authorization;
    authorization.recordOwnership = () => new Promise(() => undefined);
    await expect(agent.send('hi')).rejects.toBeInstanceOf(UnavailableError);
    authorization.recordOwnership = recordOwnership;
    await agent.sendForTask('hi');
    expect(await agent.countStored()).toBe(1);
  });

  it('a list has what may be read, page by page, each once', async () => {
    const authorization = new Recorded();
    const agent = agents.make({ authorization });
    for (let n = 0; n < 130; n++) await agent.send('hi', { user: n % 3 === 0 ? 'a' : 'b' });
    const seen = new Set<string>();
    let pageToken = '';
    do {
      const page = await agent.handler.listTasks({ pageSize: 20, pageToken }, agent.call({ user: 'a2' }));
      expect(page.totalSize).toBe(44);
      for (const { id } of page.tasks) seen.add(id);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen.size).toBe(44);
    expect([...seen].every((id) => authorization.owners.get(id) === 'a')).toBe(true);
  });
});

describe('ListTasks', () => {
  it('newest status first; cursor; all four fields always (P103, P104)', async () => {
    const agent = agents.make({});
    const empty = await agent.handler.listTasks({}, agent.call());
    expect(empty).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
    for (let n = 0; n < 5; n++) await agent.send('hi');
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await agent.handler.listTasks({ pageSize: 2, pageToken }, agent.call());
      expect(page).toMatchObject({ pageSize: 2, totalSize: 5 });
      seen.push(...page.tasks.map(({ id, status }) => `${status.timestamp} ${id}`));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual([...seen].sort().reverse());
  });

  it('filters, and leaves artifacts out unless asked', async () => {
    const agent = agents.make({
      execute: async ({ text }, emitter) => {
        await emitter.addArtifact('work');
        await (text === 'ask' ? emitter.requireInput('which?') : emitter.complete());
      },
    });
    const asked = await agent.sendForTask('ask', { contextId: 'c' });
    const done = await agent.sendForTask('do', { contextId: 'c' });
    await agent.send('do', { contextId: 'd' });
    const list = async (request: object): Promise<string[]> =>
      (await agent.handler.listTasks(request, agent.call())).tasks.map(({ id }) => id).sort();
    expect(await list({ contextId: 'c' })).toEqual([asked.id, done.id].sort());
    expect(await list({ contextId: 'c', status: TaskState.COMPLETED })).toEqual([done.id]);
    expect(await list({ status: TaskState.WORKING })).toEqual([]);
    expect(await list({ statusTimestampAfter: '2999-01-01T00:00:00Z' })).toEqual([]);
    expect(await list({ statusTimestampAfter: asked.status.timestamp })).toHaveLength(3);
    const plain = await agent.handler.listTasks({ contextId: 'd', historyLength: 0 }, agent.call());
    expect(Object.keys(plain.tasks[0] ?? {}).sort()).toEqual(['contextId', 'id', 'status']);
    const full = await agent.handler.listTasks({ contextId: 'd', includeArtifacts: true }, agent.call());
    expect(full.tasks[0]?.artifacts).toHaveLength(1);
  });

  it.each(['nonsense', '', 'MTIz', '🙂'])('a page token that is none of ours (%s)', async (pageToken) => {
    const agent = agents.make({});
    const listed = agent.handler.listTasks({ pageToken }, agent.call());
    if (pageToken === '') expect((await listed).tasks).toEqual([]);
    else await expect(listed).rejects.toBeInstanceOf(InvalidParamsError);
  });

  it.each([
    ['all', {}, 2],
    ['context', {}, 0],
    ['context', { contextId: 'c' }, 1],
    ['context', { contextId: '' }, 0],
  ] as const)("anonymousList '%s' with %j: %i", async (anonymousList, request, total) => {
    const agent = agents.make({ settings: { anonymousList } });
    await agent.send('hi', { contextId: 'c' });
    await agent.send('hi', { contextId: 'd' });
    await agent.send('hi', { user: 'ann' });
    const page = await agent.handler.listTasks(request, agent.call());
    expect([page.totalSize, page.tasks.length]).toEqual([total, total]);
    const known = await agent.handler.listTasks({}, agent.call({ user: 'ann' }));
    expect(known.totalSize).toBe(1);
  });
});

describe('Message that the agent does not take', () => {
  it('a part of another media type: -32005, before any task', async () => {
    const skill = { id: 's', name: 's', description: 's', tags: [], inputModes: ['image/*'] };
    const card = { capabilities: {}, defaultInputModes: ['text/plain'], skills: [skill] };
    const agent = agents.make({ card, settings: { checkInputModes: true } });
    const pdf = { parts: [{ raw: 'aGk=', mediaType: 'application/pdf' }] };
    await expect(agent.send('', pdf)).rejects.toBeInstanceOf(ContentTypeNotSupportedError);
    expect(await agent.countStored()).toBe(0);
    await agent.send('', { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] });
    await agent.send('', { parts: [{ text: 'a', mediaType: 'text/plain; charset=utf-8' }, { raw: 'aGk=' }] });
    const lenient = agents.make({ card, settings: { checkInputModes: false } });
    await lenient.send('', pdf);
  });

  it('an inline push config, while push is not there', async () => {
    const agent = agents.make({});
    const configuration = { taskPushNotificationConfig: { url: 'https://example.com' } };
    const sent = agent.send('hi', { configuration });
    await expect(sent).rejects.toBeInstanceOf(PushNotificationNotSupportedError);
    expect(await agent.countStored()).toBe(0);
  });
});

describe('GetExtendedAgentCard', () => {
  it('anonymous: 401; without one: its own error', async () => {
    const agent = agents.make({});
    await expect(agent.handler.getExtendedAgentCard({}, agent.call())).rejects.toBeInstanceOf(UnauthenticatedError);
    const known = agent.handler.getExtendedAgentCard({}, agent.call({ user: 'ann' }));
    await expect(known).rejects.toBeInstanceOf(ExtendedAgentCardNotConfiguredError);
  });
});

describe('Request', () => {
  it('is not changed by being worked on', async () => {
    const agent = agents.make({});
    const request = requestOf('hi');
    const before = JSON.stringify(request);
    await agent.handler.sendMessage(request, agent.call());
    expect(JSON.stringify(request)).toBe(before);
  });
});
