import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  A2A_SETTINGS,
  A2AModule,
  A2AObserver,
  AgentCardProvider,
  ANONYMOUS_USER,
  InMemoryTaskStore,
  RequestHandler,
  RunScheduler,
  RxJsTaskEventBus,
  TaskEventBus,
  TaskStore,
  TenantResolver,
  UserResolver,
  type A2AModuleExtras,
  type A2ASettings,
  type A2AUser,
  type AgentCardInput,
  type RunGauges,
  type RunJob,
  type RunReport,
  type ScheduledRun,
  type ServerCallContext,
  type TaskKey,
  type TaskRecord,
} from 'nestjs-a2a';
import { UnavailableError, type AgentCard, type GetTaskRequest, type Task } from 'nestjs-a2a/protocol';
import { asUser, CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, adapterOf, listening } from '../support/running-app.js';

async function withProviders(extras: A2AModuleExtras, use: (pair: Pair) => Promise<void>): Promise<void> {
  const pair = await Pair.start(() => probeModule(extras));
  try {
    await use(pair);
  } finally {
    await pair.close();
  }
}

/** Counts what is created, and may be full. */
@Injectable()
class CountingStore extends InMemoryTaskStore {
  created = 0;
  full = false;

  constructor(@Inject(A2A_SETTINGS) settings: A2ASettings) {
    super(settings);
  }

  override async create(record: TaskRecord): Promise<void> {
    if (this.full) throw new UnavailableError('The store is full', 7);
    await super.create(record);
    this.created++;
  }
}

describe('TaskStore', () => {
  const providers = [{ provide: TaskStore, useClass: CountingStore }];

  it('is replaced, and injects the settings', async () => {
    await withProviders({ providers }, async (pair) => {
      await pair.call(rpc('SendMessage', message('echo hi')));
      await pair.call(rpc('SendMessage', message('message hi')));
      const created = await pair.each(({ running }) => running.app.get(CountingStoreToken, { strict: false }).created);
      expect(created).toEqual([1, 1]);
    });
  });

  it('that is full answers 503, with its time to come back, on both ways to send', async () => {
    await withProviders({ providers }, async (pair) => {
      await pair.each(({ running }) => {
        running.app.get(CountingStoreToken, { strict: false }).full = true;
      });
      const wait = { configuration: { returnImmediately: true } };
      for (const call of [
        rpc('SendMessage', message('echo hi')),
        rpc('SendMessage', message('quiet 30', {}, wait)),
        rpc('SendStreamingMessage', message('echo hi')),
      ]) {
        const answer = await pair.call(call);
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '7']);
        expect(at(answer.body, 'error.code')).toBe(-32093);
      }
      const viaRest = await pair.call(rest('POST', '/message:send', message('echo hi')));
      expect(viaRest.status).toBe(503);
    });
  });

  it.each(ADAPTERS)('is overridden by the testing module (%s)', async (adapter) => {
    const store = new CountingStore(await settingsOf());
    const testing = await Test.createTestingModule({ imports: [probeModule()] })
      .overrideProvider(TaskStore)
      .useValue(store)
      .compile();
    const app = testing.createNestApplication(adapterOf(adapter), { logger: false });
    const running = await listening(adapter, app);
    try {
      const answer = await send(running.url, rpc('SendMessage', message('echo hi')));
      expect(at(answer.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
      expect(store.created).toBe(1);
      expect(app.get(TaskStore)).toBe(store);
    } finally {
      await running.close();
    }
  });
});

// The seam is its own token, whatever class stands behind it.
const CountingStoreToken: abstract new (...args: never[]) => CountingStore = Object(TaskStore);

async function settingsOf(): Promise<A2ASettings> {
  const testing = await Test.createTestingModule({ imports: [probeModule()] }).compile();
  const settings = testing.get<A2ASettings>(A2A_SETTINGS);
  await testing.close();
  return settings;
}

describe('TaskEventBus', () => {
  it('is replaced', async () => {
    const published: string[] = [];
    class WatchedBus extends RxJsTaskEventBus {
      override publish(...args: Parameters<RxJsTaskEventBus['publish']>): void {
        published.push(args[0].tenant);
        super.publish(...args);
      }
    }
    await withProviders(
      { providers: [{ provide: TaskEventBus, useFactory: () => new WatchedBus() }] },
      async (pair) => {
        const { frames } = await pair.stream(rpc('SendStreamingMessage', message('progress 2')));
        expect(frames).toHaveLength(4);
        expect(published).toHaveLength(2 * frames.length);
      },
    );
  });
});

describe('UserResolver', () => {
  class HeaderUsers extends UserResolver {
    override resolve(request: object): A2AUser {
      const name: unknown = at(request, 'headers.x-user');
      if (name === 'broken') throw new Error('the directory is down');
      return typeof name === 'string' ? { id: name, authenticated: true, claims: { from: 'header' } } : ANONYMOUS_USER;
    }
  }

  it('says whose call it is', async () => {
    await withProviders({ providers: [{ provide: UserResolver, useClass: HeaderUsers }] }, async (pair) => {
      const answer = await pair.call(rpc('SendMessage', message('whoami'), { 'x-user': 'ann' }));
      expect(at(answer.body, 'result.task.artifacts.0.parts.0.data')).toMatchObject({
        user: 'ann',
        authenticated: true,
      });
      const anonymous = await pair.call(rest('POST', '/message:send', message('whoami')));
      expect(at(anonymous.body, 'task.artifacts.0.parts.0.data')).toMatchObject({ user: '', authenticated: false });
      const broken = await pair.call(rest('GET', '/tasks', undefined, { 'x-user': 'broken' }));
      expect([broken.status, at(broken.body, 'error.message')]).toEqual([500, 'Internal error']);
    });
  });
});

describe('TenantResolver', () => {
  class OwnTenants extends TenantResolver {
    override async mayUse(user: A2AUser, tenant: string): Promise<boolean> {
      return tenant === '' || tenant === `of-${user.id}`;
    }
  }

  it('says which tenants a caller may name', async () => {
    await withProviders(
      { providers: [{ provide: TenantResolver, useClass: OwnTenants }], guards: [BelievingGuard] },
      async (pair) => {
        const own = await pair.call(rpc('ListTasks', { tenant: 'of-ann' }, asUser('ann')));
        expect(own.status).toBe(200);
        const foreign = await pair.call(rpc('ListTasks', { tenant: 'of-ben' }, asUser('ann')));
        expect([foreign.status, at(foreign.body, 'error.code')]).toEqual([403, -32091]);
        const viaRest = await pair.call(rest('GET', '/tasks?tenant=of-ben', undefined, asUser('ann')));
        expect([viaRest.status, at(viaRest.body, 'error.status')]).toEqual([403, 'PERMISSION_DENIED']);
      },
    );
  });
});

describe('A2AObserver', () => {
  it('is told of runs, and what it throws harms nobody', async () => {
    const told: string[] = [];
    class Watcher extends A2AObserver {
      override runStarted(key: TaskKey): void {
        told.push(`started ${key.tenant}`);
        throw new Error('a broken observer');
      }

      override runEnded({ state, events }: RunReport): void {
        told.push(`ended ${state} ${events}`);
        throw new Error('a broken observer');
      }
    }
    await withProviders({ providers: [{ provide: A2AObserver, useClass: Watcher }] }, async (pair) => {
      const answer = await pair.call(rpc('SendMessage', message('echo hi', {}, { tenant: 'acme' })));
      expect(at(answer.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
    });
    expect(told.sort()).toEqual([
      'ended TASK_STATE_COMPLETED 3',
      'ended TASK_STATE_COMPLETED 3',
      'started acme',
      'started acme',
    ]);
  });
});

describe('RunScheduler', () => {
  it('is replaced', async () => {
    const owners: string[] = [];
    class Immediately extends RunScheduler {
      override schedule(job: RunJob): ScheduledRun {
        owners.push(job.owner);
        void job.run();
        return { started: true, cancel: () => false };
      }

      override gauges(): RunGauges {
        return { running: 0, queued: 0 };
      }
    }
    await withProviders({ providers: [{ provide: RunScheduler, useClass: Immediately }] }, async (pair) => {
      const answer = await pair.call(rpc('SendMessage', message('echo hi')));
      expect(at(answer.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
      expect(owners).toHaveLength(2);
    });
  });
});

describe('AgentCardProvider', () => {
  class Cards extends AgentCardProvider {
    override async getCard(): Promise<AgentCardInput> {
      return cardOf('Provided');
    }

    override async getExtendedCard(user: A2AUser, card: AgentCard): Promise<AgentCard | undefined> {
      if (user.id === 'stranger') return undefined;
      const [skill] = card.skills;
      if (skill === undefined) return undefined;
      return { ...card, skills: [...card.skills, { ...skill, id: 'hidden', name: `For ${user.id}` }] };
    }
  }

  it('gives the card, and another one to who is known', async () => {
    const extras = { providers: [{ provide: AgentCardProvider, useClass: Cards }], guards: [BelievingGuard] };
    const pair = await Pair.start(() => A2AModule.forRoot({ executor: EchoExecutor, ...extras }));
    try {
      const open = await pair.call({ path: CARD_PATH });
      expect(open.body).toMatchObject({ name: 'Provided', capabilities: { extendedAgentCard: true } });
      const viaRpc = await pair.call(rpc('GetExtendedAgentCard', undefined, asUser('ann')));
      expect(at(viaRpc.body, 'result.skills.1.name')).toBe('For ann');
      expect(at(viaRpc.body, 'result.supportedInterfaces')).toEqual(at(open.body, 'supportedInterfaces'));
      const viaRest = await pair.call(rest('GET', '/extendedAgentCard', undefined, asUser('ben')));
      expect(viaRest.status).toBe(200);
      expect(at(viaRest.body, 'skills.1.name')).toBe('For ben');
      const stranger = await pair.call(rest('GET', '/extendedAgentCard', undefined, asUser('stranger')));
      expect(at(stranger.body, 'error.details.0.reason')).toBe('EXTENDED_AGENT_CARD_NOT_CONFIGURED');
      const anonymous = await pair.call(rpc('GetExtendedAgentCard'));
      expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    } finally {
      await pair.close();
    }
  });
});

describe('RequestHandler', () => {
  it('is replaced', async () => {
    class OneTask extends RequestHandler {
      override async getTask({ id }: GetTaskRequest, call: ServerCallContext): Promise<Task> {
        return { id, contextId: call.binding, status: { state: 'TASK_STATE_COMPLETED' } };
      }

      override sendMessage = refuse;
      override sendStreamingMessage = refuse;
      override listTasks = refuse;
      override cancelTask = refuse;
      override subscribeToTask = refuse;
      override createTaskPushNotificationConfig = refuse;
      override getTaskPushNotificationConfig = refuse;
      override listTaskPushNotificationConfigs = refuse;
      override deleteTaskPushNotificationConfig = refuse;
      override getExtendedAgentCard = refuse;
    }
    await withProviders({ providers: [{ provide: RequestHandler, useClass: OneTask }] }, async (pair) => {
      const viaRpc = await pair.call(rpc('GetTask', { id: 'any' }));
      expect(at(viaRpc.body, 'result')).toMatchObject({ id: 'any', contextId: 'JSONRPC' });
      const viaRest = await pair.call(rest('GET', '/tasks/any'));
      expect(viaRest.body).toMatchObject({ id: 'any', contextId: 'HTTP+JSON' });
      const refused = await pair.call(rpc('SendStreamingMessage', message('echo hi')));
      expect(refused.status).toBe(503);
    });
  });
});

async function refuse(): Promise<never> {
  throw new UnavailableError();
}

describe('several seams', () => {
  it('inject each other and what imported modules export', async () => {
    @Injectable()
    class Names {
      readonly known = new Set(['ann']);
    }
    @Module({ providers: [Names], exports: [Names] })
    class NamesModule {}
    @Injectable()
    class KnownUsers extends UserResolver {
      constructor(private readonly names: Names) {
        super();
      }

      override resolve(request: object): A2AUser {
        const name = String(at(request, 'headers.x-user'));
        return this.names.known.has(name) ? { id: name, authenticated: true } : ANONYMOUS_USER;
      }
    }
    await withProviders(
      { imports: [NamesModule], providers: [{ provide: UserResolver, useClass: KnownUsers }] },
      async (pair) => {
        const answer = await pair.call(rpc('SendMessage', message('whoami'), { 'x-user': 'ann' }));
        expect(at(answer.body, 'result.task.artifacts.0.parts.0.data.user')).toBe('ann');
      },
    );
  });
});
