import { once, EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryPushNotificationConfigStore, InMemoryTaskStore } from 'nestjs-a2a';
import { PUSH_DEFAULTS } from '../../src/push/push-settings.js';
import { Hook } from '../support/hook.js';
import { InProcessAgent, type Execute } from '../support/in-process-agent.js';
import { settledHeap } from './heap-census.js';
import { PATIENCE_MS, scaled } from './scale.js';

const TASKS = scaled(48, 2_000);
const WARM_UP = scaled(8, 300);
const LANES = 32;
const PAIRS = scaled(1, 7);
const TASKS_OF_PAIR = scaled(16, 200);
/** An agent at work: two such pauses make a task. */
const PAUSE_MS = 10;
const LANES_OF_PAIR = 8;
const MEBIBYTE = 2 ** 20;
const WORDS = ['TASK_STATE_WORKING', 'one ', 'two', 'TASK_STATE_COMPLETED'];
const CARD = {
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain'],
  skills: [],
};

const gates = new EventEmitter().setMaxListeners(0);

/** Five events with the one that makes the task; held until all hooks are there. */
const fiveEvents: Execute = async ({ taskId, text }, emitter) => {
  if (text === 'held') await once(gates, taskId);
  const pause = text === 'held' ? undefined : PAUSE_MS;
  await emitter.working();
  await delay(pause);
  await emitter.text('one ');
  await delay(pause);
  await emitter.text('two');
  await emitter.complete();
};

let agent: InProcessAgent;
let well: Hook;
let failing: Hook;
let hanging: Hook;

beforeEach(async () => {
  const failed = new Set<unknown>();
  well = await Hook.open();
  // Each notification fails at first: half of all requests.
  failing = await Hook.open((_n, { headers }) => {
    const id = headers['x-a2a-notification-id'];
    if (failed.delete(id)) return 200;
    failed.add(id);
    return 503;
  });
  hanging = await Hook.open(() => 'hang');
  agent = new InProcessAgent({
    card: CARD,
    execute: fiveEvents,
    store: new InMemoryTaskStore({ maxTasks: 100 }),
    pushStore: new InMemoryPushNotificationConfigStore({ maxTasks: 2 * TASKS }),
    settings: {
      pushUrlValidator: () => true,
      push: {
        ...PUSH_DEFAULTS,
        concurrency: 64,
        timeoutMs: 5_000,
        retryDelaysMs: [5],
        drainSeconds: 0,
      },
    },
  });
});

afterEach(async () => {
  await agent.push.sender.drain();
  await Promise.all([well, failing, hanging].map((hook) => hook.close()));
  await agent.expectIdle();
});

async function inLanes(count: number, lanes: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** A task with the three hooks, from its first event on. @returns its id, when it has ended */
async function notifiedTask(): Promise<string> {
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: well.url } };
  const { id } = await agent.sendForTask('held', { configuration });
  for (const [name, { url }] of Object.entries({ failing, hanging })) {
    await agent.handler.createTaskPushNotificationConfig({ taskId: id, id: name, url }, agent.call());
  }
  const ended = await agent.subscribe(id);
  gates.emit(id);
  await ended.over;
  return id;
}

/** Tasks, until the two hooks that answer have been told everything. @returns their ids */
async function round(count: number): Promise<string[]> {
  const ids: string[] = [];
  await inLanes(count, LANES, async () => ids.push(await notifiedTask()));
  await well.until((calls) => calls.length >= 5 * count);
  await failing.until((calls) => calls.length >= 2 * 5 * count);
  return ids;
}

/** Configs stay for as long as their tasks are kept: they go here, and what the hooks remember. */
async function forget(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const key = { agent: '', tenant: '', id };
    await agent.push.configs.deleteAll(key);
    for (const name of ['failing', 'hanging', id]) agent.push.subscriptions.drop(key, name);
  }
  for (const hook of [well, failing, hanging]) hook.calls.length = 0;
}

/** What each task's accepted calls told, in the order in which they came. */
function wordsByTask(hook: Hook): Map<string, string[]> {
  const byTask = new Map<string, string[]>();
  const seen = new Set<string>();
  const { words } = hook;
  hook.calls.forEach(({ headers }, index) => {
    const id = String(headers['x-a2a-notification-id']);
    if (seen.has(id)) return;
    seen.add(id);
    const [task = ''] = id.split('/');
    byTask.set(task, [...(byTask.get(task) ?? []), words[index] ?? '']);
  });
  return byTask;
}

describe(`${TASKS} tasks with three hooks, one that hangs and one that fails half the time`, () => {
  it(
    'tell every event in order, to the end, and nothing is left of them',
    async () => {
      // So that what is loaded and compiled at first is not counted.
      await forget(await round(WARM_UP));
      const before = await settledHeap();
      const ids = await round(TASKS);
      for (const hook of [well, failing]) {
        const told = wordsByTask(hook);
        const wrong = ids.filter((id) => JSON.stringify(told.get(id)?.slice(-WORDS.length)) !== JSON.stringify(WORDS));
        expect(wrong.map((id) => told.get(id)?.join())).toEqual([]);
        expect(told.size).toBe(TASKS);
      }
      // Nobody is there for what is left: the hook that hangs.
      expect(agent.diagnostics.gauges().pushQueued).toBeGreaterThan(0);
      await agent.push.sender.drain();
      expect(agent.diagnostics.gauges()).toMatchObject({
        pushConfigs: 0,
        pushQueued: 0,
        pushBytes: 0,
        pushInFlight: 0,
        busSubscribers: 0,
      });
      await forget(ids);
      const grown = (await settledHeap()) - before;
      process.stdout.write(`heap after ${TASKS} tasks with push: ${(grown / MEBIBYTE).toFixed(1)} MiB more\n`);
      expect(grown).toBeLessThan(10 * MEBIBYTE);
    },
    PATIENCE_MS,
  );

  it(
    'take about as long as tasks without',
    async () => {
      const ratios: number[] = [];
      for (let pair = 0; pair < PAIRS; pair++) {
        const plain = await medianOf(() => agent.sendForTask('go'));
        // The hook that hangs is among them: it costs slots, not time.
        const url = [well, failing, hanging][pair % 3]?.url ?? '';
        const configuration = { taskPushNotificationConfig: { url } };
        const pushed = await medianOf(() => agent.sendForTask('go', { configuration }));
        ratios.push(pushed / plain);
      }
      ratios.sort((a, b) => a - b);
      const median = ratios[Math.floor(ratios.length / 2)] ?? 0;
      process.stdout.write(`task latency with push, against without: ${median.toFixed(2)} (median of ${PAIRS})\n`);
      expect(agent.diagnostics.gauges().pushConfigs).toBe(0);
    },
    PATIENCE_MS,
  );
});

/** The median time of a task, in milliseconds. */
async function medianOf(task: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  await inLanes(TASKS_OF_PAIR, LANES_OF_PAIR, async () => {
    const start = performance.now();
    await task();
    times.push(performance.now() - start);
  });
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
