import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, Scope, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import {
  DefaultControlPoint,
  ExecutionJournal,
  getControlPointToken,
  InMemoryExecutionJournal,
  MessageContent,
  type TaskRequest,
  WorkflowBusyError,
  WorkflowEngineClient,
  type WorkflowEvent,
  WorkflowModule,
  type WorkflowModuleOptions,
  WorkflowObserver,
  type WorkflowRun,
  WorkflowRunner,
  type WorkflowRunReport,
} from 'nestjs-a2a/workflow';
import { CapturingLogger } from '../support/capturing-logger.js';
import type { ScriptedEngineClient } from '../support/workflow/scripted-engine-client.js';
import { asTold, hangingClient, quickClient, SMALL, waitingClient } from './small-workflow.js';

@Injectable()
class Phrases {
  readonly politely = 'please, ';
}

@Module({ providers: [Phrases], exports: [Phrases] })
class PhrasesModule {}

@Injectable()
class Polite extends DefaultControlPoint {
  constructor(private readonly phrases: Phrases) {
    super();
  }

  override onTask({ instruction }: TaskRequest): MessageContent {
    return MessageContent.text(this.phrases.politely + instruction);
  }
}

let made = 0;

@Injectable({ scope: Scope.REQUEST })
class ForOneRun extends DefaultControlPoint {
  private readonly number = ++made;

  constructor(@Inject(REQUEST) private readonly request: { readonly user?: string; readonly executionId?: string }) {
    super();
  }

  override onTask(): MessageContent {
    return MessageContent.text(`${this.number} ${this.request.user ?? this.request.executionId}`);
  }
}

@Module({})
class AppModule {
  static with(imports: DynamicModule[], providers: DynamicModule['providers'] = []): DynamicModule {
    return { module: AppModule, imports, providers };
  }
}

const open: INestApplicationContext[] = [];
const decisions = new (class extends DefaultControlPoint {
  override onTask = asTold;
})();

async function runnerOf(
  client: ScriptedEngineClient,
  options: Parameters<typeof WorkflowModule.forRoot>[0] = {},
  ...more: DynamicModule[]
) {
  const providers = [{ provide: WorkflowEngineClient, useValue: client }, ...(options.providers ?? [])];
  const logger = new CapturingLogger();
  const app = await NestFactory.createApplicationContext(
    AppModule.with([WorkflowModule.forRoot({ ...options, providers }), ...more]),
    { logger, abortOnError: false },
  );
  open.push(app);
  return { app, logger, client, runner: app.get(WorkflowRunner) };
}

const textsOf = ({ sent }: ScriptedEngineClient) => sent.map(({ content }) => content.parts);

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

describe('WorkflowModule', () => {
  it('runs a workflow with a control point that Nest makes, by class and by name', async () => {
    const feature = WorkflowModule.forFeature({
      imports: [PhrasesModule],
      controlPoints: [Polite, { name: 'polite', useExisting: Polite }, { name: 'plain', useFactory: () => decisions }],
    });
    const { runner, client } = await runnerOf(quickClient(), {}, feature);
    for (const controlPoint of [Polite, 'polite', 'plain', decisions]) {
      expect(await runner.run({ psop: SMALL, controlPoint })).toMatchObject({ success: true });
    }
    expect(textsOf(client)).toEqual([
      [{ text: 'please, a' }],
      [{ text: 'please, a' }],
      [{ text: 'a' }],
      [{ text: 'a' }],
    ]);
    expect(client.closed).toBe(0);
  });

  it('makes a request-scoped control point for each run, with the request of the run', async () => {
    made = 0;
    const feature = WorkflowModule.forFeature({ controlPoints: [ForOneRun, { name: 'one', useClass: ForOneRun }] });
    const { runner, client } = await runnerOf(quickClient(), {}, feature);
    await runner.run({ psop: SMALL, controlPoint: ForOneRun, request: { user: 'ada' } });
    await runner.run({ psop: SMALL, controlPoint: 'one', executionId: 'run-2' });
    expect(textsOf(client)).toEqual([[{ text: '1 ada' }], [{ text: '2 run-2' }]]);
  });

  it('finds a control point among the providers of any module', async () => {
    const { runner } = await runnerOf(quickClient(), {}, AppModule.with([], [Phrases, Polite]));
    expect(await runner.run({ psop: SMALL, controlPoint: Polite })).toMatchObject({ success: true });
  });

  it.each<[string, unknown, string]>([
    ['an unknown class', Polite, 'There is no control point Polite: list it in the providers of a module, or in'],
    ['an unknown name', 'nobody', 'There is no control point “nobody”: name it in WorkflowModule.forFeature()'],
    ['nothing', undefined, 'controlPoint is required'],
  ])('refuses %s at once', async (_name, controlPoint, text) => {
    const { runner } = await runnerOf(quickClient());
    const request = Object.assign({ psop: SMALL, controlPoint: decisions }, { controlPoint });
    expect(() => runner.run(request)).toThrow(text);
    expect(runner.running()).toEqual([]);
  });

  it('says that what was found is no control point', async () => {
    const feature = AppModule.with([], [{ provide: getControlPointToken('odd'), useValue: { onTask: asTold } }]);
    const { runner } = await runnerOf(quickClient(), {}, feature);
    await expect(runner.run({ psop: SMALL, controlPoint: 'odd' }).result).rejects.toThrow('“odd” is none: it needs');
  });

  it.each<[string, WorkflowModuleOptions, string]>([
    ['maxConcurrentRuns', { maxConcurrentRuns: 0 }, 'maxConcurrentRuns of WorkflowModule.forRoot() must be at least 1'],
    ['maxEndedRuns', { maxEndedRuns: 1.5 }, 'maxEndedRuns of WorkflowModule.forRoot() must be a whole number'],
    ['a time', { shutdownTimeoutSeconds: Number.NaN }, 'shutdownTimeoutSeconds of WorkflowModule.forRoot() must be'],
    ['the client', { client: { taskPollIntervalMillis: 1 } }, 'taskPollIntervalMillis must be at least 100ms'],
  ])('does not start with a wrong %s', async (_name, options, text) => {
    await expect(runnerOf(quickClient(), options)).rejects.toThrow(text);
  });

  it.each<[string, WorkflowModuleOptions['client'], string]>([
    ['certificates', { caCertsPath: '/none' }, 'Failed to build outbound TLS context'],
    ['credentials', { credentialsConfigPath: '/none' }, 'Credentials file not found: /none'],
  ])('does not start with wrong %s', async (_name, client, text) => {
    const starting = NestFactory.createApplicationContext(AppModule.with([WorkflowModule.forRoot({ client })]), {
      logger: false,
      abortOnError: false,
    });
    await expect(starting).rejects.toThrow(text);
  });

  it('does not start with two roots, nor with two control points of one name', async () => {
    await expect(runnerOf(quickClient(), {}, WorkflowModule.forRoot({ maxEndedRuns: 1 }))).rejects.toThrow(
      'There are 2 WorkflowModule.forRoot()',
    );
    const named = () => WorkflowModule.forFeature({ controlPoints: [{ name: 'twice', useFactory: () => decisions }] });
    await expect(runnerOf(quickClient(), {}, named(), named())).rejects.toThrow(
      'Two control points are called “twice”',
    );
  });

  it('takes options that come later', async () => {
    const client = hangingClient();
    const app = await NestFactory.createApplicationContext(
      AppModule.with([
        WorkflowModule.forRootAsync({
          useFactory: async () => ({ maxConcurrentRuns: 1 }),
          providers: [{ provide: WorkflowEngineClient, useValue: client }],
        }),
      ]),
      { logger: false, abortOnError: false },
    );
    open.push(app);
    const runner = app.get(WorkflowRunner);
    void runner.run({ psop: SMALL, controlPoint: decisions });
    expect(() => runner.run({ psop: SMALL, controlPoint: decisions })).toThrow(WorkflowBusyError);
  });
});

describe('WorkflowRunner', () => {
  it('has a bound: one more is refused, until one has ended', async () => {
    const { client, goOn } = waitingClient();
    const { runner } = await runnerOf(client, { maxConcurrentRuns: 2 });
    const start = (): WorkflowRun => runner.run({ psop: SMALL, controlPoint: decisions });
    const runs = [start(), start()];
    expect(runner.running()).toEqual(runs);
    expect(start).toThrow('2 workflow runs are at work, and no more may be');
    goOn();
    await Promise.all(runs);
    expect(runner.running()).toEqual([]);
    expect(await start()).toMatchObject({ success: true });
  });

  it('knows the last runs that have ended, and forgets the ones before', async () => {
    const { runner } = await runnerOf(quickClient(), { maxEndedRuns: 2 });
    for (const executionId of ['r1', 'r2', 'r3'])
      await runner.run({ psop: SMALL, controlPoint: decisions, executionId });
    expect(['r1', 'r2', 'r3'].map((id) => runner.find(id)?.executionId)).toEqual([undefined, 'r2', 'r3']);
  });

  it('refuses a second run with the id of one that is at work', async () => {
    const { runner } = await runnerOf(hangingClient());
    void runner.run({ psop: SMALL, controlPoint: decisions, executionId: 'same' });
    expect(() => runner.run({ psop: SMALL, controlPoint: decisions, executionId: 'same' })).toThrow(
      'Execution is already running: same',
    );
  });

  it('resumes from the journal of the module, from an option or a provider', async () => {
    const journal = new InMemoryExecutionJournal();
    const first = await runnerOf(quickClient(), { journal });
    const result = await first.runner.run({ psop: SMALL, controlPoint: decisions, executionId: 'kept' });
    const second = await runnerOf(quickClient(), { providers: [{ provide: ExecutionJournal, useValue: journal }] });
    expect(await second.runner.resume('kept', { controlPoint: decisions })).toEqual(result);
    expect(second.client.sent).toEqual([]);
    const third = await runnerOf(quickClient());
    expect(() => third.runner.resume('kept', { controlPoint: decisions })).toThrow(
      'give WorkflowModule.forRoot() a journal',
    );
  });

  it('tells observers of every run, and outlives what they throw', async () => {
    const told: unknown[] = [];
    @Injectable()
    class Audit extends WorkflowObserver {
      constructor(private readonly phrases: Phrases) {
        super();
      }
      override runStarted(run: WorkflowRun): void {
        told.push(this.phrases.politely, run.executionId);
      }
      override event(executionId: string, { type }: WorkflowEvent): void {
        if (type === 'start' || type === 'close') told.push(`${executionId} ${type}`);
        throw new Error('not my day');
      }
      override runEnded({ milliseconds, ...report }: WorkflowRunReport): void {
        expect(milliseconds).toBeGreaterThan(0);
        told.push(report);
      }
    }
    const { runner, logger } = await runnerOf(quickClient(), { observers: [Audit], providers: [Phrases] });
    await runner.run({ psop: SMALL, controlPoint: decisions, executionId: 'r' });
    const cancelled = runner.run({ psop: SMALL, controlPoint: decisions, executionId: 'c' });
    cancelled.cancel();
    await expect(cancelled.result).rejects.toThrow('cancelled');
    await Promise.resolve();
    expect(told).toEqual([
      'please, ',
      'r',
      'r start',
      'r close',
      { executionId: 'r', outcome: 'success' },
      'please, ',
      'c',
      'c close',
      { executionId: 'c', outcome: 'error', error: 'CancellationException' },
    ]);
    expect(logger.text).toContain('Audit threw: not my day');
  });

  it('cancels what is at work when the app ends, waits for it, and begins nothing any more', async () => {
    const { app, runner, client } = await runnerOf(hangingClient());
    const run = runner.run({ psop: SMALL, controlPoint: decisions });
    const events: string[] = [];
    run.events$.subscribe(({ type }) => events.push(type));
    while (client.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.close();
    expect(runner.running()).toEqual([]);
    expect(events.at(-1)).toBe('close');
    await expect(run.result).rejects.toThrow('Workflow execution cancelled');
    expect(() => runner.run({ psop: SMALL, controlPoint: decisions })).toThrow('The app is shutting down');
  });

  it('does not wait for ever for a run that does not stop', async () => {
    const client = quickClient();
    client.sendTask = () => new Promise(() => undefined);
    const { app, runner, logger } = await runnerOf(client, { shutdownTimeoutSeconds: 0.02 });
    const run = runner.run({ psop: SMALL, controlPoint: decisions });
    const asked = new Promise<void>((resolve) =>
      run.events$.subscribe(({ type }) => type === 'task_request' && resolve()),
    );
    await asked;
    await new Promise((resolve) => setImmediate(resolve));
    await app.close();
    expect(logger.text).toContain(`Workflow runs did not stop in time: ${run.executionId}`);
  });
});
