import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import {
  A2AConfigurationError,
  A2ADiagnostics,
  A2AModule,
  a2aConfig,
  AgentCardError,
  AgentExecutor,
  TaskStore,
  type A2AModuleOptions,
  type RequestContext,
} from 'nestjs-a2a';
import { CARD_PATH, JSON_RPC_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { caught } from '../support/caught.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { at, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { ADAPTERS, start } from '../support/running-app.js';

@Injectable()
class DeclaredExecutor extends EchoExecutor {
  constructor() {
    super('declared');
  }
}

class OtherExecutor extends EchoExecutor {}

/** Only looks like an executor, as `implements` makes it. */
class ImplementingExecutor implements AgentExecutor {
  execute(context: RequestContext): string {
    return `implemented ${context.text}`;
  }
}

function appOf(a2a: DynamicModule, metadata: Pick<ModuleMetadata, 'imports' | 'providers'> = {}): Type {
  @Module({ ...metadata, imports: [...(metadata.imports ?? []), a2a] })
  class AppModule {}
  return AppModule;
}

const artifactText = (body: unknown): unknown => at(body, 'result.task.artifacts.0.parts.0.text');

async function withPair(module: () => DynamicModule | Type, use: (pair: Pair) => Promise<void>): Promise<void> {
  const pair = await Pair.start(module);
  try {
    await use(pair);
  } finally {
    await pair.close();
  }
}

describe('environment', () => {
  const names: string[] = [];
  const setEnv = (name: string, value: string): void => {
    names.push(name);
    process.env[name] = value;
  };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'a2a-'));
  });
  afterEach(() => {
    for (const name of names.splice(0)) delete process.env[name];
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['', 'file:'])('forRoot() without options reads the card from the file that %sPATH names', async (scheme) => {
    const path = join(folder, 'card.json');
    await writeFile(path, JSON.stringify(cardOf('From a file')));
    setEnv('A2A_SERVER_AGENT_CARD', scheme + path);
    await withPair(
      () => appOf(A2AModule.forRoot(), { providers: [DeclaredExecutor] }),
      async (pair) => {
        const card = await pair.call({ path: CARD_PATH });
        expect(at(card.body, 'name')).toBe('From a file');
        const answer = await pair.call(rpc('SendMessage', message('hi')));
        expect(artifactText(answer.body)).toBe('declared hi');
      },
    );
  });

  it('forRoot() without options reads agentcard.json in the working directory', async () => {
    const before = process.cwd();
    await writeFile(join(folder, 'agentcard.json'), JSON.stringify(cardOf('From here')));
    process.chdir(folder);
    try {
      await withPair(
        () => appOf(A2AModule.forRoot(), { providers: [DeclaredExecutor] }),
        async (pair) => {
          expect(at((await pair.call({ path: CARD_PATH })).body, 'name')).toBe('From here');
        },
      );
    } finally {
      process.chdir(before);
    }
  });

  it.each(ADAPTERS)('a card that is not there stops the start on %s, by its name', async (adapter) => {
    setEnv('A2A_SERVER_AGENT_CARD', join(folder, 'none.json'));
    const error = await caught(start(adapter, appOf(A2AModule.forRoot({ executor: EchoExecutor }))));
    expect(error instanceof AgentCardError || error instanceof A2AConfigurationError).toBe(true);
    expect(error.message).toContain('none.json');
  });

  it('settings come from variables, and code wins over them', async () => {
    setEnv('A2A_SERVER_JSON_RPC_PATH', '/from/env');
    setEnv('A2A_SERVER_PATH_PREFIX', '/from/env/rest');
    setEnv('A2A_SERVER_MAX_REQUEST_BYTES', '300');
    await withPair(
      () => A2AModule.forRoot({ agentCard: cardOf('Env'), executor: EchoExecutor, pathPrefix: '/from/code' }),
      async (pair) => {
        const viaRpc = await pair.call(rpc('SendMessage', message('hi'), {}, '/from/env'));
        expect(artifactText(viaRpc.body)).toBe('echo hi');
        const viaRest = await pair.call({ path: '/from/code/message:send', body: message('hi') });
        expect(viaRest.status).toBe(200);
        const large = await pair.call({ path: '/from/code/message:send', body: message('x'.repeat(300)) });
        expect(large.status).toBe(413);
      },
    );
  });

  it('all wrong settings are named at once', async () => {
    setEnv('A2A_SERVER_MAX_TASKS', 'many');
    setEnv('A2A_SERVER_TENANT_ROUTES', 'perhaps');
    const options: A2AModuleOptions = { agentCard: cardOf('Wrong'), agentTimeoutSeconds: -1 };
    const error = await caught(start('express', A2AModule.forRoot({ ...options, executor: EchoExecutor })));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    for (const name of ['A2A_SERVER_MAX_TASKS', 'A2A_SERVER_TENANT_ROUTES', 'agentTimeoutSeconds']) {
      expect(error.message).toContain(name);
    }
  });

  it('a2aConfig.asProvider() brings them by @nestjs/config', async () => {
    setEnv('A2A_SERVER_JSON_RPC_PATH', '/by/config');
    const path = join(folder, 'configured.json');
    await writeFile(path, JSON.stringify(cardOf('Configured')));
    setEnv('A2A_SERVER_AGENT_CARD', path);
    await withPair(
      () =>
        appOf(A2AModule.forRootAsync({ ...a2aConfig.asProvider(), executor: EchoExecutor }), {
          imports: [ConfigModule.forRoot({ ignoreEnvFile: true })],
        }),
      async (pair) => {
        const answer = await pair.call(rpc('SendMessage', message('hi'), {}, '/by/config'));
        expect(artifactText(answer.body)).toBe('echo hi');
        expect(at((await pair.call({ path: CARD_PATH })).body, 'name')).toBe('Configured');
      },
    );
  });
});

describe('the executor', () => {
  const agentCard = cardOf('Agent');

  it.each(ADAPTERS)('none is an error that names the fix (%s)', async (adapter) => {
    const error = await caught(start(adapter, appOf(A2AModule.forRoot({ agentCard }))));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toContain('found no AgentExecutor');
    expect(error.message).toContain('A2AModule.forRoot({ executor: MyAgent })');
  });

  it.each(ADAPTERS)('two are an error that names both (%s)', async (adapter) => {
    const app = appOf(A2AModule.forRoot({ agentCard }), { providers: [DeclaredExecutor, OtherExecutor] });
    const error = await caught(start(adapter, app));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toMatch(/found 2 executors.*DeclaredExecutor.*OtherExecutor/);
  });

  it('one class that two modules list is one choice', async () => {
    @Module({ providers: [DeclaredExecutor] })
    class OtherModule {}
    await withPair(
      () => appOf(A2AModule.forRoot({ agentCard }), { imports: [OtherModule], providers: [DeclaredExecutor] }),
      async (pair) => {
        expect(artifactText((await pair.call(rpc('SendMessage', message('hi')))).body)).toBe('declared hi');
      },
    );
  });

  it.each<[string, () => DynamicModule | Type, string]>([
    ['a class', () => A2AModule.forRoot({ agentCard, executor: DeclaredExecutor }), 'declared hi'],
    ['useClass', () => A2AModule.forRoot({ agentCard, executor: { useClass: DeclaredExecutor } }), 'declared hi'],
    ['useValue', () => A2AModule.forRoot({ agentCard, executor: { useValue: new EchoExecutor('value') } }), 'value hi'],
    ['implements', () => A2AModule.forRoot({ agentCard, executor: ImplementingExecutor }), 'implemented hi'],
    [
      'useFactory',
      () =>
        A2AModule.forRoot({
          agentCard,
          imports: [ConfigModule.forRoot({ load: [() => ({ word: 'made' })], ignoreEnvFile: true })],
          executor: {
            inject: [ConfigService],
            useFactory: async (config: ConfigService) => new EchoExecutor(config.getOrThrow<string>('word')),
          },
        }),
      'made hi',
    ],
    [
      'useExisting',
      () => {
        @Module({ providers: [DeclaredExecutor], exports: [DeclaredExecutor] })
        class AgentModule {}
        return A2AModule.forRoot({ agentCard, imports: [AgentModule], executor: { useExisting: DeclaredExecutor } });
      },
      'declared hi',
    ],
    [
      'a provider for the token AgentExecutor',
      () => {
        @Module({
          imports: [A2AModule.forRoot({ agentCard })],
          providers: [{ provide: AgentExecutor, useFactory: () => new EchoExecutor('token') }],
        })
        class AppModule {}
        return AppModule;
      },
      'token hi',
    ],
  ])('may be given as %s', async (_what, module, text) => {
    await withPair(module, async (pair) => {
      const answer = await pair.call(rpc('SendMessage', message('hi')));
      expect(artifactText(answer.body)).toBe(text);
    });
  });

  it('given to forRoot stands before one that is declared', async () => {
    await withPair(
      () => appOf(A2AModule.forRoot({ agentCard, executor: OtherExecutor }), { providers: [DeclaredExecutor] }),
      async (pair) => {
        expect(artifactText((await pair.call(rpc('SendMessage', message('hi')))).body)).toBe('echo hi');
      },
    );
  });
});

describe('forRootAsync', () => {
  const late = (settings: A2AModuleOptions): DynamicModule =>
    A2AModule.forRootAsync({
      imports: [ConfigModule.forRoot({ load: [() => ({ a2a: settings })], ignoreEnvFile: true })],
      inject: [ConfigService],
      useFactory: async (config: ConfigService): Promise<A2AModuleOptions> => {
        await new Promise((resolve) => setImmediate(resolve));
        return { agentCard: cardOf('Late'), ...config.getOrThrow<A2AModuleOptions>('a2a') };
      },
      executor: EchoExecutor,
    });

  it('lets paths and flags come late', async () => {
    await withPair(
      () =>
        late({ slashActionAliasesEnabled: true, tenantRoutes: true, jsonRpcPath: '/late/rpc', pathPrefix: '/late' }),
      async (pair) => {
        const viaRpc = await pair.call(rpc('SendMessage', message('hi'), {}, '/late/rpc'));
        expect(artifactText(viaRpc.body)).toBe('echo hi');
        for (const path of ['/late/message:send', '/late/message/send', '/late/acme/message:send']) {
          expect([path, (await pair.call({ path, body: message('hi') })).status]).toEqual([path, 200]);
        }
        const gone = await pair.each(({ url }) => send(url, rpc('ListTasks', {})));
        expect(gone.map(({ status }) => status)).toEqual([404, 404]);
      },
    );
  });

  it('leaves off what the flags do not say', async () => {
    await withPair(
      () => late({}),
      async (pair) => {
        expect((await pair.call(rest('POST', '/message:send', message('hi')))).status).toBe(200);
        for (const path of ['/message/send', '/acme/message:send']) {
          const answers = await pair.each(({ url }) => send(url, rest('POST', path, message('hi'))));
          expect(answers.map(({ status }) => status)).toEqual([404, 404]);
        }
      },
    );
  });

  it.each([
    ['late', () => late({ enabled: false })],
    ['at once', () => A2AModule.forRoot({ enabled: false })],
  ])('enabled: false, given %s, serves nothing and needs nothing', async (_when, module) => {
    await withPair(module, async (pair) => {
      for (const call of [
        { path: CARD_PATH },
        rpc('ListTasks', {}),
        rest('GET', '/tasks'),
        { path: JSON_RPC_PATH },
        rest('POST', '/message:send', {}),
      ]) {
        const answers = await pair.each(({ url }) => send(url, call));
        expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      }
    });
  });

  it('takes a class that makes the options', async () => {
    @Injectable()
    class Options {
      createA2AOptions(): A2AModuleOptions {
        return { agentCard: cardOf('By class'), jsonRpcPath: '/by/class' };
      }
    }
    await withPair(
      () => A2AModule.forRootAsync({ useClass: Options, executor: EchoExecutor }),
      async (pair) => {
        expect((await pair.call(rpc('ListTasks', {}, {}, '/by/class'))).status).toBe(200);
      },
    );
  });
});

describe('exports', () => {
  it('isGlobal lets any module inject the seams', async () => {
    @Injectable()
    class Janitor {
      constructor(
        readonly store: TaskStore,
        readonly diagnostics: A2ADiagnostics,
      ) {}
    }
    @Module({ providers: [Janitor] })
    class FarModule {}
    await withPair(
      () =>
        appOf(A2AModule.forRoot({ agentCard: cardOf('Global'), executor: EchoExecutor, isGlobal: true }), {
          imports: [FarModule],
        }),
      async (pair) => {
        await pair.call(rpc('SendMessage', message('hi')));
        const totals = await pair.each(async ({ running }) => {
          const { store, diagnostics } = running.app.get(Janitor, { strict: false });
          const { total } = await store.list({ scope: { agent: '' }, limit: 0 });
          return [total, diagnostics.gauges().runsRunning];
        });
        expect(totals).toEqual([
          [1, 0],
          [1, 0],
        ]);
      },
    );
  });

  it.each(ADAPTERS)('without isGlobal only who imports the module (%s)', async (adapter) => {
    @Injectable()
    class Janitor {
      constructor(readonly store: TaskStore) {}
    }
    @Module({ providers: [Janitor] })
    class FarModule {}
    const app = appOf(A2AModule.forRoot({ agentCard: cardOf('Local'), executor: EchoExecutor }), {
      imports: [FarModule],
    });
    expect((await caught(start(adapter, app))).message).toContain('TaskStore');
  });
});
