import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Role, TaskState } from 'nestjs-a2a/protocol';
import { AgentsUnderTest, historyOf, requestOf, taskOf, textOf } from '../../test/support/in-process-agent.js';
import { deferred } from './deferred.js';
import { RunInput } from './run-input.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('When does a task exist', () => {
  it('never, when the agent answers with a direct message', async () => {
    const agent = agents.make({ execute: (_, emitter) => emitter.sendMessage('hello') });
    const response = await agent.send('hi');
    expect('message' in response && textOf(response.message)).toBe('hello');
    expect(await agent.countStored()).toBe(0);
    await agent.untilIdle();
    expect(agent.observer.events).toEqual(['started', 'ended message']);
  });

  it('at the first event that is not a direct message, before anybody sees the event', async () => {
    const stored = deferred<string | undefined>();
    const go = deferred<void>();
    const agent = agents.make({
      execute: async ({ taskId }, emitter) => {
        await emitter.working();
        stored.resolve((await agent.stored(taskId))?.status.state);
        await go.promise;
        await emitter.complete('done');
      },
    });
    const stream = await agent.stream('hi');
    await stream.count(2);
    expect(stream.words).toEqual(['task TASK_STATE_SUBMITTED', TaskState.WORKING]);
    expect(await stored.promise).toBe(TaskState.WORKING);
    go.resolve();
    await stream.over;
    expect(stream.words.slice(2)).toEqual([TaskState.COMPLETED]);
    expect(stream.sequences).toEqual([1, 2, 3]);
  });

  it('with returnImmediately after taskCreationDelayMs, the agent still silent', async () => {
    const agent = agents.make({
      settings: { taskCreationDelayMs: 20 },
      execute: async ({ signal }) => aborted(signal),
    });
    const task = await agent.begin('hi');
    expect(task.status.state).toBe(TaskState.SUBMITTED);
    expect((await agent.stored(task.id))?.history).toHaveLength(1);
    await agent.cancel(task.id);
  });

  it('with returnImmediately after taskCreationDelayMs, also while the run is queued', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { taskCreationDelayMs: 20, executorMaxSize: 1 },
      execute: async ({ text }, emitter) => {
        if (text === 'first') await go.promise;
        await emitter.complete(text);
      },
    });
    const first = agent.send('first');
    const task = await agent.begin('second');
    expect(task.status.state).toBe(TaskState.SUBMITTED);
    expect(agent.scheduler.gauges()).toEqual({ running: 1, queued: 1 });
    go.resolve();
    expect(taskOf(await first).status.state).toBe(TaskState.COMPLETED);
  });

  it('with returnImmediately a quick agent may still answer with a direct message', async () => {
    const agent = agents.make({ execute: (_, emitter) => emitter.sendMessage('quick') });
    const response = await agent.send('hi', { configuration: { returnImmediately: true } });
    expect('message' in response && textOf(response.message)).toBe('quick');
    expect(await agent.countStored()).toBe(0);
  });

  it.each([
    { heartbeat: 15, millis: 15_000 },
    { heartbeat: 0, millis: 15_000 },
    { heartbeat: 2, millis: 2_000 },
    { heartbeat: 60, millis: 15_000 },
  ])('on a stream after min(heartbeat $heartbeat, 15 s) of silence', async ({ heartbeat, millis }) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      const go = deferred<void>();
      const agent = agents.make({
        settings: { heartbeatIntervalSeconds: heartbeat },
        execute: async (_, emitter) => {
          await go.promise;
          await emitter.complete();
        },
      });
      const stream = await agent.stream('hi');
      await jest.advanceTimersByTimeAsync(millis - 1);
      expect(stream.frames).toHaveLength(0);
      expect(await agent.countStored()).toBe(0);
      await jest.advanceTimersByTimeAsync(1);
      expect(stream.words).toEqual(['task TASK_STATE_SUBMITTED']);
      go.resolve();
      await stream.over;
    } finally {
      jest.useRealTimers();
    }
  });

  it('on a blocking send when agentTimeoutSeconds is over; the work goes on', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { agentTimeoutSeconds: 0.02 },
      execute: async (_, emitter) => {
        await go.promise;
        await emitter.complete('late');
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.status.state).toBe(TaskState.SUBMITTED);
    const stream = await agent.subscribe(task.id);
    go.resolve();
    await stream.over;
    expect((await agent.get(task.id)).status.state).toBe(TaskState.COMPLETED);
  });

  it('on a blocking send when the caller hangs up: accepted work never vanishes', async () => {
    const caller = new AbortController();
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        caller.abort();
        await go.promise;
        await emitter.complete('all the same');
      },
    });
    const task = await agent.sendForTask('hi', { signal: caller.signal });
    expect((await agent.stored(task.id))?.status.state).toBe(TaskState.SUBMITTED);
    const stream = await agent.subscribe(task.id);
    go.resolve();
    await stream.over;
    expect((await agent.get(task.id)).status.state).toBe(TaskState.COMPLETED);
  });

  it.each(['before it was subscribed to', 'while it was read'])(
    'on a stream when the caller hangs up %s',
    async (when) => {
      const caller = new AbortController();
      const go = deferred<void>();
      const started = deferred<string>();
      const agent = agents.make({
        execute: async ({ taskId }, emitter) => {
          started.resolve(taskId);
          await go.promise;
          await emitter.sendMessage('for nobody');
        },
      });
      if (when === 'while it was read') {
        const stream = await agent.stream('hi', { signal: caller.signal });
        stream.leave();
      } else {
        caller.abort();
        await agent.handler.sendStreamingMessage(requestOf('hi'), agent.call({ signal: caller.signal }));
      }
      const id = await started.promise;
      const task = await agent.get(id);
      expect(task.status.state).toBe(TaskState.SUBMITTED);
      const watcher = await agent.subscribe(id);
      go.resolve();
      await watcher.over;
      const ended = await agent.get(id);
      expect(ended.status).toMatchObject({ state: TaskState.COMPLETED });
      expect(textOf(ended.status.message)).toBe('for nobody');
    },
  );
});

describe('Blocking send', () => {
  it('waits for a terminal state', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working('a');
        await emitter.working('b');
        await emitter.complete('c');
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.status.state).toBe(TaskState.COMPLETED);
    expect(historyOf(task)).toEqual(['hi', 'a', 'b']);
  });

  it.each([
    ['requireInput', TaskState.INPUT_REQUIRED],
    ['requireAuth', TaskState.AUTH_REQUIRED],
  ] as const)('waits for an interrupted state: %s', async (method, state) => {
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter[method]('which one?');
        await go.promise;
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.status.state).toBe(state);
    expect(textOf(task.status.message)).toBe('which one?');
    go.resolve();
  });

  it('is answered with AUTH_REQUIRED however quickly the agent asked for it', async () => {
    const agent = agents.make({ execute: (_, emitter) => emitter.requireAuth('token?') });
    const { run, stopsBefore, session } = await agent.executions.start(
      { key: { agent: '', tenant: '', id: 't' }, owner: '', contextId: 'c' },
      new RunInput(
        { messageId: 'm', role: Role.USER, parts: [{ text: 'hi' }] },
        2,
        agent.call(),
        { agent: '', tenant: '' },
        { configuration: {}, metadata: undefined, referencedTasks: [] },
        false,
        undefined,
      ),
    );
    await session.born;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await run.nextStop(stopsBefore).promise).toMatchObject({ kind: 'task' });
  });

  it('is not ended by a reader that leaves', async () => {
    const go = deferred<void>();
    const started = deferred<string>();
    const agent = agents.make({
      execute: async ({ taskId }, emitter) => {
        await emitter.working();
        started.resolve(taskId);
        await go.promise;
        await emitter.complete();
      },
    });
    const sent = agent.send('hi');
    const reader = await agent.subscribe(await started.promise);
    reader.leave();
    go.resolve();
    expect(taskOf(await sent).status.state).toBe(TaskState.COMPLETED);
  });

  it('waits for ever with agentTimeoutSeconds 0', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      const go = deferred<void>();
      const agent = agents.make({
        settings: { agentTimeoutSeconds: 0 },
        execute: async (_, emitter) => {
          await emitter.working();
          await go.promise;
          await emitter.complete();
        },
      });
      let answered = false;
      const sent = agent.send('hi').finally(() => (answered = true));
      await jest.advanceTimersByTimeAsync(3_600_000);
      expect(answered).toBe(false);
      go.resolve();
      expect(taskOf(await sent).status.state).toBe(TaskState.COMPLETED);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('What returnImmediately answers (P54)', () => {
  it('is the task as it stood, whatever happens before it is written', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.updateStatus(TaskState.SUBMITTED, 'taken on');
        await go.promise;
        await emitter.addArtifact('result');
        await emitter.fail('broken');
      },
    });
    const task = await agent.begin('hi');
    const before = JSON.stringify(task);
    const stream = await agent.subscribe(task.id);
    go.resolve();
    await stream.over;
    expect(JSON.stringify(task)).toBe(before);
    expect(task.status.state).toBe(TaskState.SUBMITTED);
    expect((await agent.get(task.id)).status.state).toBe(TaskState.FAILED);
  });

  it('is never a mix of two, when both happen in one tick', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        void emitter.updateStatus(TaskState.SUBMITTED, 'taken on');
        void emitter.fail('broken');
      },
    });
    for (let round = 0; round < 20; round++) {
      const task = await agent.begin('hi');
      const word = task.status.state === TaskState.SUBMITTED ? ['taken on', 1] : ['broken', 2];
      expect([textOf(task.status.message), task.history?.length]).toEqual(word);
      await agent.untilIdle();
      expect(historyOf(await agent.get(task.id))).toEqual(['hi', 'taken on']);
    }
  });

  it('is the current snapshot on a follow-up (P52)', async () => {
    const agent = agents.make({
      execute: async ({ task }, emitter) => (task ? emitter.complete('thanks') : emitter.requireInput('which?')),
    });
    const asked = await agent.sendForTask('hi');
    const task = await agent.begin('this', { taskId: asked.id });
    expect(task.status).toMatchObject({ state: TaskState.WORKING });
    expect(historyOf(task)).toEqual(['hi', 'which?', 'this']);
  });
});
