import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Inject, Injectable, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  A2AModule,
  AgentExecutor,
  RequestHandler,
  TaskStore,
  type AgentEmitter,
  type RequestContext,
} from 'nestjs-a2a';
import {
  InvalidParamsError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskState,
  UnsupportedOperationError,
  type StreamResponse,
} from 'nestjs-a2a/protocol';
import { A2ATestAgent, expectHistory, expectState, expectStatusText, expectText } from 'nestjs-a2a/testing';

const { WORKING, COMPLETED, FAILED, CANCELED, INPUT_REQUIRED } = TaskState;

@Injectable()
class Greetings {
  readonly word: string = 'Hello';
}

/** Does what its first word says. */
@Injectable()
class Butler extends AgentExecutor {
  constructor(@Inject(Greetings) private readonly greetings: Greetings) {
    super();
  }

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const [order = '', ...words] = context.text.split(' ');
    switch (order) {
      case 'greet':
        await emitter.working('Clearing the throat');
        for (const word of [this.greetings.word, ...words]) await emitter.text(`${word} `);
        return emitter.complete('Done');
      case 'ask':
        return emitter.requireInput('Which one?');
      case 'answer':
        return emitter.sendMessage('Yes, sir');
      case 'whoami':
        await emitter.addArtifact(`${context.call.user.id}@${context.call.tenant}`);
        return emitter.addArtifact(JSON.stringify(context.call.headers)).then(() => undefined);
      case 'wait':
        await emitter.working();
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        return;
      case 'sleep':
        await emitter.working('Sleeping');
        await new Promise((resolve) => setTimeout(resolve, 3_600_000));
        return emitter.complete('Awake');
      case 'break':
        throw new Error('broken on purpose');
      default:
        await emitter.addArtifact(context.message.parts[0] ?? 'nothing');
        return emitter.complete();
    }
  }
}

const agents: A2ATestAgent[] = [];

async function butler(options: Parameters<typeof A2ATestAgent.create>[1] = {}): Promise<A2ATestAgent> {
  const agent = await A2ATestAgent.create(Butler, { providers: [Greetings], ...options });
  agents.push(agent);
  return agent;
}

afterEach(async () => {
  // First: closing waits for what a fake clock would not bring.
  jest.useRealTimers();
  for (const agent of agents.splice(0)) await agent.close();
});

describe('A2ATestAgent', () => {
  describe('send', () => {
    it('gives the task at its end', async () => {
      const agent = await butler();
      const task = await agent.send('greet Ann');
      expectState(task, COMPLETED);
      expectText(task, 'Hello Ann ');
      expectStatusText(task, 'Done');
      expectHistory(task, ['greet Ann', 'Clearing the throat']);
    });

    it.each([
      ['a part', { data: { a: 1 } }],
      ['parts', [{ data: { a: 1 } }]],
      ['a message', { parts: [{ data: { a: 1 } }], messageId: 'mine', metadata: { b: 2 } }],
    ])('takes %s', async (_name, message) => {
      const agent = await butler({ checkInputModes: false });
      const task = await agent.send(message, { contextId: 'talk', metadata: { c: 3 } });
      expect(task.artifacts?.[0]?.parts).toEqual([{ data: { a: 1 } }]);
      expect(task.contextId).toBe('talk');
    });

    it.each([
      ['no parts', { parts: [] }],
      ['an agent for its author', { parts: [{ text: 'a' }], role: 'ROLE_UNSPECIFIED' as const }],
    ])('refuses what a server would refuse over the wire: %s', async (_name, message) => {
      const agent = await butler();
      await expect(agent.send(message)).rejects.toBeInstanceOf(InvalidParamsError);
      expect((await agent.list()).totalSize).toBe(0);
    });

    it('tells of an executor that throws as a client is told', async () => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const agent = await butler();
      const task = await agent.send('break');
      expectState(task, FAILED);
      expect(logged).toHaveBeenCalledTimes(1);
      logged.mockRestore();
      expect(JSON.stringify(task)).not.toContain('on purpose');
    });

    it('says so when the answer is a message, and ask when it is a task', async () => {
      const agent = await butler();
      expectText(await agent.ask('answer'), 'Yes, sir');
      await expect(agent.send('answer')).rejects.toThrow(/message instead of a task\n\nROLE_AGENT: "Yes, sir"/);
      await expect(agent.ask('greet Ann')).rejects.toThrow(
        /made a task .*\n\ntask .*\n {2}TASK_STATE_COMPLETED: "Done"/,
      );
    });
  });

  it('follows up', async () => {
    const agent = await butler();
    const asked = await agent.send('ask');
    expectState(asked, INPUT_REQUIRED);
    expectStatusText(asked, /which/i);
    const done = await agent.followUp(asked, 'greet Bob');
    expect(done.id).toBe(asked.id);
    expectHistory(done, ['ask', 'Which one?', 'greet Bob', 'Clearing the throat']);
    await expect(agent.followUp(done.id, 'greet')).rejects.toBeInstanceOf(UnsupportedOperationError);
  });

  it('begins without waiting, and cancels', async () => {
    const agent = await butler();
    const begun = await agent.begin('wait');
    expectState(begun, WORKING);
    expectState(await agent.get(begun), WORKING);
    expectState(await agent.cancel(begun), CANCELED);
    expectState(await agent.get(begun.id), CANCELED);
    const ended = await agent.send('greet');
    await expect(agent.cancel(ended)).rejects.toBeInstanceOf(TaskNotCancelableError);
    await expect(agent.cancel('no-such-task')).rejects.toBeInstanceOf(TaskNotFoundError);
  });

  it('gets and lists what a client would', async () => {
    const agent = await butler();
    const [one, two] = [await agent.send('greet', { contextId: 'a' }), await agent.send('greet', { contextId: 'b' })];
    expect((await agent.get(one, 0)).history ?? []).toEqual([]);
    const { tasks, totalSize, nextPageToken } = await agent.list({ pageSize: 1 });
    const rest = await agent.list({ pageSize: 1, pageToken: nextPageToken });
    expect([totalSize, ...[...tasks, ...rest.tasks].map(({ id }) => id).sort()]).toEqual([
      2,
      ...[one.id, two.id].sort(),
    ]);
    expect((await agent.list({ contextId: 'b' })).tasks.map(({ id }) => id)).toEqual([two.id]);
    await expect(agent.list({ pageSize: 101 })).rejects.toBeInstanceOf(InvalidParamsError);
  });

  describe('stream', () => {
    it('collects events, which can be iterated at any time and as often as one likes', async () => {
      const agent = await butler();
      const stream = await agent.stream('greet Ann');
      const during: StreamResponse[] = [];
      for await (const event of stream) during.push(event);
      const after: StreamResponse[] = [];
      for await (const event of stream) after.push(event);
      expect(await stream.finished()).toEqual(during);
      expect(after).toEqual(during);
      expect([stream.states.at(-1), stream.text, stream.ended]).toEqual([COMPLETED, 'Hello Ann ', true]);
      expect(stream.sequences).toEqual(during.map((_event, index) => index + 1));
      expectState(await agent.get(stream.taskId ?? ''), COMPLETED);
    });

    it('waits for what is to come, and finds what has come', async () => {
      const agent = await butler();
      const stream = await agent.stream('wait');
      await stream.reach(WORKING);
      await stream.reach(WORKING);
      const again = await agent.subscribe(stream.taskId ?? '');
      await agent.cancel(stream.taskId ?? '');
      await stream.reach(CANCELED);
      await again.finished();
      expect(again.states).toEqual([WORKING, CANCELED]);
    });

    it('tells what came instead of what was waited for', async () => {
      const agent = await butler();
      const stream = await agent.stream('greet');
      await expect(stream.reach(INPUT_REQUIRED)).rejects.toThrow(
        /without TASK_STATE_INPUT_REQUIRED. It gave:\n {2}task .*\n[^]*"Hello "[^]*\n {2}TASK_STATE_COMPLETED: "Done"$/,
      );
    });

    it('stops collecting when it is left, and the task goes on', async () => {
      const agent = await butler();
      const stream = await agent.stream('wait');
      await stream.reach(WORKING);
      stream.leave();
      expect(await stream.finished()).toBe(stream.events);
      expectState(await agent.get(stream.taskId ?? ''), WORKING);
      const { length } = stream.events;
      await agent.cancel(stream.taskId ?? '');
      expect(stream.events).toHaveLength(length);
    });

    it('goes on behind an event that was seen', async () => {
      const agent = await butler();
      const stream = await agent.stream('greet Ann');
      const all = await stream.finished();
      const rest = await agent.subscribe(stream.taskId ?? '', 2);
      expect(await rest.finished()).toEqual(all.slice(2));
    });

    it('follows up, and reads a direct message', async () => {
      const agent = await butler();
      const asked = await agent.send('ask');
      const stream = await agent.stream('greet', { task: asked });
      await stream.finished();
      expect(stream.taskId).toBe(asked.id);
      const direct = await agent.stream('answer');
      expect([await direct.finished(), direct.text, direct.taskId]).toEqual([
        [{ message: expect.anything() }],
        'Yes, sir',
        undefined,
      ]);
    });

    it('rejects before it opens, as an agent would answer', async () => {
      const agent = await butler();
      await expect(agent.stream('greet', { task: 'no-such-task' })).rejects.toBeInstanceOf(TaskNotFoundError);
      await expect(agent.subscribe('no-such-task')).rejects.toBeInstanceOf(TaskNotFoundError);
    });
  });

  describe('as', () => {
    it('calls for users and tenants, who do not see each other’s tasks', async () => {
      const agent = await butler();
      const ann = agent.as('ann').tenant('shop').headers({ 'x-colour': 'red' });
      const task = await ann.send('whoami');
      expectText(task, 'ann@shop{"x-colour":"red"}');
      expectText(await agent.as({ id: 'bob', authenticated: true }).send('whoami'), 'bob@{}');
      for (const other of [agent, agent.as('ann'), agent.as('bob').tenant('shop')]) {
        await expect(other.get(task)).rejects.toBeInstanceOf(TaskNotFoundError);
      }
      expect((await ann.list()).totalSize).toBe(1);
    });
  });

  describe('create', () => {
    it('takes an executor that is there already', async () => {
      const echo = { execute: async ({ text }: RequestContext): Promise<string> => text };
      const agent = await A2ATestAgent.create(echo);
      agents.push(agent);
      expectText(await agent.send('polly'), 'polly');
    });

    it('takes a testing module, with what was overridden in it', async () => {
      @Module({
        imports: [A2AModule.forRoot({ agentCard: { name: 'Butler' }, executor: Butler, providers: [Greetings] })],
      })
      class AppModule {}
      const module = await Test.createTestingModule({ imports: [AppModule] })
        .overrideProvider(Greetings)
        .useValue({ word: 'Ahoy' })
        .compile();
      const agent = await A2ATestAgent.create(module);
      agents.push(agent);
      const task = await agent.send('greet');
      expectText(task, 'Ahoy ');
      expect(await agent.app.get(TaskStore, { strict: false }).get({ agent: '', tenant: '' }, task.id)).toBeDefined();
    });

    it('takes one of several agents by its path, and wants to be told which', async () => {
      const say = (word: string): AgentExecutor => ({ execute: async () => word });
      const agentOf = (path: string) =>
        A2AModule.forRoot({ path, agentCard: { name: 'x' }, executor: { useValue: say(path) } });
      const module = await Test.createTestingModule({ imports: [agentOf('one'), agentOf('two')] }).compile();
      const two = await A2ATestAgent.create(module, { path: 'two' });
      agents.push(two);
      expectText(await two.send('x'), 'two');
      expectText(await (await A2ATestAgent.create(module, { path: '/one/' })).send('x'), 'one');
      await expect(A2ATestAgent.create(module)).rejects.toThrow(/has 2 agents.*one.*two/);
      await expect(A2ATestAgent.create(module, { path: 'three' })).rejects.toThrow(/no agent with the path 'three'/);
    });

    it('calls a RequestHandler that stands in the place of ours', async () => {
      const getTask = jest
        .fn<RequestHandler['getTask']>()
        .mockResolvedValue({ id: 'mine', status: { state: WORKING } });
      const agent = await butler({ providers: [Greetings, { provide: RequestHandler, useValue: { getTask } }] });
      expect((await agent.get('x')).id).toBe('mine');
      expect(getTask).toHaveBeenCalledWith({ id: 'x' }, expect.objectContaining({ binding: 'IN_PROCESS' }));
    });

    it('closes while the agent still works', async () => {
      const agent = await butler();
      const stream = await agent.stream('wait');
      await stream.reach(WORKING);
      await agent.close();
      await stream.finished();
      expect(stream.states.at(-1)).toBe(FAILED);
    });
  });

  describe('with a fake clock', () => {
    it('starts, and lets an hour pass', async () => {
      jest.useFakeTimers({ now: 0 });
      const agent = await butler({ agentTimeoutSeconds: 0 });
      const sending = agent.send('sleep');
      await jest.advanceTimersByTimeAsync(3_600_000);
      const task = await sending;
      expectState(task, COMPLETED);
      expect(task.status.timestamp).toBe('1970-01-01T01:00:00.000Z');
      await agent.close();
    });

    it('reaches the limits of a wait and of a run', async () => {
      jest.useFakeTimers({ now: 0 });
      const agent = await butler({ agentTimeoutSeconds: 30, maxRunSeconds: 600 });
      const sending = agent.send('sleep');
      const stream = await agent.stream('sleep');
      await jest.advanceTimersByTimeAsync(30_000);
      expectState(await sending, WORKING);
      // The executor looks at no signal: it is given its grace, and cut off.
      await jest.advanceTimersByTimeAsync(580_000);
      expectState(await agent.get(await sending), FAILED);
      await stream.reach(FAILED);
    });
  });
});
