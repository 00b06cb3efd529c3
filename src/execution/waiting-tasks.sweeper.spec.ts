import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { TaskState } from 'nestjs-a2a/protocol';
import { FailingStore } from '../../test/support/failing-store.js';
import { AgentsUnderTest, textOf, type Execute } from '../../test/support/in-process-agent.js';

const agents = new AgentsUnderTest();

afterEach(async () => {
  jest.useRealTimers();
  await agents.expectIdle();
});

const asking: Execute = ({ text }, emitter) =>
  text === 'auth' ? emitter.requireAuth('token?') : emitter.requireInput('which?');

function later(seconds: number): void {
  const now = Date.now();
  jest.useFakeTimers({
    now: now + seconds * 1000,
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout', 'clearTimeout'],
  });
}

describe('waitingTtlSeconds', () => {
  it.each(['input', 'auth'])(
    'a task that waits for %s so long is CANCELED with a message; readers see it',
    async (text) => {
      const agent = agents.make({ execute: asking, settings: { waitingTtlSeconds: 60 } });
      const { id } = await agent.sendForTask(text);
      await agent.untilIdle();
      const reader = await agent.subscribe(id);
      await agent.sweeper.sweep();
      expect((await agent.get(id)).status.state).not.toBe(TaskState.CANCELED);
      later(61);
      await agent.sweeper.sweep();
      await reader.over;
      const task = await agent.get(id);
      expect([task.status.state, textOf(task.status.message)]).toEqual([TaskState.CANCELED, 'Nobody answered in time']);
      expect(reader.words.at(-1)).toBe(TaskState.CANCELED);
      expect(await agent.stored(id)).toEqual(task);
    },
  );

  it('a task that works so long is left alone; one that was answered as well', async () => {
    let end: () => void = () => undefined;
    const agent = agents.make({
      settings: { waitingTtlSeconds: 60 },
      execute: async ({ task }, emitter) => {
        if (task === undefined) return emitter.requireInput('which?');
        await new Promise<void>((resolve) => (end = resolve));
        await emitter.complete();
      },
    });
    const { id } = await agent.sendForTask('hi');
    await agent.begin('this', { taskId: id });
    later(61);
    await agent.sweeper.sweep();
    expect((await agent.get(id)).status.state).toBe(TaskState.WORKING);
    end();
  });

  it('a live run that waits is aborted', async () => {
    const agent = agents.make({
      settings: { waitingTtlSeconds: 60 },
      execute: async ({ messages, signal }, emitter) => {
        await emitter.requireAuth('token?');
        for await (const _ of messages);
        expect(signal.aborted).toBe(true);
      },
    });
    const { id } = await agent.sendForTask('hi');
    later(61);
    await agent.sweeper.sweep();
    await agent.untilIdle();
    expect((await agent.get(id)).status.state).toBe(TaskState.CANCELED);
  });

  it('a live run that does not stop is given up, a queued one never begins', async () => {
    let end: () => void = () => undefined;
    const runs: string[] = [];
    const agent = agents.make({
      settings: { waitingTtlSeconds: 60, executorMaxSize: 1, cancelGraceSeconds: 0.01 },
      execute: async ({ text }, emitter) => {
        runs.push(text);
        await emitter.requireAuth('token?');
        if (text === 'stubborn') await new Promise<void>((resolve) => (end = resolve));
      },
    });
    const quick = await agent.sendForTask('quick');
    await agent.untilIdle();
    const stubborn = await agent.sendForTask('stubborn');
    await agent.begin('queued', { taskId: quick.id });
    later(61);
    await agent.sweeper.sweep();
    await agent.untilIdle();
    expect(agent.diagnostics.gauges()).toMatchObject({ runsRunning: 0, runsLive: 0 });
    expect((await agent.get(quick.id)).status.state).toBe(TaskState.CANCELED);
    expect((await agent.get(stubborn.id)).status.state).toBe(TaskState.CANCELED);
    expect(runs).toEqual(['quick', 'stubborn']);
    end();
  });

  it('looks by itself, also in tenants; a store that fails is logged and tried again', async () => {
    const faults = { failsList: true };
    const agent = agents.make({
      execute: asking,
      store: new FailingStore(faults),
      settings: { waitingTtlSeconds: 0.05 },
    });
    const { id } = await agent.sendForTask('hi', { tenant: 't' });
    await agent.untilIdle();
    const reader = await agent.subscribe(id, { tenant: 't' });
    agent.sweeper.start();
    while (agent.logs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(agent.logs[0]).toContain('could not be looked for');
    faults.failsList = false;
    await reader.over;
    agent.sweeper.stop();
    expect((await agent.get(id, { tenant: 't' })).status.state).toBe(TaskState.CANCELED);
  });

  it('0: never', async () => {
    const agent = agents.make({ execute: asking, settings: { waitingTtlSeconds: 0 } });
    const set = jest.spyOn(globalThis, 'setInterval');
    agent.sweeper.start();
    expect(set).not.toHaveBeenCalled();
    set.mockRestore();
  });
});
