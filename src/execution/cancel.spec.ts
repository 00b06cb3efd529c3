import { afterEach, describe, expect, it } from '@jest/globals';
import { TaskNotCancelableError, TaskNotFoundError, TaskState, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { CopyingStore } from '../../test/support/copying-store.js';
import { AgentsUnderTest, textOf, type Execute } from '../../test/support/in-process-agent.js';
import type { AgentOutput } from '../agent/agent-output.js';
import type { AgentEmitterError } from '../agent/agent-emitter.error.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';
import { deferred } from './deferred.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Works until it is told to stop. */
const obedient: Execute = async ({ signal }, emitter) => {
  await emitter.working('at it');
  await whenAborted(signal);
  signal.throwIfAborted();
};

describe('Cancel', () => {
  it('a running task: the signal is aborted, the task CANCELED', async () => {
    const agent = agents.make({ execute: obedient });
    const task = await agent.begin('hi');
    const stream = await agent.subscribe(task.id);
    const canceled = await agent.cancel(task.id);
    await stream.over;
    expect(canceled.status.state).toBe(TaskState.CANCELED);
    expect(stream.words.at(-1)).toBe(TaskState.CANCELED);
    expect(await agent.stored(task.id)).toEqual(canceled);
    expect(agent.logs).toEqual([]);
  });

  it('a run that waits for more messages: the iteration ends with the signal', async () => {
    let read = 0;
    const agent = agents.make({
      settings: { followUps: 'steer', cancelGraceSeconds: 60 },
      execute: async ({ messages }, emitter) => {
        await emitter.working();
        for await (const message of messages) if (message.messageId !== '') read++;
      },
    });
    const task = await agent.begin('hi');
    await agent.begin('more', { taskId: task.id });
    expect((await agent.cancel(task.id)).status.state).toBe(TaskState.CANCELED);
    expect(read).toBe(1);
  });

  it('a queued task, before its run started: the executor is never called', async () => {
    const go = deferred<void>();
    const runs: string[] = [];
    const agent = agents.make({
      settings: { executorMaxSize: 1, taskCreationDelayMs: 1 },
      execute: async ({ text }, emitter) => {
        runs.push(text);
        await go.promise;
        await emitter.complete();
      },
    });
    const first = agent.send('first');
    const second = await agent.begin('second');
    expect((await agent.cancel(second.id)).status.state).toBe(TaskState.CANCELED);
    expect(agent.diagnostics.gauges()).toMatchObject({ runsLive: 1, runsQueued: 0 });
    go.resolve();
    await first;
    expect(runs).toEqual(['first']);
  });

  it.each([
    ['requireInput', TaskState.INPUT_REQUIRED],
    ['requireAuth', TaskState.AUTH_REQUIRED],
  ] as const)('a waiting task, its run over: %s', async (method, state) => {
    const agent = agents.make({ execute: (_, emitter) => emitter[method]('which?') });
    const { id } = await agent.sendForTask('hi');
    await agent.untilIdle();
    expect((await agent.get(id)).status.state).toBe(state);
    const canceled = await agent.cancel(id);
    expect(canceled.status.state).toBe(TaskState.CANCELED);
    expect(canceled.history?.map(textOf)).toEqual(['hi', 'which?']);
  });

  it.each(['requireInput', 'requireAuth'] as const)('a waiting task, its run alive: %s', async (method) => {
    const agent = agents.make({
      execute: async ({ signal }, emitter) => {
        await emitter[method]('which?');
        await whenAborted(signal);
      },
    });
    const { id } = await agent.sendForTask('hi');
    expect((await agent.cancel(id)).status.state).toBe(TaskState.CANCELED);
  });

  it('a detached task', async () => {
    let signal: AbortSignal | undefined;
    const agent = agents.make({
      execute: async (context, emitter) => {
        signal = context.signal;
        await emitter.working();
        emitter.detach();
      },
    });
    const { id } = await agent.begin('hi');
    expect((await agent.cancel(id)).status.state).toBe(TaskState.CANCELED);
    expect(signal?.aborted).toBe(true);
  });

  it('a detached task, whose hook has the last word before the end', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working();
        emitter.detach();
      },
      cancel: async (_, emitter) => {
        await new Promise((resolve) => setImmediate(resolve));
        await emitter.addArtifact('what there was');
      },
    });
    const { id } = await agent.begin('hi');
    const canceled = await agent.cancel(id);
    expect(canceled.status.state).toBe(TaskState.CANCELED);
    expect(canceled.artifacts).toHaveLength(1);
  });

  it('a stubborn run: forced after cancelGraceSeconds, and muted', async () => {
    const go = deferred<void>();
    const codes: string[] = [];
    const agent = agents.make({
      settings: { cancelGraceSeconds: 0.02 },
      execute: async (_, emitter) => {
        await emitter.working();
        await go.promise;
        await emitter.text('late').catch((error: AgentEmitterError) => codes.push(error.code));
        await emitter.complete().catch((error: AgentEmitterError) => codes.push(error.code));
      },
    });
    const { id } = await agent.begin('hi');
    const canceled = await agent.cancel(id);
    expect(canceled.status.state).toBe(TaskState.CANCELED);
    // Its slot is free although it still runs.
    await agent.untilIdle();
    expect(agent.diagnostics.gauges()).toMatchObject({ runsRunning: 0, runsLive: 0 });
    expect(agent.logs).toEqual([
      `warn: Task ${id}: the executor does not stop; its run is given up. Heed context.signal`,
    ]);
    go.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes).toEqual(['TASK_ENDED', 'TASK_ENDED']);
    expect(await agent.get(id)).toEqual(canceled);
  });

  it('gives the hook the metadata and the caller who cancels', async () => {
    const seen: unknown[] = [];
    const agent = agents.make({
      execute: obedient,
      cancel: ({ metadata, taskId, signal, text, call }) => {
        seen.push(metadata, taskId, signal.aborted, text, call.user.id);
      },
    });
    const { id } = await agent.begin('hi', { user: 'ann', metadata: { of: 'send' } });
    await agent.cancel(id, { user: 'ann', metadata: { why: 'too slow' } });
    expect(seen).toEqual([{ why: 'too slow' }, id, true, 'hi', 'ann']);
  });

  it('a hook that fails is logged and changes nothing', async () => {
    const agent = agents.make({ execute: obedient, cancel: () => Promise.reject(new Error('hook')) });
    const { id } = await agent.begin('hi');
    expect((await agent.cancel(id)).status.state).toBe(TaskState.CANCELED);
    expect(agent.logs).toHaveLength(1);
  });

  it('the hook may end the task itself: the caller is told when that is no cancel', async () => {
    const agent = agents.make({
      execute: obedient,
      cancel: (_, emitter) => emitter.complete('was done already'),
    });
    const { id } = await agent.begin('hi');
    await expect(agent.cancel(id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    expect((await agent.get(id)).status.state).toBe(TaskState.COMPLETED);
  });

  it.each(['reject', 'queue', 'steer'] as const)(
    'a task that is being canceled takes no message (%s)',
    async (followUps) => {
      const runs: string[] = [];
      const agent = agents.make({
        settings: { followUps },
        execute: async ({ text, signal }, emitter) => {
          runs.push(text);
          await emitter.working();
          await whenAborted(signal);
          // The free task must not be taken by anybody else before the cancel is through.
          await emitter.requireInput('really?');
        },
      });
      const { id } = await agent.begin('hi');
      const early = followUps === 'queue' ? agent.send('early', { taskId: id }) : undefined;
      await new Promise((resolve) => setImmediate(resolve));
      const canceled = agent.cancel(id);
      const late = agent.send('late', { taskId: id });
      await expect(late).rejects.toBeInstanceOf(UnsupportedOperationError);
      if (early) await expect(early).rejects.toBeInstanceOf(UnsupportedOperationError);
      expect((await canceled).status.state).toBe(TaskState.CANCELED);
      await agent.untilIdle();
      expect(runs).toEqual(['hi']);
    },
  );

  it('twice one after the other: the same task, no error (P61)', async () => {
    const agent = agents.make({ execute: obedient });
    const { id } = await agent.begin('hi');
    const first = await agent.cancel(id);
    expect(await agent.cancel(id)).toEqual(first);
  });

  it('twice at once: one hook, one end, the same answer', async () => {
    let hooks = 0;
    const agent = agents.make({ execute: obedient, cancel: () => void hooks++ });
    const { id } = await agent.begin('hi');
    const [first, second] = await Promise.all([agent.cancel(id), agent.cancel(id)]);
    expect(second).toEqual(first);
    expect(hooks).toBe(1);
  });

  it.each([
    ['complete', TaskState.COMPLETED],
    ['fail', TaskState.FAILED],
    ['reject', TaskState.REJECTED],
  ] as const)('a task that has ended otherwise is refused: %s', async (method, state) => {
    const agent = agents.make({ execute: (_, emitter) => emitter[method]() });
    const { id } = await agent.sendForTask('hi');
    await expect(agent.cancel(id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    expect((await agent.get(id)).status.state).toBe(state);
  });

  it('an unknown task, and a direct message, which never was one', async () => {
    const ids: string[] = [];
    const agent = agents.make({
      execute: async ({ taskId }, emitter) => {
        ids.push(taskId);
        await emitter.sendMessage('hello');
      },
    });
    await agent.send('hi');
    for (const id of ['nowhere', ...ids]) {
      await expect(agent.cancel(id)).rejects.toBeInstanceOf(TaskNotFoundError);
    }
  });
});

describe('Cancel that the agent refuses', () => {
  const forms: [string, Execute][] = [
    [
      'async function',
      async ({ messages }, emitter) => {
        await emitter.working();
        for await (const message of messages) return emitter.complete(textOf(message));
      },
    ],
    [
      'detached work',
      async ({ messages }, emitter) => {
        await emitter.working();
        emitter.detach();
        void (async () => {
          for await (const message of messages) return emitter.complete(textOf(message));
        })();
      },
    ],
    [
      'generator',
      async function* ({ messages }): AsyncGenerator<AgentOutput> {
        yield { state: TaskState.WORKING };
        for await (const message of messages) {
          yield 'not lost';
          yield { state: TaskState.COMPLETED, message: textOf(message) };
          return;
        }
      },
    ],
  ];

  it.each(forms)('%s: the caller gets -32002, and the run goes on', async (_, execute) => {
    let refusals = 0;
    const agent = agents.make({
      settings: { followUps: 'steer' },
      execute,
      cancel: async ({ taskId }) => {
        await new Promise((resolve) => setImmediate(resolve));
        refusals++;
        throw new TaskNotCancelableError(taskId);
      },
    });
    const { id } = await agent.begin('hi');
    await expect(agent.cancel(id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    expect((await agent.get(id)).status.state).toBe(TaskState.WORKING);
    await expect(agent.cancel(id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    expect(refusals).toBe(2);
    const done = await agent.sendForTask('end', { taskId: id });
    expect([done.status.state, textOf(done.status.message)]).toEqual([TaskState.COMPLETED, 'end']);
  });
});

describe('Cancel at the same time as the end (P63)', () => {
  it.each([
    ['in memory', 200, () => new InMemoryTaskStore()],
    ['a copying store', 200, () => new CopyingStore(0)],
    ['a slow copying store', 5, () => new CopyingStore(10)],
  ])('%s, %i rounds: one end, on which the store, readers and answers agree', async (_, rounds, storeOf) => {
    const ends = new Set<string>();
    const store = storeOf();
    for (let round = 0; round < rounds; round++) {
      const go = deferred<void>();
      const agent = agents.make({
        store,
        execute: async (__, emitter) => {
          await emitter.working();
          await go.promise;
          for (let tick = 0; tick < round % 7; tick++) await Promise.resolve();
          await emitter.complete();
        },
      });
      const { id } = await agent.begin('hi');
      const readers = await Promise.all([agent.subscribe(id), agent.subscribe(id)]);
      const cancels = [agent.cancel(id), agent.cancel(id)];
      for (let tick = 0; tick < round % 11; tick++) await Promise.resolve();
      go.resolve();
      const answers = await Promise.allSettled(cancels);
      await Promise.all(readers.map((reader) => reader.over));
      const stored = await agent.stored(id);
      const state = stored?.status.state ?? 'none';
      ends.add(state);
      for (const reader of readers) {
        expect(reader.error).toBeUndefined();
        expect(reader.words.filter((word) => /COMPLETED|CANCELED/.test(word))).toEqual([state]);
      }
      for (const answer of answers) {
        if (answer.status === 'fulfilled') expect(answer.value).toEqual(stored);
        else expect(answer.reason).toBeInstanceOf(TaskNotCancelableError);
        expect(answer.status).toBe(state === TaskState.CANCELED ? 'fulfilled' : 'rejected');
      }
      await agents.expectIdle();
    }
    for (const end of ends) expect([TaskState.CANCELED, TaskState.COMPLETED]).toContain(end);
  });
});
