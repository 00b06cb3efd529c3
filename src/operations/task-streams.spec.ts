import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  InternalError,
  ResourceExhaustedError,
  TaskNotFoundError,
  TaskState,
  UnsupportedOperationError,
} from 'nestjs-a2a/protocol';
import { CopyingStore } from '../../test/support/copying-store.js';
import { AgentsUnderTest, artifactsOf, requestOf, textOf, type Execute } from '../../test/support/in-process-agent.js';
import type { RxJsTaskEventBus } from '../events/rxjs-task-event-bus.js';
import { deferred } from '../execution/deferred.js';
import { InMemoryTaskStore } from '../tasks/in-memory-task-store.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

const instant: Execute = async (_, emitter) => {
  await emitter.text('a');
  await emitter.complete();
};

describe('Stream of a message', () => {
  it.each([
    ['with a replay window', 60],
    ['without one', 0],
  ])('an instant agent: no hang, the end seen each time (P27: 500 rounds, %s)', async (_, replayGraceSeconds) => {
    const agent = agents.make({ execute: instant, settings: { replayGraceSeconds } });
    for (let round = 0; round < 500; round++) {
      const stream = await agent.stream('hi');
      await stream.over;
      expect(stream.error).toBeUndefined();
      expect(stream.words.at(0)).toMatch(/^task /);
      expect(stream.words.at(-1)).toMatch(/TASK_STATE_COMPLETED$/);
    }
    agent.bus.onApplicationShutdown();
  });

  it.each([
    [0, 'without a replay window'],
    [60, 'with one'],
  ])('read only after the end (grace %i s), %s: every event', async (replayGraceSeconds) => {
    const agent = agents.make({ execute: instant, settings: { replayGraceSeconds } });

    const frames = await agent.handler.sendStreamingMessage(requestOf('hi'), agent.call());
    await agent.untilIdle();
    const { tasks } = await agent.handler.listTasks({}, agent.call());
    expect(tasks[0]?.status.state).toBe(TaskState.COMPLETED);
    const seen: number[] = [];
    let over = false;
    frames.subscribe({ next: ({ sequence = 0 }) => seen.push(sequence), complete: () => (over = true) });
    expect(over).toBe(true);
    expect(seen).toEqual([1, 2, 3]);
    agent.bus.onApplicationShutdown();
  });

  it.each([
    [true, ['task TASK_STATE_SUBMITTED', TaskState.INPUT_REQUIRED]],
    [false, ['task TASK_STATE_SUBMITTED', TaskState.INPUT_REQUIRED, TaskState.WORKING, TaskState.COMPLETED]],
  ])('at INPUT_REQUIRED: closes, if closeStreamOnInputRequired is %s', async (closeStreamOnInputRequired, words) => {
    const agent = agents.make({
      settings: { closeStreamOnInputRequired },
      execute: ({ task }, emitter) => (task ? emitter.complete() : emitter.requireInput('which?')),
    });
    const stream = await agent.stream('hi');
    await stream.count(2);
    if (closeStreamOnInputRequired) await stream.over;
    const [task] = (await agent.handler.listTasks({}, agent.call())).tasks;
    await agent.send('this', { taskId: task?.id });
    await stream.over;
    expect(stream.words).toEqual(words);
  });

  it('at INPUT_REQUIRED of the run before: stays open for the message that waits for its turn', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { followUps: 'queue' },
      execute: async ({ task }, emitter) => {
        if (!task) await go.promise;
        await emitter.requireInput(task ? 'and now?' : 'which?');
      },
    });
    const { id } = await agent.begin('hi');
    const stream = await agent.stream('this', { taskId: id });
    go.resolve();
    await stream.over;
    const asks = TaskState.INPUT_REQUIRED;
    expect(stream.words).toEqual(['task TASK_STATE_SUBMITTED', asks, TaskState.WORKING, asks]);
  });

  it('at INPUT_REQUIRED after more events than are kept: is the task as it is', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        for (let n = 0; n < 4_200; n++) await emitter.text('.');
        await emitter.requireInput('which?');
      },
    });
    const frames = await agent.handler.sendStreamingMessage(requestOf('hi'), agent.call());
    await agent.untilIdle();
    const words: string[] = [];
    let over = false;
    frames.subscribe({ next: ({ json }) => words.push(json.slice(0, 7)), complete: () => (over = true) });
    expect([words, over]).toEqual([['{"task"'], true]);
  });

  it('at AUTH_REQUIRED: stays open, as a subscription does', async () => {
    const agent = agents.make({
      execute: async ({ messages }, emitter) => {
        await emitter.requireAuth('token?');
        for await (const message of messages) return emitter.complete(textOf(message));
      },
    });
    const stream = await agent.stream('hi');
    await stream.count(2);
    const [task] = (await agent.handler.listTasks({}, agent.call())).tasks;
    const subscription = await agent.subscribe(task?.id ?? '');
    await agent.send('secret', { taskId: task?.id });
    await Promise.all([stream.over, subscription.over]);
    expect(stream.words.slice(1)).toEqual([TaskState.AUTH_REQUIRED, TaskState.COMPLETED]);
    expect(subscription.words).toEqual(['task TASK_STATE_AUTH_REQUIRED', TaskState.COMPLETED]);
  });

  it('a reader that leaves stops nothing, and leaves nothing behind (P25)', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.text('a');
        await go.promise;
        await emitter.text('b');
        await emitter.complete();
      },
    });
    const stream = await agent.stream('hi');
    await stream.count(2);
    const [payload] = stream.payloads;
    const id = payload && 'task' in payload ? payload.task.id : '';
    stream.leave();
    expect(agent.diagnostics.gauges()).toMatchObject({ readers: 0, busSubscribers: 0 });
    const again = await agent.subscribe(id);
    go.resolve();
    await again.over;
    expect(again.words).toEqual(['task TASK_STATE_SUBMITTED', 'artifact b', TaskState.COMPLETED]);
    expect(artifactsOf(await agent.get(id))).toEqual(['ab']);
  });
});

describe('Subscription', () => {
  it('first the task as it is, then every event, to the end', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working();
        await emitter.text('a');
        await go.promise;
        await emitter.text('b');
        await emitter.complete();
      },
    });
    const { id } = await agent.begin('hi');
    await new Promise((resolve) => setImmediate(resolve));
    const reader = await agent.subscribe(id);
    expect(reader.words).toEqual(['task TASK_STATE_WORKING']);
    const [first] = reader.payloads;
    expect(first && 'task' in first && artifactsOf(first.task)).toEqual(['a']);
    go.resolve();
    await reader.over;
    expect(reader.words.slice(1)).toEqual(['artifact b', TaskState.COMPLETED]);
    expect(reader.sequences).toEqual([3, 4, 5]);
  });

  it('stays open at INPUT_REQUIRED, without a run (P26)', async () => {
    const agent = agents.make({
      execute: ({ task }, emitter) => (task ? emitter.complete() : emitter.requireInput('which?')),
    });
    const { id } = await agent.sendForTask('hi');
    await agent.untilIdle();
    const reader = await agent.subscribe(id);
    expect(reader.words).toEqual(['task TASK_STATE_INPUT_REQUIRED']);
    await agent.send('this', { taskId: id });
    await reader.over;
    expect(reader.words.slice(1)).toEqual([TaskState.WORKING, TaskState.COMPLETED]);
  });

  it('to a finished task: -32004; to an unknown one: -32001', async () => {
    const agent = agents.make({ execute: instant });
    const { id } = await agent.sendForTask('hi');
    await expect(agent.subscribe(id)).rejects.toBeInstanceOf(UnsupportedOperationError);
    await expect(agent.subscribe('nowhere')).rejects.toBeInstanceOf(TaskNotFoundError);
  });

  it('while the task ends: it is told the end, or refused; it never hangs', async () => {
    const store = new CopyingStore(5);
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const go = deferred<void>();
      const agent = agents.make({
        store,
        execute: async (_, emitter) => {
          await emitter.working();
          await go.promise;
          await emitter.complete();
        },
      });
      const { id } = await agent.begin('hi');
      go.resolve();
      if (round % 2) await new Promise((resolve) => setTimeout(resolve, round / 2));
      try {
        const reader = await agent.subscribe(id);
        await reader.over;
        expect(reader.words.at(-1)).toMatch(/COMPLETED$/);
        outcomes.add('told');
      } catch (error) {
        expect(error).toBeInstanceOf(UnsupportedOperationError);
        outcomes.add('refused');
      }
      await agents.expectIdle();
    }
    expect(outcomes).toContain('told');
  });

  it('the 65th of one task: 429; a place is free when one leaves', async () => {
    const agent = agents.make({ execute: (_, emitter) => emitter.requireInput('which?') });
    const { id } = await agent.sendForTask('hi');
    const readers = await Promise.all(Array.from({ length: 64 }, () => agent.subscribe(id)));
    await expect(agent.subscribe(id)).rejects.toBeInstanceOf(ResourceExhaustedError);
    readers.pop()?.leave();
    readers.push(await agent.subscribe(id));
    for (const reader of readers) reader.leave();
    expect(agent.diagnostics.gauges()).toMatchObject({ readers: 0, busSubscribers: 0 });
  });

  it('a store that fails ends it with one error', async () => {
    const go = deferred<void>();
    class Broken extends InMemoryTaskStore {
      override save(): never {
        throw new Error('the disk is full');
      }
    }
    const agent = agents.make({
      store: new Broken(),
      execute: async (_, emitter) => {
        await emitter.working();
        await go.promise;
        await emitter.complete();
      },
    });
    const { id } = await agent.begin('hi');
    const reader = await agent.subscribe(id);
    go.resolve();
    await reader.over;
    expect(reader.error).toBeInstanceOf(InternalError);
    expect(reader.words).toEqual(['task TASK_STATE_WORKING']);
  });
});

describe('Subscription with Last-Event-ID', () => {
  function agentOf(replayGraceSeconds: number) {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { replayGraceSeconds },
      execute: async (_, emitter) => {
        for (const chunk of ['a', 'b', 'c']) await emitter.text(chunk);
        await go.promise;
        await emitter.text('d');
        await emitter.complete();
      },
    });
    return { agent, go };
  }

  it('only what was missed, no task before it (P30)', async () => {
    const { agent, go } = agentOf(60);
    const stream = await agent.stream('hi');
    await stream.count(4);
    const [payload] = stream.payloads;
    const id = payload && 'task' in payload ? payload.task.id : '';
    const resumed = await agent.subscribe(id, {}, 2);
    go.resolve();
    await resumed.over;
    expect(resumed.words).toEqual(['artifact b', 'artifact c', 'artifact d', TaskState.COMPLETED]);
    expect(resumed.sequences).toEqual([3, 4, 5, 6]);
    await stream.over;
    // It works on a finished task too, for replayGraceSeconds.
    const late = await agent.subscribe(id, {}, 5);
    await late.over;
    expect(late.words).toEqual([TaskState.COMPLETED]);
    // Who has seen the end has missed nothing.
    await expect(agent.subscribe(id, {}, 6)).rejects.toBeInstanceOf(UnsupportedOperationError);
    agent.bus.onApplicationShutdown();
  });

  it('a number that was never given: as on any subscribe', async () => {
    const { agent, go } = agentOf(60);
    const { id } = await agent.begin('hi');
    await new Promise((resolve) => setImmediate(resolve));
    const reader = await agent.subscribe(id, {}, 99);
    expect(reader.words).toEqual(['task TASK_STATE_SUBMITTED']);
    go.resolve();
    await reader.over;
    agent.bus.onApplicationShutdown();
  });

  it('the window has passed: a fresh task, and -32004 on a finished one', async () => {
    const { agent, go } = agentOf(0);
    const { id } = await agent.begin('hi');
    go.resolve();
    await agent.untilIdle();
    await expect(agent.subscribe(id, {}, 2)).rejects.toBeInstanceOf(UnsupportedOperationError);
    const waiting = agents.make({ execute: (_, emitter) => emitter.requireInput('which?') });
    const asked = await waiting.sendForTask('hi');
    await waiting.untilIdle();
    const reader = await waiting.subscribe(asked.id, {}, 1);
    expect(reader.words).toEqual(['task TASK_STATE_INPUT_REQUIRED']);
    reader.leave();
  });
});

describe('Event', () => {
  it('is serialised once, however many readers it has (law 7)', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working();
        await go.promise;
        await emitter.text('a');
        await emitter.complete();
      },
    });
    const { id } = await agent.begin('hi');
    const readers = await Promise.all([1, 2, 3].map(() => agent.subscribe(id)));
    go.resolve();
    await Promise.all(readers.map((reader) => reader.over));
    const [one, two, three] = readers.map((reader) => reader.frames[1]);
    expect(one).toBeDefined();
    expect(two).toBe(one);
    expect(three).toBe(one);
  });
});

describe('Events of a task', () => {
  const published = (bus: RxJsTaskEventBus): number[] => {
    const seen: number[] = [];
    jest.spyOn(bus, 'publish').mockImplementation((_key, { sequence }) => void seen.push(sequence));
    return seen;
  };

  it('are not made for nobody', async () => {
    const agent = agents.make({ execute: instant });
    const seen = published(agent.bus);
    expect((await agent.sendForTask('hi')).status.state).toBe(TaskState.COMPLETED);
    expect(seen).toEqual([]);
  });

  it('are made from the first reader on, who gets the task as it is', async () => {
    const agent = agents.make({
      execute: ({ task }, emitter) => (task ? emitter.complete() : emitter.requireInput('which?')),
    });
    const { id } = await agent.sendForTask('hi');
    const stream = await agent.subscribe(id);
    await agent.sendForTask('this', { taskId: id });
    await stream.over;
    expect(stream.words).toEqual(['task TASK_STATE_INPUT_REQUIRED', TaskState.WORKING, TaskState.COMPLETED]);
  });
});
