import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, Scope, type Provider, type Type } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { A2AConfigurationError, A2AModule, TaskAuthorizationProvider, type ServerCallContext } from 'nestjs-a2a';
import { message, rest, rpc } from '../support/a2a-calls.js';
import { caught } from '../support/caught.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { at, send } from '../support/http-call.js';
import { Ledger } from '../support/ledger.provider.js';
import { Pair } from '../support/parity.js';
import { ADAPTERS, start } from '../support/running-app.js';

const agentCard = cardOf('Guarded');
const TOKEN = TaskAuthorizationProvider;
const agent = (path?: string, providers: Provider[] = []): ReturnType<typeof A2AModule.forRoot> =>
  A2AModule.forRoot({ agentCard, executor: EchoExecutor, providers, ...(path !== undefined && { path }) });

/** Refuses everything. */
@Injectable()
class Refusing extends Ledger {
  override verdict = (): boolean => false;
}

/** Of the kind by its shape only. */
@Injectable()
class Shaped implements TaskAuthorizationProvider {
  checkCreate = (): boolean => false;
  checkRead = (): boolean => false;
  checkWrite = (): boolean => false;
  isTaskRecorded = (): boolean => true;
  recordOwnership = (): void => undefined;
}

/** The app: one agent, and a module of the host with these providers, which only another module imports. */
function appWith(...providers: Provider[]): Type {
  @Module({ providers })
  class TeamsModule {}
  @Module({ imports: [TeamsModule] })
  class OfficeModule {}
  @Module({ imports: [agent(), OfficeModule] })
  class AppModule {}
  return AppModule;
}

describe('a provider that the app declares', () => {
  it.each<[string, () => Provider[]]>([
    ['a class that extends it, in a module of another module', () => [Refusing]],
    ['its token with a class', () => [{ provide: TOKEN, useClass: Refusing }]],
    ['its token with a class of that shape', () => [{ provide: TOKEN, useClass: Shaped }]],
    ['its token with a value', () => [{ provide: TOKEN, useValue: new Refusing() }]],
    ['its token with a factory', () => [{ provide: TOKEN, useFactory: async () => new Shaped() }]],
    ['another token with a value', () => [{ provide: 'teams', useValue: new Refusing() }]],
    [
      'its token as another name of a class that extends it',
      () => [Refusing, { provide: TOKEN, useExisting: Refusing }],
    ],
    ['its token as another name of a class of that shape', () => [Shaped, { provide: TOKEN, useExisting: Shaped }]],
  ])('is found: %s', async (_how, providers) => {
    const pair = await Pair.start(() => appWith(...providers()));
    try {
      expect(at((await pair.call(rpc('SendMessage', message('hi')))).body, 'error.code')).toBe(-32001);
      expect((await pair.call(rest('GET', '/tasks'))).status).toBe(404);
    } finally {
      await pair.close();
    }
  });

  it.each(ADAPTERS)('is one too many beside another one, and the error says what to do (%s)', async (adapter) => {
    const error = await caught(start(adapter, appWith(Ledger, Refusing)));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toMatch(
      /2 TaskAuthorizationProviders \(.*Ledger.*Refusing.*\) and cannot choose: pass one in/,
    );
  });

  it.each([
    ['without all it needs', { checkCreate: () => true, checkRead: () => true, isTaskRecorded: () => true }],
    ['that is not there after all', undefined],
  ])('is refused at start: one %s', async (_what, useValue) => {
    const error = await caught(start('express', appWith({ provide: TOKEN, useFactory: () => useValue })));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toMatch(/has no .*checkWrite\(\), .*recordOwnership\(\): pass a class that/);
  });

  it('is not mixed up with that of another agent', async () => {
    const pair = await Pair.start(() => {
      @Module({
        imports: [agent('strict', [{ provide: TOKEN, useClass: Refusing }]), agent('open')],
        providers: [{ provide: TOKEN, useClass: Ledger }],
      })
      class AppModule {}
      return AppModule;
    });
    try {
      const strict = await pair.call(rpc('SendMessage', message('hi'), {}, '/strict/a2a/jsonrpc'));
      expect(at(strict.body, 'error.code')).toBe(-32001);
      const open = await pair.call(rpc('SendMessage', message('hi'), {}, '/open/a2a/jsonrpc'));
      expect(at(open.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
    } finally {
      await pair.close();
    }
  });
});

describe('a request-scoped provider', () => {
  @Injectable()
  class Table {
    made = 0;
    readonly teams = new Map<string, unknown>();
  }

  @Injectable({ scope: Scope.REQUEST })
  class Team {
    constructor(@Inject(REQUEST) private readonly request: object) {}

    get name(): unknown {
      return at(this.request, 'headers.x-team');
    }
  }

  // Scoped by what it depends on.
  @Injectable()
  class TeamTasks extends TaskAuthorizationProvider {
    constructor(
      private readonly team: Team,
      private readonly table: Table,
    ) {
      super();
      table.made++;
    }

    checkCreate(): boolean {
      return this.team.name !== undefined;
    }

    checkRead(_call: ServerCallContext, taskId: string): boolean {
      return taskId === '' || this.table.teams.get(taskId) === this.team.name;
    }

    checkWrite(call: ServerCallContext, taskId: string): boolean {
      return this.checkRead(call, taskId);
    }

    isTaskRecorded(taskId: string): boolean {
      return this.table.teams.has(taskId);
    }

    recordOwnership(_call: ServerCallContext, taskId: string): void {
      this.table.teams.set(taskId, this.team.name);
    }
  }

  it.each<[string, () => Type]>([
    ['declared in the app', () => appWith(Table, Team, TeamTasks)],
    [
      'given to forRoot',
      () => {
        @Module({ imports: [agent(undefined, [Table, Team, { provide: TOKEN, useClass: TeamTasks }])] })
        class AppModule {}
        return AppModule;
      },
    ],
  ])('%s is made once for each call, with its request', async (_how, module) => {
    const pair = await Pair.start(module);
    try {
      const made = (): Promise<number[]> => pair.each(({ running }) => running.app.get(Table, { strict: false }).made);
      const team = (name: string) => ({ 'x-team': name });
      expect(at((await pair.call(rpc('SendMessage', message('hi')))).body, 'error.code')).toBe(-32001);
      for (let n = 0; n < 3; n++) {
        await pair.note('id', 'result.task.id', rpc('SendMessage', message('hi'), team('red')));
      }
      expect(await made()).toEqual([4, 4]);
      const red = await pair.call(rpc('ListTasks', {}, team('red')));
      expect(at(red.body, 'result.totalSize')).toBe(3);
      const blue = await pair.call(rpc('ListTasks', {}, team('blue')));
      expect(at(blue.body, 'result.totalSize')).toBe(0);
      expect(await made()).toEqual([6, 6]);
      const answers = await pair.each((side) => send(side.url, rpc('GetTask', { id: side.note('id') }, team('blue'))));
      expect(answers.map(({ body }) => at(body, 'error.code'))).toEqual([-32001, -32001]);
    } finally {
      await pair.close();
    }
  });
});
