import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, Scope, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { A2AClient, ApiKeyCredential } from 'nestjs-a2a/client';
import {
  A2AClientModule,
  getA2AClientToken,
  InjectA2AClient,
  type A2AClientModuleOptions,
} from 'nestjs-a2a/client/nest';
import { caught } from '../support/caught.js';
import { scriptedAgents } from './scripted-agent.js';

const WEATHER = { name: 'weather', url: 'https://weather.example' };
const NEWS = { name: 'news', url: 'https://news.example' };
const ROOT = /Import it once/;

@Injectable()
class Forecast {
  constructor(@InjectA2AClient('weather') readonly client: A2AClient) {}
}

@Injectable({ scope: Scope.REQUEST })
class RequestForecast {
  constructor(@InjectA2AClient('weather') readonly client: A2AClient) {}
}

const open: TestingModule[] = [];

async function app(imports: ModuleMetadata['imports'], providers: ModuleMetadata['providers'] = []) {
  const module = await Test.createTestingModule({ imports, providers }).compile();
  open.push(module);
  return module.init();
}

/** A module of its own that names agents, and shows what it was given for one. */
function feature(agents: DynamicModule): Type {
  @Module({ imports: [agents], providers: [Forecast], exports: [Forecast] })
  class FeatureModule {}
  return FeatureModule;
}

const clientOf = (module: TestingModule, name?: string, root?: string): A2AClient =>
  module.get(getA2AClientToken(name, root), { strict: false });

afterEach(async () => {
  await Promise.all(open.splice(0).map((module) => module.close()));
});

/** As from a factory that forgot to say `return`. */
const nothing = () => Reflect.get({}, 'options');

describe('A2AClientModule', () => {
  it('sends nothing at start, finds the agent once for many calls, and tries again what failed', async () => {
    let broken = true;
    const http = scriptedAgents(({ method }) => (broken && method === 'GET' ? { status: 503 } : undefined));
    const module = await app(
      [A2AClientModule.forRoot({ http }), A2AClientModule.forFeature([WEATHER, NEWS])],
      [Forecast],
    );
    expect(http.asked).toEqual([]);
    const { client } = module.get(Forecast);
    expect(await caught(client.sendTask('Rain?'))).toMatchObject({ code: 'DISCOVERY_FAILED' });
    broken = false;
    const before = http.asked.length;
    const answers = await Promise.all([client.sendTask('Rain?'), client.sendTask('Sun?')]);
    expect(answers).toEqual(['Rain? at weather.example by nobody', 'Sun? at weather.example by nobody']);
    expect(http.asked.slice(before)).toEqual([
      'GET https://weather.example/.well-known/agent-card.json',
      'POST https://weather.example/rpc',
      'POST https://weather.example/rpc',
    ]);
  });

  it('gives an agent what is its own, and the rest to all', async () => {
    const http = scriptedAgents();
    const news = { ...NEWS, credentials: new ApiKeyCredential('news-key'), retry: undefined };
    const module = await app([
      A2AClientModule.forRoot({ http, credentials: new ApiKeyCredential('all-key') }),
      A2AClientModule.forFeature([WEATHER, news]),
    ]);
    expect(await clientOf(module, 'weather').sendTask('Hi')).toBe('Hi at weather.example by all-key');
    expect(await clientOf(module, 'news').sendTask('Hi')).toBe('Hi at news.example by news-key');
  });

  it('takes options that come later', async () => {
    const options: A2AClientModuleOptions = { http: scriptedAgents() };
    class Options {
      createA2AClientOptions = () => options;
    }
    @Module({ providers: [Options, { provide: 'place', useValue: 'later.example' }], exports: [Options, 'place'] })
    class OptionsModule {}
    const imports = [OptionsModule];
    const agent = {
      name: 'late',
      imports,
      inject: ['place'],
      useFactory: async (place: string) => ({ url: `https://${place}` }),
    };
    for (const root of [
      A2AClientModule.forRootAsync({ useFactory: async () => options }),
      A2AClientModule.forRootAsync({ useClass: Options }),
      A2AClientModule.forRootAsync({ imports, useExisting: Options }),
    ]) {
      const module = await app([root, A2AClientModule.forFeatureAsync([agent])]);
      expect(await clientOf(module, 'late').sendTask('Hi')).toBe('Hi at later.example by nobody');
    }
  });

  it('shares the client of an agent among all who name it alike, of any scope', async () => {
    const limits = { totalTimeoutMs: 5 };
    const one = feature(A2AClientModule.forFeature([{ ...WEATHER, limits }]));
    const two = feature(
      A2AClientModule.forFeature([{ ...WEATHER, url: new URL('https://weather.example/'), limits: { ...limits } }]),
    );
    const module = await app(
      [
        A2AClientModule.forRoot({ http: scriptedAgents() }),
        one,
        two,
        A2AClientModule.forFeature([{ ...WEATHER, limits }]),
      ],
      [RequestForecast],
    );
    const clients = [one, two].map((entry) => module.select(entry).get(Forecast).client);
    for (let request = 0; request < 2; request += 1) {
      clients.push((await module.resolve(RequestForecast, ContextIdFactory.create())).client);
    }
    expect(new Set(clients).size).toBe(1);
  });

  it('shares the client of a module that exports it', async () => {
    @Module({ imports: [A2AClientModule.forFeature([WEATHER])], exports: [A2AClientModule] })
    class SharedModule {}
    @Module({ imports: [SharedModule], providers: [Forecast] })
    class ConsumerModule {}
    const module = await app([A2AClientModule.forRoot({ http: scriptedAgents() }), ConsumerModule]);
    const { client } = module.select(ConsumerModule).get(Forecast);
    expect(client).toBe(clientOf(module, 'weather'));
  });

  it('has a client without an agent, for addresses that are known at run time only', async () => {
    const module = await app([A2AClientModule.forRoot({ http: scriptedAgents() })]);
    const client = clientOf(module);
    expect(await client.at('https://found.example').sendTask('Hi')).toBe('Hi at found.example by nobody');
    expect(await caught(client.sendTask('Hi'))).toMatchObject({ code: 'NOT_CONNECTED' });
  });

  it('has several roots where they are told apart', async () => {
    const [http, partners] = [scriptedAgents(), scriptedAgents()];
    const module = await app([
      A2AClientModule.forRoot({ http }),
      A2AClientModule.forRoot({ http: partners, root: 'partners' }),
      A2AClientModule.forFeature([WEATHER]),
      A2AClientModule.forFeature([{ name: 'weather', url: 'https://partner.example' }], 'partners'),
    ]);
    expect(await clientOf(module, 'weather').sendTask('Hi')).toBe('Hi at weather.example by nobody');
    expect(await clientOf(module, 'weather', 'partners').sendTask('Hi')).toBe('Hi at partner.example by nobody');
    expect([http, partners].map(({ asked }) => asked.length)).toEqual([2, 2]);
  });

  it('lets tests put something else in place of a client', async () => {
    const http = scriptedAgents();
    const module = await Test.createTestingModule({
      imports: [A2AClientModule.forRoot({ http }), A2AClientModule.forFeature([WEATHER])],
      providers: [Forecast],
    })
      .overrideProvider(getA2AClientToken('weather'))
      .useValue({ sendTask: async () => 'no rain' })
      .compile();
    open.push(module);
    expect(await module.get(Forecast).client.sendTask('Rain?')).toBe('no rain');
    expect(http.asked).toEqual([]);
  });

  const root = () => A2AClientModule.forRoot({ http: scriptedAgents() });
  const secret = { ...WEATHER, url: 'https://weather.example/?key=hidden' };
  it.each<[problem: string, imports: () => DynamicModule[], message: RegExp]>([
    [
      'two addresses of one name',
      () => [root(), A2AClientModule.forFeature([secret]), A2AClientModule.forFeature([{ ...NEWS, name: 'weather' }])],
      /“weather”: https:\/\/weather\.example\/ and https:\/\/news\.example\/\. .*another name/,
    ],
    [
      'two settings of one name',
      () =>
        ['a', 'a']
          .map((key) => A2AClientModule.forFeature([{ ...WEATHER, credentials: new ApiKeyCredential(key) }]))
          .concat(root()),
      /different `credentials`/,
    ],
    ['no root', () => [A2AClientModule.forFeature([WEATHER])], ROOT],
    ['no root of that name', () => [root(), A2AClientModule.forFeature([WEATHER], 'partners')], ROOT],
    ['two roots', () => [root(), root()], /There are 2 .*tell them apart/],
    ['no name', () => [root(), A2AClientModule.forFeature([{ ...WEATHER, name: ' ' }])], /has no name/],
    [
      'two agents of one name in a list',
      () => [root(), A2AClientModule.forFeature([WEATHER, { ...NEWS, name: 'weather' }])],
      /Two agents of one list are called “weather”/,
    ],
    ['no list', () => [root(), Reflect.apply(A2AClientModule.forFeature, A2AClientModule, [WEATHER])], /takes a list/],
    ['a factory that gives nothing', () => [A2AClientModule.forRootAsync({ useFactory: () => nothing() })], /right is/],
    [
      'no address',
      () => [root(), A2AClientModule.forFeature([{ ...WEATHER, url: 'weather' }])],
      /“weather” cannot be made: .*https:\/\/host\/path/,
    ],
    [
      'an option that there is not',
      () => [root(), A2AClientModule.forFeature([Object.assign({ netwrok: 'any' }, WEATHER)])],
      /“weather” cannot be made: .*netwrok: there is no such option; did you mean network\?/,
    ],
    [
      'an option that there is not, for all',
      () => [A2AClientModule.forRoot(Object.assign({ netwrok: 'any' }))],
      /netwrok: there is no such option; did you mean network\?/,
    ],
    [
      'an option that there is not, from a factory',
      () => [A2AClientModule.forRootAsync({ useFactory: () => Object.assign({ limit: {} }) })],
      /limit: there is no such option; did you mean limits\?/,
    ],
    [
      'a host that is none',
      () => [A2AClientModule.forRoot({ network: { hosts: ['localhost:3000'] } })],
      /'localhost:3000' is not a host/,
    ],
    [
      'a credential that cannot be sent',
      () => [root(), A2AClientModule.forFeature([{ ...WEATHER, credentials: '\n' }])],
      /“weather” cannot be made: /,
    ],
  ])('says at start what is wrong: %s', async (_problem, imports, message) => {
    const error = await caught((async () => app(imports()))());
    expect(error).toMatchObject({ code: 'INVALID_CONFIGURATION', message: expect.stringMatching(message) });
    expect(error.message).not.toContain('hidden');
  });
});
