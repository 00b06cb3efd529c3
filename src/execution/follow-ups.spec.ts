import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  InvalidParamsError,
  ResourceExhaustedError,
  TaskNotFoundError,
  TaskState,
  UnavailableError,
  UnsupportedOperationError,
  type SendMessageResponse,
} from 'nestjs-a2a/protocol';
import { CopyingStore } from '../../test/support/copying-store.js';
import {
  AgentsUnderTest,
  artifactsOf,
  historyOf,
  taskOf,
  textOf,
  type Execute,
  type InProcessAgent,
} from '../../test/support/in-process-agent.js';
import { deferred } from './deferred.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

/** Asks once, then is content with the answer. */
const asking: Execute = async ({ task, text }, emitter) => {
  if (task === undefined) return emitter.requireInput('which?');
  await emitter.addArtifact(`got ${text}`);
  await emitter.complete();
};

/** An agent that works until it is let go. */
function worker(settings: Parameters<AgentsUnderTest['make']>[0]['settings'], work?: Execute) {
  const go = deferred<void>();
  const runs: string[] = [];
  const agent = agents.make({
    settings,
    execute: async (context, emitter) => {
      runs.push(context.text);
      if (work !== undefined) return void (await work(context, emitter));
      await emitter.working();
      await go.promise;
      await emitter.complete(`done ${context.text}`);
    },
  });
  return { agent, go, runs };
}

async function refusals(answers: Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(answers);
  return settled.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
}

describe('Message to a busy task', () => {
  it('is refused by default, and nothing of it stays (P55: 20 at once)', async () => {
    const { agent, go, runs } = worker({});
    const task = await agent.begin('one');
    const followUps = Array.from({ length: 20 }, (_, n) => agent.send(`again ${n}`, { taskId: task.id }));
    const refused = await refusals(followUps);
    expect(refused).toHaveLength(20);
    expect(refused.every((error) => error instanceof UnsupportedOperationError)).toBe(true);
    go.resolve();
    await agent.untilIdle();
    expect(runs).toEqual(['one']);
    expect(historyOf(await agent.get(task.id))).toEqual(['one']);
  });

  it('is given to the running executor with steer', async () => {
    const read: string[] = [];
    const { agent, runs } = worker({ followUps: 'steer' }, async ({ messages }, emitter) => {
      await emitter.working();
      for await (const message of messages) {
        read.push(textOf(message));
        if (textOf(message) === 'stop') break;
      }
      await emitter.complete(read.join());
    });
    const task = await agent.begin('one');
    const left = await agent.begin('left', { taskId: task.id });
    expect(left.status.state).toBe(TaskState.WORKING);
    expect(historyOf(left)).toEqual(['one', 'left']);
    const right = agent.sendForTask('right', { taskId: task.id });
    const stop = await agent.sendForTask('stop', { taskId: task.id });
    expect(textOf(stop.status.message)).toBe('left,right,stop');
    expect((await right).status.state).toBe(TaskState.COMPLETED);
    expect(runs).toEqual(['one']);
    expect(historyOf(stop)).toEqual(['one', 'left', 'right', 'stop']);
  });

  it('is refused with steer when the agent leaves 256 unread', async () => {
    const { agent, go } = worker({ followUps: 'steer' });
    const task = await agent.begin('one');
    for (let n = 0; n < 256; n++) await agent.begin(`m${n}`, { taskId: task.id });
    await expect(agent.begin('one too many', { taskId: task.id })).rejects.toBeInstanceOf(ResourceExhaustedError);
    expect((await agent.get(task.id)).history).toHaveLength(257);
    go.resolve();
  });

  it('waits for its turn with queue, in order', async () => {
    const go = deferred<void>();
    const runs: string[] = [];
    const agent = agents.make({
      settings: { followUps: 'queue' },
      execute: async ({ text, task }, emitter) => {
        runs.push(text);
        await emitter.addArtifact(text);
        if (task === undefined) await go.promise;
        if (text === 'three') await emitter.complete();
      },
    });
    const task = await agent.begin('one');
    const answers = ['two', 'three', 'four'].map((text) => agent.send(text, { taskId: task.id }));
    // The queue is filled in the turn in which the messages come in; the run is let go afterwards.
    await new Promise((resolve) => setImmediate(resolve));
    go.resolve();
    const [two, three, four] = await Promise.allSettled(answers);
    expect(runs).toEqual(['one', 'two', 'three']);
    expect(two.status === 'fulfilled' && artifactsOf(taskOf(two.value))).toEqual(['one', 'two']);
    expect(three.status === 'fulfilled' && taskOf(three.value).status.state).toBe(TaskState.COMPLETED);
    // The third run ended the task for good, so the last in the queue is refused.
    expect(four.status === 'rejected' && four.reason).toBeInstanceOf(UnsupportedOperationError);
    expect(historyOf(await agent.get(task.id))).toEqual(['one', 'two', 'three']);
  });

  it('with queue: all that wait are refused once the task has ended', async () => {
    const { agent, go, runs } = worker({ followUps: 'queue' });
    const task = await agent.begin('one');
    const answers = ['two', 'three'].map((text) => agent.send(text, { taskId: task.id }));
    const stream = await agent.stream('four', { taskId: task.id });
    await new Promise((resolve) => setImmediate(resolve));
    go.resolve();
    expect((await refusals(answers)).map((error) => error instanceof UnsupportedOperationError)).toEqual([true, true]);
    await stream.over;
    expect(stream.words).toEqual(['task TASK_STATE_WORKING', TaskState.COMPLETED]);
    expect(runs).toEqual(['one']);
  });

  it('with queue: all that wait are refused once the task was canceled', async () => {
    const { agent, go } = worker({ followUps: 'queue', cancelGraceSeconds: 0.01 });
    const task = await agent.begin('one');
    const answer = agent.send('two', { taskId: task.id });
    await new Promise((resolve) => setImmediate(resolve));
    await agent.cancel(task.id);
    await expect(answer).rejects.toBeInstanceOf(UnsupportedOperationError);
    go.resolve();
  });

  it('with queue: 64 may wait for one task', async () => {
    const { agent, go } = worker({ followUps: 'queue' });
    const task = await agent.begin('one');
    const waiting = Array.from({ length: 64 }, (_, n) => agent.send(`m${n}`, { taskId: task.id }));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(agent.send('one too many', { taskId: task.id })).rejects.toBeInstanceOf(UnavailableError);
    go.resolve();
    expect(await refusals(waiting)).toHaveLength(64);
  });

  it('with queue: who waits comes before who answers a question later', async () => {
    const go = deferred<void>();
    const stay = deferred<void>();
    const thirdIsThere = deferred<void>();
    const runs: string[] = [];
    const agent = agents.make({
      settings: { followUps: 'queue' },
      execute: async ({ text, task }, emitter) => {
        runs.push(text);
        if (task === undefined) {
          await emitter.working();
          await go.promise;
          await emitter.requireInput('which?');
          await stay.promise;
        } else if (text === 'third') await emitter.complete();
        else {
          await emitter.working(text);
          await thirdIsThere.promise;
        }
      },
    });
    const task = await agent.begin('first');
    const second = agent.sendForTask('second', { taskId: task.id });
    await new Promise((resolve) => setImmediate(resolve));
    const watcher = await agent.subscribe(task.id);
    go.resolve();
    await watcher.count(2);
    const third = agent.sendForTask('third', { taskId: task.id });
    await new Promise((resolve) => setImmediate(resolve));
    thirdIsThere.resolve();
    expect((await third).status.state).toBe(TaskState.COMPLETED);
    expect(historyOf(await second)).toContain('second');
    expect(runs).toEqual(['first', 'second', 'third']);
    stay.resolve();
    await watcher.over;
  });

  it('with queue: a run without an end completes the task when no slot is free for who waits', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { followUps: 'queue', executorMaxSize: 1, executorQueueCapacity: 0 },
      execute: async (_, emitter) => {
        await emitter.addArtifact('work');
        await go.promise;
      },
    });
    const task = await agent.begin('one');
    const second = agent.send('two', { taskId: task.id });
    await new Promise((resolve) => setImmediate(resolve));
    go.resolve();
    await expect(second).rejects.toBeInstanceOf(UnavailableError);
    await agent.untilIdle();
    expect((await agent.get(task.id)).status.state).toBe(TaskState.COMPLETED);
  });

  it('with queue: the run keeps the asynchronous context of its sender', async () => {
    const storage = new AsyncLocalStorage<string>();
    const go = deferred<void>();
    const seen: (string | undefined)[] = [];
    const agent = agents.make({
      settings: { followUps: 'queue' },
      execute: async ({ task }, emitter) => {
        seen.push(storage.getStore());
        await emitter.working();
        if (task === undefined) await go.promise;
      },
    });
    const task = await storage.run('first sender', () => agent.begin('one'));
    const second = storage.run('second sender', () => agent.send('two', { taskId: task.id }));
    await new Promise((resolve) => setImmediate(resolve));
    go.resolve();
    await second;
    expect(seen).toEqual(['first sender', 'second sender']);
  });
});

describe('Follow-up to a waiting task', () => {
  it('sets WORKING as a numbered event, before the run begins', async () => {
    const go = deferred<void>();
    const states: (string | undefined)[] = [];
    const agent = agents.make({
      execute: async ({ task }, emitter) => {
        if (task === undefined) return emitter.requireInput('which?');
        states.push(task.status.state);
        await go.promise;
        await emitter.complete('thanks');
      },
    });
    const asked = await agent.sendForTask('hi');
    const watcher = await agent.subscribe(asked.id);
    const answer = await agent.stream('this', { taskId: asked.id });
    await answer.count(1);
    go.resolve();
    await Promise.all([watcher.over, answer.over]);
    expect(watcher.words).toEqual(['task TASK_STATE_INPUT_REQUIRED', TaskState.WORKING, TaskState.COMPLETED]);
    expect(watcher.sequences).toEqual([2, 3, 4]);
    // No answer shows the old interrupted status.
    expect(answer.words).toEqual(['task TASK_STATE_WORKING', TaskState.COMPLETED]);
    expect(states).toEqual([TaskState.WORKING]);
  });

  it('moves the status message, then the user message into the history', async () => {
    const agent = agents.make({ execute: asking });
    const asked = await agent.sendForTask('hi');
    expect(historyOf(asked)).toEqual(['hi']);
    const answered = await agent.sendForTask('this', { taskId: asked.id });
    expect(historyOf(answered)).toEqual(['hi', 'which?', 'this']);
    expect(answered.history?.map((message) => message.taskId)).toEqual([asked.id, asked.id, asked.id]);
    expect(answered.history?.map((message) => message.contextId)).toEqual(Array(3).fill(asked.contextId));
    expect(artifactsOf(answered)).toEqual(['got this']);
  });

  it('is never refused when it comes at once (P56: 200 rounds)', async () => {
    const agent = agents.make({
      execute: async ({ text }, emitter) => (text === 'end' ? emitter.complete() : emitter.requireInput('more?')),
    });
    let task = await agent.sendForTask('begin');
    for (let round = 0; round < 200; round++) task = await agent.sendForTask(`m${round}`, { taskId: task.id });
    expect(task.status.state).toBe(TaskState.INPUT_REQUIRED);
    expect(task.history).toHaveLength(401);
    await agent.sendForTask('end', { taskId: task.id });
    await agent.untilIdle();
    expect(agent.observer.reports).toHaveLength(202);
  });

  it('claims the run atomically: 20 at once make exactly one (P55)', async () => {
    const runs: string[] = [];
    const go = deferred<void>();
    const agent = agents.make({
      store: new CopyingStore(5),
      execute: async ({ task, text }, emitter) => {
        if (task === undefined) return emitter.requireInput('which?');
        runs.push(text);
        await go.promise;
        await emitter.complete();
      },
    });
    const { id } = await agent.sendForTask('hi');
    const answers = Array.from({ length: 20 }, (_, n): Promise<SendMessageResponse> => {
      return agent.send(`m${n}`, { taskId: id, configuration: { returnImmediately: true } });
    });
    expect(await refusals(answers)).toHaveLength(19);
    go.resolve();
    await agent.untilIdle();
    expect(runs).toHaveLength(1);
    expect((await agent.get(id)).history).toHaveLength(3);
  });

  it('gives the run its task with everything in it', async () => {
    const agent = agents.make({
      execute: async ({ task, message }, emitter) => {
        if (task === undefined) {
          await emitter.addArtifact('first', { artifactId: 'a' });
          return emitter.requireInput('which?');
        }
        expect(task.history?.at(-1)).toEqual(message);
        await emitter.addArtifact(` and ${artifactsOf(task).join()}`, { artifactId: 'a', append: true });
        await emitter.complete();
      },
    });
    const { id } = await agent.sendForTask('hi');
    expect(artifactsOf(await agent.sendForTask('this', { taskId: id }))).toEqual(['first and first']);
  });

  it('after requireInput the run may emit nothing more', async () => {
    const codes: unknown[] = [];
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.requireInput('which?');
        await emitter.addArtifact('still here').catch((error: { code: string }) => codes.push(error.code));
      },
    });
    const task = await agent.sendForTask('hi');
    await agent.untilIdle();
    expect(codes).toEqual(['RUN_ENDED']);
    expect(await agent.get(task.id)).toEqual(task);
  });
});

describe('Follow-up to a task that waits for a credential', () => {
  it('goes into context.messages while the run lives', async () => {
    const runs: string[] = [];
    const agent = agents.make({
      execute: async ({ text, messages }, emitter) => {
        runs.push(text);
        await emitter.requireAuth('token?');
        for await (const message of messages) {
          if (textOf(message) === 'secret') break;
          await emitter.requireAuth('another token?');
        }
        await emitter.complete('in');
      },
    });
    const asked = await agent.sendForTask('hi');
    expect(asked.status.state).toBe(TaskState.AUTH_REQUIRED);
    const again = await agent.sendForTask('guess', { taskId: asked.id });
    expect(textOf(again.status.message)).toBe('another token?');
    const done = await agent.sendForTask('secret', { taskId: asked.id });
    expect(done.status.state).toBe(TaskState.COMPLETED);
    expect(historyOf(done)).toEqual(['hi', 'token?', 'guess', 'another token?', 'secret']);
    expect(runs).toEqual(['hi']);
  });

  it('starts a new run when none lives; the library never leaves AUTH_REQUIRED on its own', async () => {
    const states: unknown[] = [];
    const agent = agents.make({
      execute: async ({ task }, emitter) => {
        if (task === undefined) return emitter.requireAuth('token?');
        states.push(task.status.state);
        await emitter.complete('in');
      },
    });
    const asked = await agent.sendForTask('hi');
    await agent.untilIdle();
    const done = await agent.sendForTask('secret', { taskId: asked.id });
    expect(states).toEqual([TaskState.AUTH_REQUIRED]);
    expect(historyOf(done)).toEqual(['hi', 'token?', 'secret']);
  });

  it('has a run of its own when the live run returns without having read it', async () => {
    const go = deferred<void>();
    const runs: string[] = [];
    const agent = agents.make({
      execute: async ({ text, task, messages }, emitter) => {
        runs.push(text);
        if (task === undefined) {
          await emitter.requireAuth('token?');
          return void (await go.promise);
        }
        for await (const message of messages) {
          await emitter.complete(`${text} and ${textOf(message)}`);
        }
      },
    });
    const asked = await agent.sendForTask('hi');
    const first = agent.sendForTask('secret', { taskId: asked.id });
    const second = agent.sendForTask('more', { taskId: asked.id });
    await new Promise((resolve) => setImmediate(resolve));
    go.resolve();
    expect(textOf((await first).status.message)).toBe('secret and more');
    expect((await second).status.state).toBe(TaskState.COMPLETED);
    expect(runs).toEqual(['hi', 'secret']);
  });
});

describe('Message that names a task', () => {
  it.each([
    [
      'a finished task',
      UnsupportedOperationError,
      async (agent: InProcessAgent) => (await agent.sendForTask('end')).id,
    ],
    ['an unknown task', TaskNotFoundError, async () => 'no-such-task'],
  ])('%s: refused', async (_, error, idOf) => {
    const agent = agents.make({ execute: (__, emitter) => emitter.complete() });
    const taskId = await idOf(agent);
    const before = await agent.countStored();
    await expect(agent.send('hi', { taskId })).rejects.toBeInstanceOf(error);
    await expect(agent.stream('hi', { taskId })).rejects.toBeInstanceOf(error);
    expect(await agent.countStored()).toBe(before);
  });

  it('with another contextId: -32602; a missing one is taken from the task', async () => {
    const agent = agents.make({ execute: asking });
    const asked = await agent.sendForTask('hi', { contextId: 'ours' });
    expect(asked.contextId).toBe('ours');
    const wrong = agent.send('this', { taskId: asked.id, contextId: 'theirs' });
    await expect(wrong).rejects.toBeInstanceOf(InvalidParamsError);
    expect((await agent.get(asked.id)).status.state).toBe(TaskState.INPUT_REQUIRED);
    const answered = await agent.sendForTask('this', { taskId: asked.id });
    expect(answered.contextId).toBe('ours');
    expect(answered.history?.at(-1)?.contextId).toBe('ours');
  });

  it('is refused when the task has no room for it, and the task stays as it is', async () => {
    const agent = agents.make({ execute: asking, settings: { maxTaskBytes: 200 } });
    const asked = await agent.sendForTask('hi');
    const large = agent.send('x'.repeat(300), { taskId: asked.id });
    await expect(large).rejects.toBeInstanceOf(ResourceExhaustedError);
    expect(await agent.get(asked.id)).toEqual(asked);
    expect(agent.scheduler.gauges()).toEqual({ running: 0, queued: 0 });
  });

  it('is refused with the task unchanged when no slot is free', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { executorMaxSize: 1, executorQueueCapacity: 0 },
      execute: async ({ text }, emitter) => {
        if (text === 'hi') return emitter.requireInput('which?');
        await go.promise;
        await emitter.complete();
      },
    });
    const asked = await agent.sendForTask('hi');
    await agent.untilIdle();
    const other = agent.send('busy');
    await new Promise((resolve) => setImmediate(resolve));
    await expect(agent.send('this', { taskId: asked.id })).rejects.toBeInstanceOf(UnavailableError);
    expect(await agent.get(asked.id)).toEqual(asked);
    go.resolve();
    await other;
  });
});
