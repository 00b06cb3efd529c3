import { afterEach, describe, expect, it } from '@jest/globals';
import { ForbiddenException, HttpException, NotFoundException, UnauthorizedException } from '@nestjs/common';
import {
  A2AError,
  PermissionDeniedError,
  ResourceExhaustedError,
  TaskNotFoundError,
  UnavailableError,
} from 'nestjs-a2a/protocol';
import { AgentsUnderTest, type InProcessAgent, type TestCall } from '../../test/support/in-process-agent.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';
import type { TaskPage, TaskQuery, TaskScope } from '../tasks/task-store.js';
import type { TaskRecord } from '../tasks/task-record.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

/** Lets everybody list and create, and each touch what they made; how it refuses is said by the test. */
class Refusing extends TaskAuthorizationProvider {
  readonly owners = new Map<string, string>();
  refuse: () => boolean = () => false;
  refuseMaking = false;
  refuseLists = false;

  checkCreate = (): boolean => !this.refuseMaking || this.refuse();
  checkRead = (call: ServerCallContext, id: string): boolean => this.isOpen(call, id) || this.refuse();
  checkWrite = this.checkRead;
  isTaskRecorded = (id: string): boolean => this.owners.has(id);
  recordOwnership = (call: ServerCallContext, id: string): void => void this.owners.set(id, call.user.id);

  private isOpen(call: ServerCallContext, id: string): boolean {
    return id === '' ? !this.refuseLists : this.owners.get(id) === call.user.id;
  }
}

/** Counts how often tasks are looked up. */
class CountingStore extends InMemoryTaskStore {
  lookups = 0;

  override async get(scope: TaskScope, id: string): Promise<TaskRecord | undefined> {
    this.lookups++;
    return super.get(scope, id);
  }

  override async list(query: TaskQuery): Promise<TaskPage> {
    this.lookups++;
    return super.list(query);
  }
}

const refusing = (error: () => unknown) => (): never => {
  throw error();
};

/** Each way to refuse, and what the caller is told. */
const ways: readonly [string, () => boolean, string | undefined][] = [
  ['false', () => false, 'TASK_NOT_FOUND'],
  ['TaskNotFoundError', refusing(() => new TaskNotFoundError('')), 'TASK_NOT_FOUND'],
  ['PermissionDeniedError', refusing(() => new PermissionDeniedError('Not on your plan')), 'PERMISSION_DENIED'],
  ['ResourceExhaustedError', refusing(() => new ResourceExhaustedError('Too much', 5)), 'RESOURCE_EXHAUSTED'],
  ['ForbiddenException', refusing(() => new ForbiddenException()), 'PERMISSION_DENIED'],
  ['NotFoundException', refusing(() => new NotFoundException()), 'TASK_NOT_FOUND'],
  ['UnauthorizedException', refusing(() => new UnauthorizedException()), 'UNAUTHENTICATED'],
  ['any other error', refusing(() => new Error('secret of the database')), undefined],
  ['something that is no error', refusing(() => 'secret of the database'), undefined],
];

const operations: readonly [string, (agent: InProcessAgent, id: string, call: TestCall) => Promise<unknown>][] = [
  ['GetTask', (agent, id, call) => agent.get(id, call)],
  ['CancelTask', (agent, id, call) => agent.cancel(id, call)],
  ['SubscribeToTask', (agent, id, call) => agent.subscribe(id, call)],
  ['SendMessage', (agent, taskId, call) => agent.send('this', { ...call, taskId })],
  ['SendStreamingMessage', (agent, taskId, call) => agent.stream('this', { ...call, taskId })],
  [
    'CreateTaskPushNotificationConfig',
    (agent, taskId, call) =>
      agent.handler.createTaskPushNotificationConfig({ taskId, url: 'https://example.com' }, agent.call(call)),
  ],
  [
    'GetTaskPushNotificationConfig',
    (agent, taskId, call) => agent.handler.getTaskPushNotificationConfig({ taskId, id: 'c' }, agent.call(call)),
  ],
  [
    'ListTaskPushNotificationConfigs',
    (agent, taskId, call) => agent.handler.listTaskPushNotificationConfigs({ taskId }, agent.call(call)),
  ],
  [
    'DeleteTaskPushNotificationConfig',
    (agent, taskId, call) => agent.handler.deleteTaskPushNotificationConfig({ taskId, id: 'c' }, agent.call(call)),
  ],
];

async function setUp() {
  const authorization = new Refusing();
  const store = new CountingStore();
  const runs: string[] = [];
  const agent = agents.make({
    authorization,
    store,
    execute: async ({ text, referencedTasks }, emitter) => {
      runs.push(text);
      if (text === 'pause') await emitter.requireInput('which?');
      else await emitter.complete(String(referencedTasks.length));
    },
  });
  const { id } = await agent.sendForTask('pause', { user: 'ann' });
  await agent.untilIdle();
  runs.length = store.lookups = 0;
  return { authorization, store, agent, id, runs };
}

/** What a caller was told: the A2A error's name, or what was thrown. */
const reasonOf = (error: unknown): unknown => (error instanceof A2AError ? error.code : undefined);

async function refusalOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  throw new Error('It was let in');
}

describe.each(ways)('A provider that refuses by %s', (_, refuse, reason) => {
  it.each(operations)(
    '%s: the same for a task that is there and for none, before any look-up',
    async (_name, operation) => {
      const { authorization, store, agent, id, runs } = await setUp();
      authorization.refuse = refuse;
      const foreign = await refusalOf(operation(agent, id, { user: 'ben' }));
      const none = await refusalOf(operation(agent, 'nowhere', { user: 'ben' }));
      expect(String(foreign)).toBe(String(none));
      expect([reasonOf(foreign), reasonOf(none)]).toEqual([reason, reason]);
      expect([runs, store.lookups]).toEqual([[], 0]);
    },
  );

  it('a new task: no run, no task, nobody is recorded', async () => {
    const { authorization, store, agent, runs } = await setUp();
    authorization.refuse = refuse;
    authorization.refuseMaking = true;
    for (const attempt of [agent.send('hi'), agent.stream('hi'), agent.begin('hi')]) {
      expect(reasonOf(await refusalOf(attempt))).toBe(reason);
    }
    expect([runs, store.lookups, authorization.owners.size, await agent.countStored()]).toEqual([[], 0, 1, 1]);
  });

  it('a whole list', async () => {
    const { authorization, store, agent } = await setUp();
    authorization.refuse = refuse;
    authorization.refuseLists = true;
    const listed = agent.handler.listTasks({}, agent.call({ user: 'ann' }));
    expect(reasonOf(await refusalOf(listed))).toBe(reason);
    expect(store.lookups).toBe(0);
  });

  it('one of a list, one that is referred to: passed over when that says no, refused when nobody could tell', async () => {
    const { authorization, agent, id, runs } = await setUp();
    authorization.refuse = refuse;
    const listed = agent.handler.listTasks({}, agent.call({ user: 'ben' }));
    const sent = agent.sendForTask('hi', { user: 'ben', referenceTaskIds: [id, 'nowhere'] });
    if (reason === undefined || reason === 'RESOURCE_EXHAUSTED') {
      expect([reasonOf(await refusalOf(listed)), reasonOf(await refusalOf(sent))]).toEqual([reason, reason]);
      expect([runs, await agent.countStored()]).toEqual([[], 1]);
    } else {
      expect(await listed).toMatchObject({ tasks: [], totalSize: 0 });
      expect((await sent).status.message?.parts).toEqual([{ text: '0' }]);
    }
  });
});

describe('recordOwnership', () => {
  it.each([
    ['an A2A error', () => new UnavailableError('Later'), 'UNAVAILABLE'],
    ['a Nest exception', () => new HttpException('no', 403), 'PERMISSION_DENIED'],
    ['another error', () => new Error('secret'), undefined],
  ])('that throws %s: no run and no task', async (_, error, reason) => {
    const { authorization, agent, runs } = await setUp();
    authorization.recordOwnership = refusing(error);
    for (const attempt of [agent.send('hi'), agent.stream('hi')]) {
      expect(reasonOf(await refusalOf(attempt))).toBe(reason);
    }
    expect([runs, await agent.countStored()]).toEqual([[], 1]);
  });

  it.each<[string, (agent: InProcessAgent) => Promise<unknown>]>([
    ['a blocking send', (agent) => agent.send('hi')],
    ['a send that does not wait', (agent) => agent.begin('hi')],
    ['a stream', async (agent) => (await agent.stream('hi')).over],
  ])('is waited for before the run of %s, and its first answer', async (_, send) => {
    const { authorization, agent, runs } = await setUp();
    let recorded = (): void => undefined;
    const recording = new Promise<void>((resolve) => {
      authorization.recordOwnership = () => {
        resolve();
        return new Promise<void>((done) => (recorded = done));
      };
    });
    let answered = false;
    const sent = send(agent).then(() => (answered = true));
    await recording;
    await new Promise((resolve) => setImmediate(resolve));
    expect([runs, answered, await agent.countStored()]).toEqual([[], false, 1]);
    recorded();
    await sent;
    expect(runs).toEqual(['hi']);
  });

  it('is not called for what is recorded, nor for a message to a task', async () => {
    const { authorization, agent, id } = await setUp();
    let recorded = 0;
    authorization.recordOwnership = () => void recorded++;
    await agent.send('this', { user: 'ann', taskId: id });
    expect(recorded).toBe(0);
    authorization.isTaskRecorded = () => true;
    await agent.send('hi');
    expect(recorded).toBe(0);
  });
});
