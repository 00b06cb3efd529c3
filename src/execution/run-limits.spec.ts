import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ResourceExhaustedError, TaskState, UnavailableError } from 'nestjs-a2a/protocol';
import { CopyingStore } from '../../test/support/copying-store.js';
import { AgentsUnderTest, artifactsOf, taskOf, textOf } from '../../test/support/in-process-agent.js';
import { A2AObserver } from '../a2a.observer.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { deferred } from './deferred.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

describe('maxRunSeconds', () => {
  it('ends a run that heeds the signal: FAILED', async () => {
    const agent = agents.make({
      settings: { maxRunSeconds: 0.02 },
      execute: async ({ signal }, emitter) => {
        await emitter.working();
        await whenAborted(signal);
        signal.throwIfAborted();
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.status.state).toBe(TaskState.FAILED);
    expect(textOf(task.status.message)).toBe('The agent took longer than 0.02 seconds');
    expect(agent.logs).toEqual([]);
  });

  it('gives a stubborn run up after cancelGraceSeconds', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { maxRunSeconds: 0.02, cancelGraceSeconds: 0.02 },
      execute: async (_, emitter) => {
        await emitter.working();
        await go.promise;
        await emitter.complete();
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.status.state).toBe(TaskState.FAILED);
    await agent.untilIdle();
    expect(agent.logs).toHaveLength(1);
    go.resolve();
  });

  it('ends detached work', async () => {
    const agent = agents.make({
      settings: { maxRunSeconds: 0.02 },
      execute: async (_, emitter) => {
        await emitter.working();
        emitter.detach();
      },
    });
    expect((await agent.sendForTask('hi')).status.state).toBe(TaskState.FAILED);
  });

  it('does not touch a run that ends in time', async () => {
    const agent = agents.make({ settings: { maxRunSeconds: 5 }, execute: () => 'quick' });
    expect((await agent.sendForTask('hi')).status.state).toBe(TaskState.COMPLETED);
  });
});

describe('consumptionTimeoutSeconds', () => {
  it('what was emitted without waiting is stored and seen, then the task ends', async () => {
    const agent = agents.make({
      store: new CopyingStore(5),
      execute: async (_, emitter) => {
        for (let n = 0; n < 5; n++) {
          void emitter.working(`m${n}`);
          void emitter.text(`t${n}`);
        }
      },
    });
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.sequences).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    const [task] = (await agent.handler.listTasks({ includeArtifacts: true }, agent.call())).tasks;
    expect(task?.status.state).toBe(TaskState.COMPLETED);
    expect(task && artifactsOf(task)).toEqual(['t0t1t2t3t4']);
  });

  it('what takes longer is dropped: FAILED, and the slot is free', async () => {
    const agent = agents.make({
      store: new CopyingStore(20),
      settings: { consumptionTimeoutSeconds: 0.05 },
      execute: async (_, emitter) => {
        for (let n = 0; n < 500; n++) void emitter.working(`m${n}`);
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.status.state).toBe(TaskState.FAILED);
    expect(task.history?.length).toBeLessThan(20);
    expect(agent.logs[0]).toContain('the executor failed');
  });
});

describe('detach()', () => {
  it('the run goes on after execute() returned, until an end', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        emitter.detach();
        setTimeout(() => {
          void emitter.text('late').then(() => emitter.complete());
        }, 5);
      },
    });
    const task = await agent.sendForTask('hi');
    expect([task.status.state, artifactsOf(task)]).toEqual([TaskState.COMPLETED, ['late']]);
  });

  it('may answer with a direct message', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        emitter.detach();
        setTimeout(() => void emitter.sendMessage('late'), 5);
      },
    });
    expect(await agent.send('hi')).toHaveProperty('message.parts', [{ text: 'late' }]);
  });

  it('an executor that throws is FAILED all the same', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        emitter.detach();
        throw new Error('at once');
      },
    });
    expect((await agent.sendForTask('hi')).status.state).toBe(TaskState.FAILED);
  });
});

describe('Slots', () => {
  it('a full queue: 503 with Retry-After, nothing created and nothing leaked', async () => {
    const go = deferred<void>();
    const recorded: string[] = [];
    class Provider extends TaskAuthorizationProvider {
      checkCreate = () => true;
      checkRead = () => true;
      checkWrite = () => true;
      isTaskRecorded = () => false;
      recordOwnership = (_: unknown, id: string) => void recorded.push(id);
    }
    const agent = agents.make({
      settings: { executorMaxSize: 1, executorQueueCapacity: 1 },
      authorization: new Provider(),
      execute: async (_, emitter) => {
        await go.promise;
        await emitter.complete();
      },
    });
    const taken = [agent.send('running'), agent.send('queued')];
    await new Promise((resolve) => setImmediate(resolve));
    const before = agent.diagnostics.gauges();
    for (const refused of [agent.send('no'), agent.stream('no'), agent.begin('no')]) {
      await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 1 });
      await expect(refused).rejects.toBeInstanceOf(UnavailableError);
    }
    expect(agent.diagnostics.gauges()).toEqual(before);
    expect(await agent.countStored()).toBe(0);
    go.resolve();
    await Promise.all(taken);
    // Nobody's ownership of a task that never was has been written down.
    expect(recorded).toHaveLength(2);
    expect(await agent.countStored()).toBe(2);
  });

  it('a provider that cannot record whose task it is gives the slot back', async () => {
    class Provider extends TaskAuthorizationProvider {
      checkCreate = () => true;
      checkRead = () => true;
      checkWrite = () => true;
      isTaskRecorded = () => false;
      recordOwnership = () => Promise.reject(new Error('no database'));
    }
    const agent = agents.make({ authorization: new Provider(), settings: { executorMaxSize: 1 } });
    await expect(agent.send('hi')).rejects.toThrow('no database');
    await expect(agent.send('hi')).rejects.toThrow('no database');
    expect(agent.observer.events).toEqual([]);
  });

  it('executorMaxSize runs at once, first come, first served', async () => {
    const order: string[] = [];
    const gates = [deferred<void>(), deferred<void>(), deferred<void>()];
    const agent = agents.make({
      settings: { executorMaxSize: 1 },
      execute: async ({ text }) => {
        order.push(text);
        await gates[Number(text)]?.promise;
        return text;
      },
    });
    const answers = ['0', '1', '2'].map((text) => agent.sendForTask(text));
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['0']);
    expect(agent.scheduler.gauges()).toEqual({ running: 1, queued: 2 });
    gates[0]?.resolve();
    await answers[0];
    await agent.observer.reports;
    await delay(1);
    expect(order).toEqual(['0', '1']);
    gates[1]?.resolve();
    gates[2]?.resolve();
    await Promise.all(answers);
    expect(order).toEqual(['0', '1', '2']);
  });

  it('maxRunsPerOwner: one caller cannot take all slots', async () => {
    const go = deferred<void>();
    const order: string[] = [];
    const agent = agents.make({
      settings: { executorMaxSize: 2, maxRunsPerOwner: 1 },
      execute: async ({ text, call }) => {
        order.push(`${call.user.id}${text}`);
        if (call.user.id === 'greedy') await go.promise;
        return text;
      },
    });
    const greedy = [1, 2, 3].map((n) => agent.send(String(n), { user: 'greedy' }));
    await agent.send('1', { user: 'modest' });
    expect(order).toEqual(['greedy1', 'modest1']);
    // The same name in another tenant is another caller.
    await agent.send('1', { user: 'modest', tenant: 'other' });
    go.resolve();
    await Promise.all(greedy);
    expect(order.slice(3)).toEqual(['greedy2', 'greedy3']);
  });

  it('a queued run keeps the asynchronous context of its sender', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const agent = agents.make({
      settings: { executorMaxSize: 1 },
      execute: async () => {
        seen.push(storage.getStore());
        return 'done';
      },
    });
    await Promise.all(['a', 'b', 'c'].map((name) => storage.run(name, () => agent.send(name))));
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('maxTasksPerOwner: 429, for that owner alone', async () => {
    const agent = agents.make({ settings: { maxTasksPerOwner: 2 } });
    await agent.send('1', { user: 'ann' });
    await agent.send('2', { user: 'ann' });
    await expect(agent.send('3', { user: 'ann' })).rejects.toBeInstanceOf(ResourceExhaustedError);
    await agent.send('1', { user: 'bob' });
    await agent.send('1', { user: 'ann', tenant: 'other' });
    expect(await agent.countStored()).toBe(3);
  });

  it('an observer that throws is logged and does no harm', async () => {
    class Broken extends A2AObserver {
      override runStarted = () => {
        throw new Error('started');
      };
      override runEnded = () => {
        throw new Error('ended');
      };
      override queueDepth = () => {
        throw new Error('depth');
      };
    }
    const agent = agents.make({ observer: new Broken() });
    expect((await agent.sendForTask('hi')).status.state).toBe(TaskState.COMPLETED);
    await agent.untilIdle();
    expect(agent.logs).toHaveLength(3);
  });
});

describe('Shutdown', () => {
  it('takes on nothing more, lets runs end in their time', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working();
        await go.promise;
        await emitter.complete('in time');
      },
    });
    const sent = agent.sendForTask('hi');
    await new Promise((resolve) => setImmediate(resolve));
    const stopped = agent.executions.shutdown();
    await expect(agent.send('too late')).rejects.toBeInstanceOf(UnavailableError);
    go.resolve();
    await stopped;
    expect((await sent).status.state).toBe(TaskState.COMPLETED);
  });

  it('a run that does not end in time is FAILED on the in-memory store', async () => {
    const agent = agents.make({
      settings: { shutdownTimeoutSeconds: 0.02 },
      execute: async ({ signal }, emitter) => {
        await emitter.working();
        await whenAborted(signal);
        signal.throwIfAborted();
      },
    });
    const { id } = await agent.begin('hi');
    const stream = await agent.subscribe(id);
    await agent.executions.shutdown();
    await stream.over;
    const task = await agent.get(id);
    expect([task.status.state, textOf(task.status.message)]).toEqual([TaskState.FAILED, 'The server stopped']);
  });

  it('and so is one that does not stop at all, and one that never began, within a moment', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { shutdownTimeoutSeconds: 0.02, executorMaxSize: 1, taskCreationDelayMs: 1 },
      execute: async (_, emitter) => {
        await emitter.working();
        await go.promise;
      },
    });
    const stubborn = await agent.begin('stubborn');
    const queued = await agent.begin('queued');
    const unborn = agent.sendForTask('unborn');
    await new Promise((resolve) => setImmediate(resolve));
    await agent.executions.shutdown();
    expect((await agent.get(stubborn.id)).status.state).toBe(TaskState.FAILED);
    expect((await agent.get(queued.id)).status.state).toBe(TaskState.FAILED);
    expect((await unborn).status.state).toBe(TaskState.FAILED);
    await agent.untilIdle();
    expect(agent.executions.size).toBe(0);
    go.resolve();
  });

  it('on a durable store a run is left for recovery as it stands; who waits is answered', async () => {
    const agent = agents.make({
      store: new CopyingStore(0, true),
      settings: { shutdownTimeoutSeconds: 0.02, executorMaxSize: 1 },
      execute: async ({ signal }, emitter) => {
        await emitter.working('at it');
        await whenAborted(signal);
        signal.throwIfAborted();
      },
    });
    const running = agent.sendForTask('running');
    const queued = agent.sendForTask('queued');
    await new Promise((resolve) => setImmediate(resolve));
    await agent.executions.shutdown();
    expect((await running).status.state).toBe(TaskState.WORKING);
    // Accepted work never vanishes: the one that never began is stored all the same.
    const waiting = await queued;
    expect(waiting.status.state).toBe(TaskState.SUBMITTED);
    expect(await agent.stored(waiting.id)).toEqual(waiting);
  });

  it('messages that wait for a busy task are refused', async () => {
    const go = deferred<void>();
    const runs: string[] = [];
    const agent = agents.make({
      settings: { followUps: 'queue' },
      execute: async ({ text }, emitter) => {
        runs.push(text);
        await emitter.working();
        await go.promise;
      },
    });
    const { id } = await agent.begin('one');
    const second = agent.send('two', { taskId: id });
    await new Promise((resolve) => setImmediate(resolve));
    const stopped = agent.executions.shutdown();
    go.resolve();
    await expect(second).rejects.toBeInstanceOf(UnavailableError);
    await stopped;
    await agent.untilIdle();
    expect(runs).toEqual(['one']);
    expect((await agent.get(id)).status.state).toBe(TaskState.COMPLETED);
  });

  it('a message whose owner is still being recorded when it begins is refused, and gives its slot back', async () => {
    const recording = deferred<void>();
    const recorded = deferred<void>();
    class Provider extends TaskAuthorizationProvider {
      checkCreate = () => true;
      checkRead = () => true;
      checkWrite = () => true;
      isTaskRecorded = () => false;
      recordOwnership = () => {
        recording.resolve();
        return recorded.promise;
      };
    }
    const agent = agents.make({ authorization: new Provider() });
    const sent = agent.send('hi');
    await recording.promise;
    await agent.executions.shutdown();
    recorded.resolve();
    await expect(sent).rejects.toBeInstanceOf(UnavailableError);
    expect(agent.observer.events).toEqual([]);
    expect(await agent.countStored()).toBe(0);
  });

  it('a message that has its turn at the task only afterwards is refused, and changes nothing', async () => {
    const turn = deferred<void>();
    const agent = agents.make({ execute: (_, emitter) => emitter.requireInput('which?') });
    const before = await agent.sendForTask('hi');
    await agent.untilIdle();
    const session = await agent.sessions.open({ agent: '', tenant: '' }, before.id);
    if (session === undefined) throw new Error('The task is gone');
    const held = session.exclusive(() => turn.promise);
    const sent = agent.send('this one', { taskId: before.id });
    await new Promise((resolve) => setImmediate(resolve));
    await agent.executions.shutdown();
    turn.resolve();
    await expect(sent).rejects.toBeInstanceOf(UnavailableError);
    await held;
    agent.sessions.release(session);
    expect(await agent.stored(before.id)).toEqual(before);
  });

  it('is over at once when nothing runs', async () => {
    const agent = agents.make({ settings: { shutdownTimeoutSeconds: 3600 } });
    expect(taskOf(await agent.send('hi')).status.state).toBe(TaskState.COMPLETED);
    await agent.untilIdle();
    await agent.executions.shutdown();
  });
});
