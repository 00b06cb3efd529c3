import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { A2AError, isTerminal, TaskState, UnavailableError, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { CopyingStore } from '../../test/support/copying-store.js';
import { always, FailingStore, onlyEnds, type StoreFaults } from '../../test/support/failing-store.js';
import { AgentsUnderTest, artifactsOf, historyOf, type Execute } from '../../test/support/in-process-agent.js';
import { nextMillisecond } from '../../test/support/next-millisecond.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';
import type { TaskSaveResult, TaskStore } from '../tasks/task-store.js';
import { deferred } from './deferred.js';

const agents = new AgentsUnderTest();

afterEach(async () => {
  jest.useRealTimers();
  await agents.expectIdle();
});

const working: Execute = async (_, emitter) => {
  await emitter.working('at it');
  await emitter.addArtifact('work');
  await emitter.complete('done');
};

describe('Store that fails (law 4)', () => {
  const once: [string, StoreFaults][] = [
    ['its first creation', { fails: (_, attempt) => attempt === 1 }],
    ['its first save', { fails: (record, attempt) => record.version > 1 && attempt === 2 }],
    ['the answer to a creation', { losesAnswer: (_, attempt) => attempt === 1 }],
    ['the answer to a save', { losesAnswer: (record, attempt) => record.version > 1 && attempt === 2 }],
    ['the answer to the end', { losesAnswer: (record, attempt) => isTerminal(record.state) && attempt < 3 }],
  ];

  it.each(once)('loses %s: tried again, and nobody notices', async (_, faults) => {
    const store = new FailingStore(faults);
    const agent = agents.make({ store, execute: working });
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.error).toBeUndefined();
    expect(stream.words.at(-1)).toBe(TaskState.COMPLETED);
    expect(stream.sequences).toEqual([1, 2, 3, 4]);
    expect(store.faulty).toBe(1);
    expect(agent.logs).toEqual([]);
  });

  it('for ever: a send is answered by an error, a stream ends with it, and nothing exists', async () => {
    const codes: unknown[] = [];
    const signals: AbortSignal[] = [];
    const store = new FailingStore({ fails: always, error: new UnavailableError('the store is full', 1) });
    const agent = agents.make({
      store,
      execute: async ({ signal }, emitter) => {
        signals.push(signal);
        for (let n = 0; n < 2; n++) {
          await emitter.working().catch((error: { code: string }) => codes.push(error.code));
        }
      },
    });
    await expect(agent.send('hi')).rejects.toBeInstanceOf(UnavailableError);
    await expect(agent.begin('hi')).rejects.toBeInstanceOf(UnavailableError);
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.frames).toEqual([]);
    expect(stream.error).toBeInstanceOf(UnavailableError);
    await agent.untilIdle();
    expect(await agent.countStored()).toBe(0);
    expect(codes).toEqual(Array(6).fill('STORE_FAILED'));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    expect(agent.logs).toHaveLength(3);
  });

  it('for ever, while the caller leaves and time is over: nobody waits without an answer', async () => {
    const caller = new AbortController();
    caller.abort();
    const store = new FailingStore({ fails: always, error: new UnavailableError() });
    const agent = agents.make({ store, settings: { taskCreationDelayMs: 1 }, execute: async () => undefined });
    await expect(agent.send('hi', { signal: caller.signal })).rejects.toBeInstanceOf(UnavailableError);
    const go = deferred<void>();
    const slow = agents.make({ store, settings: { taskCreationDelayMs: 1 }, execute: () => go.promise });
    await expect(slow.begin('hi')).rejects.toBeInstanceOf(UnavailableError);
    go.resolve();
  });

  it('with retries that come to an end: every reader is told, no success is shown', async () => {
    const store = new FailingStore({ fails: (record) => record.version > 1 });
    const agent = agents.make({
      store,
      execute: async (_, emitter) => {
        await emitter.working();
        await emitter.addArtifact('seen, not stored');
        await emitter.complete();
      },
    });
    const sent = agent.send('hi');
    const failure = sent.catch((error: unknown) => error);
    const [record] = (await recordsOf(store)) ?? [];
    const reader = await agent.subscribe(record?.id ?? '');
    await reader.over;
    expect(reader.error).toBeInstanceOf(A2AError);
    expect(reader.words).not.toContain(TaskState.COMPLETED);
    const error = await failure;
    expect(error).toBeInstanceOf(A2AError);
    expect(JSON.stringify(error)).not.toContain('disk');
    expect((await agent.stored(record?.id ?? ''))?.status.state).toBe(TaskState.WORKING);
    // One save, and three more.
    expect(store.attempts).toBe(5);
  });

  it('only at ends: the task stays as it is stored, and can be taken up when the store works again', async () => {
    let broken = true;
    const store = new FailingStore({
      fails: (record) => broken && onlyEnds(record),
      error: new UnavailableError('try later', 1),
    });
    const agent = agents.make({ store, execute: working });
    await expect(agent.send('hi')).rejects.toBeInstanceOf(UnavailableError);
    await agent.untilIdle();
    const [record] = (await store.list({ scope: { agent: '', tenant: '' }, limit: 1 })).records;
    expect(record?.state).toBe(TaskState.WORKING);
    expect(artifactsOf(record?.task ?? { id: '', status: { state: TaskState.FAILED } })).toEqual([]);
    broken = false;
    const canceled = await agent.cancel(record?.id ?? '');
    expect(canceled.status.state).toBe(TaskState.CANCELED);
  });

  it('at a cancel: the caller gets the error, and no run stays behind', async () => {
    const go = deferred<void>();
    let broken = false;
    const store = new FailingStore({ fails: () => broken, error: new UnavailableError() });
    const agent = agents.make({
      store,
      settings: { executorMaxSize: 1, cancelGraceSeconds: 0.01, taskCreationDelayMs: 1 },
      execute: async (_, emitter) => {
        await go.promise;
        await emitter.complete();
      },
    });
    const running = await agent.begin('running');
    const queued = await agent.begin('queued');
    broken = true;
    await expect(agent.cancel(queued.id)).rejects.toBeInstanceOf(UnavailableError);
    await expect(agent.cancel(running.id)).rejects.toBeInstanceOf(UnavailableError);
    await agent.untilIdle();
    expect(agent.executions.size).toBe(0);
    go.resolve();
  });

  it('at a follow-up: the caller gets the error, the slot is given back', async () => {
    let broken = false;
    const store = new FailingStore({ fails: () => broken, error: new UnavailableError() });
    const agent = agents.make({ store, execute: (_, emitter) => emitter.requireInput('which?') });
    const { id } = await agent.sendForTask('hi');
    await agent.untilIdle();
    broken = true;
    await expect(agent.send('this', { taskId: id })).rejects.toBeInstanceOf(UnavailableError);
    expect(agent.scheduler.gauges()).toEqual({ running: 0, queued: 0 });
    expect((await agent.stored(id))?.history).toHaveLength(1);
  });

  it('while the agent does not heed the signal: its slot is free after cancelGraceSeconds', async () => {
    const go = deferred<void>();
    const store = new FailingStore({ fails: always, error: new UnavailableError() });
    const agent = agents.make({
      store,
      settings: { cancelGraceSeconds: 0.01 },
      execute: async (_, emitter) => {
        await emitter.working().catch(() => undefined);
        await go.promise;
      },
    });
    await expect(agent.send('hi')).rejects.toBeInstanceOf(UnavailableError);
    await agent.untilIdle();
    expect(agent.executions.size).toBe(0);
    go.resolve();
  });

  it('by never answering: given up after a limit, tried again, then told', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    class Hanging extends InMemoryTaskStore {
      override save(): Promise<TaskSaveResult> {
        return new Promise(() => undefined);
      }
    }
    const agent = agents.make({ store: new Hanging(), execute: working, settings: { agentTimeoutSeconds: 0 } });
    let failure: unknown;
    void agent.send('hi').catch((error: unknown) => (failure = error));
    // The pauses between attempts pass in real time, the attempts themselves do not.
    while (failure === undefined) {
      await jest.advanceTimersByTimeAsync(10_000);
      await delay(10);
    }
    expect(failure).toBeInstanceOf(A2AError);
    expect(agent.logs[0]).toContain('could not be stored');
  });
});

describe('Another writer', () => {
  /** Lets somebody else write between our run's save of this version and the next. */
  function agentWithRival(store: TaskStore, rivalState: TaskState, saves = 1) {
    const reached = deferred<void>();
    const go = deferred<void>();
    const agent = agents.make({
      store,
      settings: { reconciliationTimeoutSeconds: 0.1 },
      execute: async (_, emitter) => {
        await emitter.working();
        await emitter.text('ours');
        reached.resolve();
        await go.promise;
        await emitter.complete('ours');
      },
    });
    const write = async (id: string): Promise<void> => {
      for (let n = 0; n < saves; n++) {
        const record = await store.get({ agent: '', tenant: '' }, id);
        if (record === undefined) throw new Error('There is no such task');
        const state = n === saves - 1 ? rivalState : TaskState.WORKING;
        const next = record.snapshot.withStatus({ state, at: Date.now(), bytes: 0 });
        await store.save(record.next(next), record.version);
      }
    };
    return { agent, reached, go, write };
  }

  it.each([
    ['in memory', () => new InMemoryTaskStore()],
    ['a copying store', () => new CopyingStore(5)],
  ])('ended the task: that end holds, for readers and callers too (%s)', async (_, storeOf) => {
    const store = storeOf();
    const { agent, reached, go, write } = agentWithRival(store, TaskState.FAILED);
    const { id } = await agent.begin('hi');
    await reached.promise;
    const reader = await agent.subscribe(id);
    await write(id);
    go.resolve();
    await reader.over;
    expect(reader.error).toBeUndefined();
    expect(reader.words.at(-1)).toBe(TaskState.FAILED);
    await agent.untilIdle();
    expect((await agent.get(id)).status.state).toBe(TaskState.FAILED);
    expect(agent.logs.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('ended the task with CANCELED while we cancel it: no error', async () => {
    const store = new InMemoryTaskStore();
    const agent = agents.make({ store, execute: (_, emitter) => emitter.requireInput('which?') });
    const { id } = await agent.sendForTask('hi');
    await agent.untilIdle();
    const held = await agent.sessions.open({ agent: '', tenant: '' }, id);
    const record = await store.get({ agent: '', tenant: '' }, id);
    if (record === undefined || held === undefined) throw new Error('There is no such task');
    const next = record.snapshot.withStatus({ state: TaskState.CANCELED, at: Date.now(), bytes: 0 });
    await store.save(record.next(next), record.version);
    expect((await agent.cancel(id)).status.state).toBe(TaskState.CANCELED);
    agent.sessions.release(held);
  });

  it('ended the task before a follow-up came: -32004', async () => {
    const store = new InMemoryTaskStore();
    const agent = agents.make({ store, execute: (_, emitter) => emitter.requireInput('which?') });
    const { id } = await agent.sendForTask('hi');
    await agent.untilIdle();
    const held = await agent.sessions.open({ agent: '', tenant: '' }, id);
    const record = await store.get({ agent: '', tenant: '' }, id);
    if (record === undefined || held === undefined) throw new Error('There is no such task');
    const next = record.snapshot.withStatus({ state: TaskState.COMPLETED, at: Date.now(), bytes: 0 });
    await store.save(record.next(next), record.version);
    await expect(agent.send('this', { taskId: id })).rejects.toBeInstanceOf(UnsupportedOperationError);
    expect(agent.scheduler.gauges()).toEqual({ running: 0, queued: 0 });
    agent.sessions.release(held);
  });

  it('changed the task and did not end it: the run is stopped with an error', async () => {
    const store = new InMemoryTaskStore();
    const { agent, reached, go, write } = agentWithRival(store, TaskState.WORKING);
    const { id } = await agent.begin('hi');
    await reached.promise;
    const reader = await agent.subscribe(id);
    await write(id);
    go.resolve();
    await reader.over;
    expect(reader.error).toBeInstanceOf(A2AError);
    expect((await agent.stored(id))?.status.state).toBe(TaskState.WORKING);
  });

  it('removed the task: the run is stopped with an error', async () => {
    const store = new InMemoryTaskStore();
    const { agent, reached, go } = agentWithRival(store, TaskState.WORKING);
    const { id } = await agent.begin('hi');
    await reached.promise;
    const reader = await agent.subscribe(id);
    await store.delete({ agent: '', tenant: '' }, id);
    go.resolve();
    await reader.over;
    expect(reader.error).toBeInstanceOf(A2AError);
    expect(await agent.countStored()).toBe(0);
  });
});

describe('Copying store (P57)', () => {
  it('gives the same answers as the one in memory', async () => {
    const execute: Execute = async ({ task, text }, emitter) => {
      if (task === undefined) {
        await emitter.addArtifact([{ text: 'a' }, { data: { n: [1, null, 'x'] } }], { artifactId: 'x', name: 'n' });
        await emitter.addArtifact('b', { artifactId: 'x', append: true });
        return emitter.requireInput({ parts: 'which?', metadata: { k: 1 } });
      }
      if (text === 'wait') return emitter.requireAuth('token?');
      await emitter.complete('done');
    };
    const told: unknown[][] = [];
    for (const store of [new InMemoryTaskStore(), new CopyingStore(0), new CopyingStore(50)]) {
      const agent = agents.make({ store, execute });
      const answers: unknown[] = [];
      const asked = await agent.sendForTask('hi');
      answers.push(asked, await agent.get(asked.id));
      const waiting = await agent.sendForTask('wait', { taskId: asked.id });
      answers.push(waiting, await agent.get(asked.id));
      await agent.untilIdle();
      answers.push(await agent.sendForTask('end', { taskId: asked.id }), await agent.get(asked.id));
      // Two tasks of one millisecond are listed by their ids, which are new in each run.
      await nextMillisecond();
      const other = await agent.sendForTask('hi');
      answers.push(await agent.cancel(other.id), await agent.get(other.id));
      answers.push(await agent.handler.listTasks({ includeArtifacts: true }, agent.call()));
      told.push(answers.map(withoutWhatDiffers));
      expect(historyOf(waiting)).toEqual(['hi', 'which?', 'wait']);
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });
});

/** Ids and times are new in each run. */
function withoutWhatDiffers(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key: string, value: unknown) =>
    /^(id|taskId|contextId|messageId|timestamp)$/.test(key) ? `some ${key}` : value,
  );
}

async function recordsOf(store: TaskStore) {
  for (let turn = 0; turn < 1_000; turn++) {
    const { records } = await store.list({ scope: { agent: '', tenant: '' }, limit: 1 });
    if (records.length > 0) return records;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return undefined;
}
