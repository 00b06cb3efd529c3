import { afterEach, describe, expect, it } from '@jest/globals';
import { isRawPart, TaskState, type Message, type Task } from 'nestjs-a2a/protocol';
import { AgentsUnderTest, textOf, type Execute } from '../../test/support/in-process-agent.js';
import { nextMillisecond } from '../../test/support/next-millisecond.js';
import type { RequestContext } from '../agent/request-context.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import type { TaskOperation } from '../authorization/task-operation.js';
import { OMITTED_RAW_KEY } from '../tasks/raw-elision.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

/** Runs `look` in each run and remembers what it saw. */
function looking<T>(look: (context: RequestContext) => T | Promise<T>) {
  const seen: T[] = [];
  const execute: Execute = async (context, emitter) => {
    seen.push(await look(context));
    await emitter.complete(`re ${context.text}`);
  };
  return { seen, execute };
}

const textsOf = (messages: readonly Message[]): string[] => messages.map(textOf);
const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

describe('RequestContext', () => {
  it('text is the text parts joined', async () => {
    const { seen, execute } = looking(({ text }) => text);
    const agent = agents.make({ execute });
    await agent.send('', { parts: [{ text: 'a' }, { data: { n: 1 } }, { text: 'b' }] });
    await agent.send('', { parts: [{ data: { n: 1 } }] });
    expect(seen).toEqual(['a\nb', '']);
  });

  it('has what the message brought along', async () => {
    const { seen, execute } = looking(({ configuration, metadata, message, taskId, contextId, task }) => {
      return { configuration, metadata, message, taskId, contextId, task };
    });
    const agent = agents.make({ execute });
    const sent = await agent.sendForTask('hi', {
      contextId: 'c',
      metadata: { k: 'v' },
      configuration: { historyLength: 3 },
    });
    await agent.send('plain');
    const [first, second] = seen;
    expect(first).toMatchObject({ configuration: { historyLength: 3 }, metadata: { k: 'v' }, contextId: 'c' });
    expect(first?.message).toMatchObject({ taskId: sent.id, contextId: 'c' });
    expect(first?.taskId).toBe(sent.id);
    expect(first?.task).toBeUndefined();
    expect(second).toMatchObject({ configuration: {}, metadata: undefined });
  });

  it('previousTasks: the earlier tasks of the context, newest first, this one not among them', async () => {
    const { seen, execute } = looking((context) => context.previousTasks({ limit: 2 }));
    const agent = agents.make({ execute });
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three', 'four']) {
      ids.push((await agent.sendForTask(text, { contextId: 'c' })).id);
      // Tasks of the same millisecond are in the order of their ids.
      await nextMillisecond();
    }
    await agent.send('elsewhere', { contextId: 'other' });
    const [one = '', two = '', three = ''] = ids;
    expect(seen.map(idsOf)).toEqual([[], [one], [two, one], [three, two], []]);
  });

  it.each([
    [undefined, 20],
    [0, 0],
    [-1, 0],
    [1_000, 100],
  ])('previousTasks limit %s gives at most %i', async (limit, most) => {
    const { seen, execute } = looking((context) => context.previousTasks({ limit }));
    const agent = agents.make({ execute });
    for (let n = 0; n < 105; n++) await agent.send('hi', { contextId: 'c' });
    expect(seen.at(-1)).toHaveLength(most);
  });

  it('conversation: the messages of the context in order, the newest so many', async () => {
    const { seen, execute } = looking((context) => context.conversation({ maxMessages: 4 }));
    const agent = agents.make({ execute });
    for (const text of ['one', 'two', 'three']) {
      await agent.send(text, { contextId: 'c' });
      await nextMillisecond();
    }
    expect(seen.map(textsOf)).toEqual([['one'], ['one', 're one', 'two'], ['re one', 'two', 're two', 'three']]);
  });

  it('conversation: each turn of a task with many, once and in order', async () => {
    const seen: string[][] = [];
    const agent = agents.make({
      execute: async (context, emitter) => {
        seen.push(textsOf(await context.conversation()));
        await emitter.requireInput(`re ${context.text}`);
      },
    });
    const { id } = await agent.sendForTask('one');
    await agent.send('two', { taskId: id });
    await agent.send('three', { taskId: id });
    expect(seen.at(-1)).toEqual(['one', 're one', 'two', 're two', 'three']);
  });

  it('conversation: none for maxMessages 0', async () => {
    const { seen, execute } = looking((context) => context.conversation({ maxMessages: 0 }));
    await agents.make({ execute }).send('hi');
    expect(seen).toEqual([[]]);
  });

  it("another caller's tasks of the same context are not seen (P53)", async () => {
    const { seen, execute } = looking(async (context) => ({
      tasks: (await context.previousTasks()).length,
      messages: textsOf(await context.conversation()),
    }));
    const agent = agents.make({ execute });
    await agent.send('secret', { contextId: 'c', user: 'ann' });
    await agent.send('hi', { contextId: 'c', user: 'bob' });
    await agent.send('hi', { contextId: 'c', user: 'ann', tenant: 'other' });
    await agent.send('again', { contextId: 'c', user: 'ann' });
    expect(seen.slice(1, 3)).toEqual(Array(2).fill({ tasks: 0, messages: ['hi'] }));
    expect(seen[3]).toEqual({ tasks: 1, messages: ['secret', 're secret', 'again'] });
  });

  it("neither where a provider decides: memory is the caller's own all the same", async () => {
    class Open extends TaskAuthorizationProvider {
      checkCreate = () => true;
      checkRead = () => true;
      checkWrite = () => true;
      isTaskRecorded = () => true;
      recordOwnership = () => undefined;
    }
    const { seen, execute } = looking(async (context) => (await context.previousTasks()).length);
    const agent = agents.make({ execute, authorization: new Open() });
    await agent.send('secret', { contextId: 'c', user: 'ann' });
    await agent.send('hi', { contextId: 'c', user: 'bob' });
    expect(seen).toEqual([0, 0]);
  });

  it('a provider is asked about each earlier task, for the caller of the message', async () => {
    const denied = new Set<string>();
    const asked: string[] = [];
    class Choosing extends TaskAuthorizationProvider {
      checkCreate = () => true;
      checkRead = ({ user }: ServerCallContext, id: string, operation: TaskOperation) => {
        asked.push(`${user.id} ${operation}`);
        return !(user.id === 'bob' && denied.has(id));
      };
      checkWrite = () => true;
      isTaskRecorded = () => true;
      recordOwnership = () => undefined;
    }
    const seen: unknown[] = [];
    const agent = agents.make({
      authorization: new Choosing(),
      execute: async (context, emitter) => {
        if (context.text === 'ask') return emitter.requireInput('which?');
        seen.push([(await context.previousTasks({ limit: 2 })).length, textsOf(await context.conversation())]);
        await emitter.complete();
      },
    });
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      ids.push((await agent.sendForTask(text, { contextId: 'c', user: 'ann' })).id);
    }
    // Bob may write to a task of Ann's, and still sees no more of her earlier ones than he may read.
    const open = await agent.sendForTask('ask', { contextId: 'c', user: 'ann' });
    await agent.untilIdle();
    for (const id of ids.slice(0, 2)) denied.add(id);
    seen.length = asked.length = 0;
    await agent.send('go', { taskId: open.id, user: 'bob' });
    expect(seen).toEqual([[1, ['three', 'ask', 'which?', 'go']]]);
    expect(asked).toEqual(Array(6).fill('bob GET_TASK'));
  });

  it('what a provider cannot say about an earlier task is an error for the agent', async () => {
    class Breaking extends TaskAuthorizationProvider {
      checkCreate = () => true;
      checkRead = () => Promise.reject(new Error('no database'));
      checkWrite = () => true;
      isTaskRecorded = () => true;
      recordOwnership = () => undefined;
    }
    const { seen, execute } = looking((context) => context.previousTasks().catch((error: Error) => error.message));
    const agent = agents.make({ execute, authorization: new Breaking() });
    await agent.send('one', { contextId: 'c' });
    await agent.send('two', { contextId: 'c' });
    expect(seen).toEqual([[], 'no database']);
  });

  it('sessionKey tells agents, tenants, owners and contexts apart, and is the same for the same', async () => {
    const { seen, execute } = looking(({ sessionKey }) => sessionKey);
    const store = new InMemoryTaskStore();
    const agent = agents.make({ execute, store });
    const other = agents.make({ execute, store, path: '/other' });
    const ann = { contextId: 'c', user: 'ann' };
    await agent.send('hi', ann);
    await agent.send('hi', ann);
    await agent.send('hi', { ...ann, user: 'bob' });
    await agent.send('hi', { ...ann, tenant: 't' });
    await agent.send('hi', { ...ann, contextId: 'd' });
    await agent.send('hi', { contextId: 'c' });
    await other.send('hi', ann);
    expect(seen[1]).toBe(seen[0]);
    expect(new Set(seen).size).toBe(6);
  });

  it("referencedTasks: the caller's own only, each once, others passed over in silence", async () => {
    const { seen, execute } = looking(({ referencedTasks }) => idsOf(referencedTasks));
    const agent = agents.make({ execute });
    const own = await agent.sendForTask('one', { user: 'ann' });
    const foreign = await agent.sendForTask('two', { user: 'bob' });
    const referenceTaskIds = [own.id, foreign.id, 'nowhere', own.id];
    await agent.send('hi', { user: 'ann', referenceTaskIds });
    expect(seen.at(-1)).toEqual([own.id]);
  });

  it('at most 32 of them', async () => {
    const { seen, execute } = looking(({ referencedTasks }) => referencedTasks.length);
    const agent = agents.make({ execute });
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push((await agent.sendForTask('hi')).id);
    await agent.send('hi', { referenceTaskIds: ids });
    expect(seen.at(-1)).toBe(32);
  });
});

describe('Large file parts', () => {
  const raw = Buffer.alloc(300, 7).toString('base64');
  const small = Buffer.alloc(100, 7).toString('base64');
  const parts = [
    { raw, filename: 'large.bin', mediaType: 'application/octet-stream' },
    { raw: small, filename: 'small.bin' },
  ];

  const rawsOf = (task: Task | undefined): string[] =>
    (task?.history ?? []).flatMap((message) => message.parts.filter(isRawPart).map((part) => part.raw));

  it('every run sees all bytes until the task ends; answers, and the store after the end, do not hold them', async () => {
    const seen: (string[] | undefined)[] = [];
    const agent = agents.make({
      settings: { historyMaxRawBytes: 200 },
      execute: async ({ task, message, text }, emitter) => {
        seen.push(task ? rawsOf(task) : message.parts.filter(isRawPart).map((part) => part.raw));
        if (text === 'end') await emitter.complete();
        else await emitter.requireInput('more?');
      },
    });
    const asked = await agent.sendForTask('', { parts });
    expect(rawsOf(asked)).toEqual(['', small]);
    expect(asked.history?.[0]?.parts[0]).toMatchObject({
      filename: 'large.bin',
      mediaType: 'application/octet-stream',
      metadata: { [OMITTED_RAW_KEY]: { bytes: 300, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(rawsOf(await agent.stored(asked.id))).toEqual([raw, small]);
    await agent.send('go on', { taskId: asked.id });
    const stream = await agent.stream('end', { taskId: asked.id });
    await stream.over;
    const [first] = stream.payloads;
    expect(rawsOf(first && 'task' in first ? first.task : undefined)).toEqual(['', small]);
    expect(seen).toEqual(Array(3).fill([raw, small]));
    const stored = await agent.stored(asked.id);
    expect(stored?.status.state).toBe(TaskState.COMPLETED);
    expect(rawsOf(stored)).toEqual(['', small]);
    const { tasks } = await agent.handler.listTasks({}, agent.call());
    expect(tasks.map(rawsOf)).toEqual([['', small]]);
  });

  it.each(['complete', 'fail', 'reject'] as const)('the store is sealed after %s', async (method) => {
    const agent = agents.make({
      settings: { historyMaxRawBytes: 200 },
      execute: (_, emitter) => emitter[method](),
    });
    const { id } = await agent.sendForTask('', { parts });
    expect(rawsOf(await agent.stored(id))).toEqual(['', small]);
  });

  it('the store is sealed after a cancel', async () => {
    const agent = agents.make({
      settings: { historyMaxRawBytes: 200 },
      execute: (_, emitter) => emitter.requireInput('more?'),
    });
    const { id } = await agent.sendForTask('', { parts });
    await agent.untilIdle();
    expect(rawsOf(await agent.cancel(id))).toEqual(['', small]);
    expect(rawsOf(await agent.stored(id))).toEqual(['', small]);
  });
});
