import { afterEach, describe, expect, it } from '@jest/globals';
import { TaskState, UnavailableError, type Task } from 'nestjs-a2a/protocol';
import {
  AgentsUnderTest,
  type InProcessAgent,
  type InProcessAgentOptions,
} from '../../test/support/in-process-agent.js';
import { PUSH_DEFAULTS } from './push-settings.js';
import type { PushNotification, PushTarget } from './push-notification.js';
import { PushNotificationSender, type PushGauges } from './push-notification-sender.js';

const URL_1 = 'https://one.example/hook';
const URL_2 = 'https://two.example/hook';
const CARD = { capabilities: { pushNotifications: true }, defaultInputModes: ['text/plain'], skills: [] };

/** Writes down what it is told. */
class RecordingSender extends PushNotificationSender {
  readonly lines: string[] = [];

  override send({ target, sequence, kind, json }: PushNotification): void {
    const [what] = Object.keys(JSON.parse(json));
    this.lines.push(`${target.configId} ${target.origin} ${sequence} ${kind} ${what ?? ''}`);
  }

  override end({ configId }: PushTarget): void {
    this.lines.push(`${configId} ends`);
  }

  override cancel({ configId }: PushTarget): void {
    this.lines.push(`${configId} canceled`);
  }

  override gauges(): PushGauges {
    return { queued: 0, bytes: 0, inFlight: 0 };
  }

  override async drain(): Promise<void> {
    this.lines.length = 0;
  }

  /** What was told since the last time. */
  take(): string[] {
    return this.lines.splice(0);
  }
}

const agents = new AgentsUnderTest();
let sender: RecordingSender;

afterEach(() => agents.expectIdle());

function make(options: InProcessAgentOptions = {}): InProcessAgent {
  sender = new RecordingSender();
  return agents.make({
    card: CARD,
    pushSender: sender,
    execute: async ({ text }, emitter) => {
      if (text === 'ask') return emitter.requireInput('what?');
      await emitter.text('a');
      await emitter.complete();
    },
    ...options,
  });
}

function inline(url: string, id?: string) {
  return { configuration: { taskPushNotificationConfig: { url, ...(id && { id }) } } };
}

function create(agent: InProcessAgent, { id: taskId }: Task, id: string, url = URL_1) {
  return agent.handler.createTaskPushNotificationConfig({ taskId, id, url }, agent.call());
}

describe('a config that comes with a message', () => {
  it('is told everything from the task itself to its end', async () => {
    const agent = make();
    await agent.sendForTask('go', inline(URL_1, 'c'));
    expect(sender.take()).toEqual([
      'c canceled',
      'c https://one.example 1 status task',
      'c https://one.example 2 artifact artifactUpdate',
      'c https://one.example 3 end statusUpdate',
      'c ends',
    ]);
  });

  it('is not left behind when the message cannot be taken on', async () => {
    const agent = make();
    agent.executions.drain();
    await expect(agent.sendForTask('go', inline(URL_1))).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(agent.diagnostics.gauges()).toMatchObject({ pushConfigs: 0, busTasks: 0 });
  });

  it('is not left behind when the task cannot be stored', async () => {
    const agent = make();
    agent.store.create = () => Promise.reject(new UnavailableError());
    await expect(agent.sendForTask('go', inline(URL_1, 'c'))).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(sender.take()).toEqual(['c canceled', 'c ends']);
    expect(agent.diagnostics.gauges().pushConfigs).toBe(0);
  });

  it('of a follow-up first gets the task as the message found it', async () => {
    const agent = make({ settings: { replayGraceSeconds: 60 } });
    const { id: taskId } = await agent.sendForTask('ask');
    await agent.sendForTask('go', { taskId, ...inline(URL_1, 'c') });
    expect(sender.take()).toEqual([
      'c canceled',
      'c https://one.example 3 status task',
      'c https://one.example 4 artifact artifactUpdate',
      'c https://one.example 5 end statusUpdate',
      'c ends',
    ]);
    agent.bus.onApplicationShutdown();
  });

  it('of a follow-up gets the task as it is when that is over already', async () => {
    const agent = make();
    const { id: taskId } = await agent.sendForTask('ask');
    await agent.sendForTask('go', { taskId, ...inline(URL_1, 'c') });
    expect(sender.take().at(-2)).toContain(' end ');
  });

  it('of a follow-up gets only what happens when it wants no task', async () => {
    const agent = make({ settings: { push: { ...PUSH_DEFAULTS, snapshotOnCreate: false }, replayGraceSeconds: 60 } });
    const { id: taskId } = await agent.sendForTask('ask');
    await agent.sendForTask('go', { taskId, ...inline(URL_1, 'c') });
    expect(sender.take().filter((line) => line.includes('://'))).toEqual([
      'c https://one.example 3 status statusUpdate',
      'c https://one.example 4 artifact artifactUpdate',
      'c https://one.example 5 end statusUpdate',
    ]);
    agent.bus.onApplicationShutdown();
  });

  it('of a follow-up gets the task after all when what happened cannot be had any more', async () => {
    const agent = make({ settings: { push: { ...PUSH_DEFAULTS, snapshotOnCreate: false } } });
    const { id: taskId } = await agent.sendForTask('ask');
    await agent.sendForTask('go', { taskId, ...inline(URL_1, 'c') });
    expect(sender.take().at(-2)).toContain(' end ');
    expect(agent.diagnostics.gauges().pushConfigs).toBe(0);
  });

  it('gives way to the one before when the follow-up is refused', async () => {
    const agent = make();
    const task = await agent.sendForTask('go', inline(URL_1));
    await expect(agent.sendForTask('go', { taskId: task.id, ...inline(URL_2) })).rejects.toMatchObject({
      name: 'UnsupportedOperationError',
    });
    const config = await agent.push.configs.get({ agent: '', tenant: '', id: task.id }, task.id);
    expect(config?.url).toBe(URL_1);
  });
});

describe('a config of a task that waits', () => {
  it('gets the task, and nothing more once it is deleted', async () => {
    const agent = make();
    const task = await agent.sendForTask('ask');
    await create(agent, task, 'c');
    await create(agent, task, 'd');
    expect(agent.diagnostics.gauges().pushConfigs).toBe(2);
    await agent.handler.deleteTaskPushNotificationConfig({ taskId: task.id, id: 'c' }, agent.call());
    sender.take();
    await agent.cancel(task.id);
    expect(sender.take()).toEqual(['d https://one.example 3 end statusUpdate', 'd ends']);
  });

  it('begins anew when it is replaced', async () => {
    const agent = make();
    const task = await agent.sendForTask('ask');
    await create(agent, task, 'c');
    sender.take();
    await create(agent, task, 'c', URL_2);
    expect(sender.take()).toEqual(['c canceled', 'c https://two.example 2 status task']);
    expect(agent.diagnostics.gauges().pushConfigs).toBe(1);
    await agent.cancel(task.id);
  });

  it.each([
    ['a message', (agent: InProcessAgent, taskId: string) => agent.sendForTask('go', { taskId })],
    ['a cancel', (agent: InProcessAgent, taskId: string) => agent.cancel(taskId)],
    [
      'another config',
      async (agent: InProcessAgent, id: string) => {
        await create(agent, await agent.get(id), 'other');
        await agent.cancel(id);
      },
    ],
  ])('is taken up again by %s after a restart', async (_what, act) => {
    const first = make();
    const { id } = await first.sendForTask('ask');
    const key = { agent: '', tenant: '', id };
    for (let n = 0; n < 120; n++) {
      await first.push.configs.save(key, { id: `c${n}`, taskId: id, url: URL_1 }, Infinity);
    }
    const second = make({
      store: first.store,
      pushStore: first.push.configs,
      settings: { maxPushConfigsPerTask: 200 },
    });
    await act(second, id);
    const ends = sender.take().filter((line) => / end statusUpdate$/.test(line) && line.startsWith('c'));
    expect(new Set(ends).size).toBe(120);
  });
});

describe('a config of a task that has ended', () => {
  it('gets the task and its end', async () => {
    const agent = make();
    const task = await agent.sendForTask('go');
    await create(agent, task, 'c');
    expect(sender.take()).toEqual(['c canceled', 'c https://one.example 3 end task', 'c ends']);
    expect(agent.diagnostics.gauges().pushConfigs).toBe(0);
  });

  it('gets nothing when it wants no task', async () => {
    const agent = make({ settings: { push: { ...PUSH_DEFAULTS, snapshotOnCreate: false } } });
    const task = await agent.sendForTask('go');
    await create(agent, task, 'c');
    expect(sender.take()).toEqual(['c canceled']);
    expect(agent.diagnostics.gauges().pushConfigs).toBe(0);
  });
});

describe('what goes wrong', () => {
  it('in the store of the task ends what is told, and a later message takes it up again', async () => {
    const agent = make();
    const task = await agent.sendForTask('ask');
    await create(agent, task, 'c');
    sender.take();
    agent.bus.fail({ agent: '', tenant: '', id: task.id }, new UnavailableError());
    expect(sender.take()).toEqual(['c ends']);
    const { status } = await agent.sendForTask('go', { taskId: task.id });
    expect(status.state).toBe(TaskState.COMPLETED);
    expect(sender.take().at(-2)).toBe('c https://one.example 5 end statusUpdate');
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('no disk'))],
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
    ],
  ])('in the store of the configs, which %s, is written down, and harms no task', async (_what, taskEnded) => {
    const agent = make();
    agent.push.configs.taskEnded = taskEnded;
    const { status } = await agent.sendForTask('go', inline(URL_1));
    expect(status.state).toBe(TaskState.COMPLETED);
    await new Promise((resolve) => setImmediate(resolve));
    expect(agent.logs).toEqual(['error: The PushNotificationConfigStore failed: no disk']);
  });

  it('in the policy, an answer that is not plainly yes, refuses the URL', async () => {
    const agent = make({ settings: { pushUrlValidator: (): boolean => JSON.parse('"no"') } });
    await expect(agent.sendForTask('go', inline(URL_1))).rejects.toMatchObject({ name: 'InvalidParamsError' });
  });

  it.each<[string, () => Promise<boolean>, string]>([
    ['that is told', () => Promise.reject(new Error('no policy')), 'no policy'],
    ['that is no answer', () => new Promise(() => undefined), 'no answer within 20 ms'],
  ])('in the policy, one %s, refuses the URL, and is written down', async (_what, pushUrlValidator, text) => {
    const agent = make({ settings: { pushUrlValidator, push: { ...PUSH_DEFAULTS, timeoutMs: 20 } } });
    await expect(agent.sendForTask('go', inline(URL_1))).rejects.toMatchObject({ name: 'InvalidParamsError' });
    expect(agent.logs).toEqual([`error: The PushUrlPolicy failed, the URL is refused: ${text}`]);
  });
});
