import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, UnauthorizedException, type INestApplication } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import {
  A2AConfigurationError,
  ApiKeyScheme,
  AuthenticationScheme,
  BasicScheme,
  BearerScheme,
  JwtScheme,
  serveAgent,
  UserResolver,
  type A2AModuleExtras,
  type A2AUser,
  type AuthenticationRequest,
} from 'nestjs-a2a';
import { SignJWT } from 'jose';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { probeCard } from '../probe-agent/probe.options.js';
import { asUser, CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { caught } from '../support/caught.js';
import { EchoExecutor } from '../support/echo.executor.js';
import { at, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, adapterOf, start } from '../support/running-app.js';

const SECRET = 'a shared secret of more than 32 bytes';
const LIST = rest('GET', '/tasks');
const key = (value: string) => ({ 'x-api-key': value });
const trusting = {
  setup: (app: INestApplication, adapter: string): void => {
    if (adapter === 'express') Reflect.apply(Reflect.get(app, 'set'), app, ['trust proxy', 1]);
  },
  fastify: { trustProxy: true },
};

describe('failed logins', () => {
  it('are logged with address and scheme, without what was sent, and a few only', async () => {
    const logger = new CapturingLogger();
    const authentication = [
      new ApiKeyScheme({ keys: 'right-key' }),
      new BasicScheme({ users: [{ user: 'ann', password: 'right-password' }] }),
    ];
    const { url, close } = await start('express', probeModule({ authentication }), { logger });
    try {
      const pair = Buffer.from('ann:wrong-password').toString('base64');
      await send(url, { ...LIST, headers: { ...key('wrong-key'), authorization: `Basic ${pair}` } });
      expect(logger.lines.filter((line) => line.includes('Failed login'))).toEqual([
        'warn: Failed login from 127.0.0.1: apiKey (unknown key), basic (unknown name or password) A2A',
      ]);
      await send(url, LIST);
      for (let n = 0; n < 30; n++) await send(url, { ...LIST, headers: key(`wrong-key-${n}`) });
      await send(url, { ...LIST, headers: key('right-key') });
      expect(logger.lines.filter((line) => line.includes('Failed login'))).toHaveLength(10);
      expect(logger.text).not.toMatch(/wrong-|right-|ann:|Basic /);
    } finally {
      await close();
    }
  });

  it('are noticed where a guard of the host might have known better, and did not', async () => {
    const logger = new CapturingLogger();
    const card = {
      ...probeCard(),
      securitySchemes: { session: { httpAuthSecurityScheme: { scheme: 'Session' } } },
      securityRequirements: ['apiKey', 'session'].map((name) => ({ schemes: { [name]: { list: [] } } })),
    };
    const authentication = [new ApiKeyScheme({ keys: 'right' })];
    const module = probeModule({ agentCard: card, authentication, guards: [BelievingGuard] });
    const { url, close } = await start('express', module, { logger });
    try {
      const statusOf = async (headers: Record<string, string>): Promise<number> =>
        (await send(url, { ...LIST, headers: { ...key('wrong'), ...headers } })).status;
      const logged = (): number => logger.lines.filter((line) => line.includes('Failed login')).length;
      expect([await statusOf(asUser('hal')), logged()]).toEqual([200, 0]);
      // The guard throws 401.
      expect([await statusOf({ authorization: 'nonsense' }), logged()]).toEqual([401, 1]);
      // The guard knows nobody.
      expect([await statusOf({}), logged()]).toEqual([401, 2]);
    } finally {
      await close();
    }
  });

  it('are limited for each address, where the app trusts its proxy', async () => {
    const module = () => probeModule({ authentication: [new ApiKeyScheme({ keys: 'right' })], maxFailedLogins: 3 });
    const pair = await Pair.start(module, trusting);
    try {
      const from = (address: string, value: string) =>
        pair.call({ ...LIST, headers: { ...key(value), 'x-forwarded-for': address } });
      for (let n = 0; n < 3; n++) expect((await from('192.0.2.1', 'wrong')).status).toBe(401);
      await pair.each(async ({ url }) => {
        const headers = { ...key('right'), 'x-forwarded-for': '192.0.2.1' };
        const limited = await send(url, { ...LIST, headers });
        expect([limited.status, at(limited.body, 'error.details.0.reason')]).toEqual([429, 'RESOURCE_EXHAUSTED']);
        expect(Number(limited.headers['retry-after'])).toBeGreaterThan(50);
        const viaRpc = await send(url, rpc('ListTasks', {}, headers));
        expect([viaRpc.status, at(viaRpc.body, 'error.code')]).toEqual([429, -32092]);
      });
      expect((await from('192.0.2.2', 'right')).status).toBe(200);
      expect((await pair.call({ path: CARD_PATH, headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(200);
    } finally {
      await pair.close();
    }
  });

  it('are limited for guesses that come all at once, too', async () => {
    const waiting: (() => void)[] = [];
    const verify = async (token: string): Promise<A2AUser | undefined> => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        // Each app has eight under way before the first one is decided.
        if (waiting.length === 16) for (const go of waiting) go();
      });
      return token === 'right' ? { id: 'ann', authenticated: true } : undefined;
    };
    const pair = await Pair.start(
      () => probeModule({ authentication: [new BearerScheme({ verify })], maxFailedLogins: 3 }),
      trusting,
    );
    try {
      const tokens = [...Array.from({ length: 7 }, (_, n) => `wrong-${n}`), 'right'];
      await pair.each(async ({ url }) => {
        const answers = await Promise.all(
          tokens.map((token) => send(url, { ...LIST, headers: { authorization: `Bearer ${token}` } })),
        );
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 401)).toHaveLength(3);
        expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
      });
    } finally {
      await pair.close();
    }
  });

  it.each(ADAPTERS)(
    'are not limited on %s while the app does not say whom it trusts, which is told',
    async (adapter) => {
      const logger = new CapturingLogger();
      const module = probeModule({ authentication: [new ApiKeyScheme({ keys: 'right' })], maxFailedLogins: 1 });
      const { url, close } = await start(adapter, module, { logger });
      try {
        for (let n = 0; n < 3; n++) {
          const headers = { ...key('wrong'), 'x-forwarded-for': '192.0.2.1' };
          expect((await send(url, { ...LIST, headers })).status).toBe(401);
        }
        expect(logger.lines.filter((line) => line.includes('maxFailedLogins'))).toHaveLength(1);
        expect(logger.text).not.toContain('192.0.2.1');
      } finally {
        await close();
      }
    },
  );
});

@Injectable()
class Badges {
  readonly owners = new Map([['badge-1', 'ann']]);
}

@Module({ providers: [Badges], exports: [Badges] })
class BadgeModule {}

/** A scheme of the host's own, which injects what it needs. */
@Injectable()
class BadgeScheme extends AuthenticationScheme {
  override readonly name = 'badge';
  override readonly definition: SecurityScheme = { httpAuthSecurityScheme: { scheme: 'Badge' } };

  constructor(private readonly badges: Badges) {
    super('https://badges.example');
  }

  override authenticate({ headers }: AuthenticationRequest): A2AUser | undefined {
    const badge = headers['x-badge'];
    switch (badge) {
      case undefined:
        return undefined;
      case 'unauthorized':
        throw new UnauthorizedException('habit');
      case 'broken':
        throw new Error('secret of the scheme');
      case 'nobody':
        return { id: '', authenticated: true };
      default:
        return { id: this.badges.owners.get(String(badge)) ?? '', authenticated: true };
    }
  }
}

describe('schemes', () => {
  it('may be classes, and come from factories that inject their secrets', async () => {
    const pair = await Pair.start(() =>
      probeModule({
        imports: [BadgeModule, ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => ({ KEY: 'from-config' })] })],
        authentication: [
          BadgeScheme,
          {
            inject: [ConfigService],
            useFactory: (config: ConfigService) => new ApiKeyScheme({ keys: config.getOrThrow<string>('KEY') }),
          },
        ],
      }),
    );
    try {
      const status = async (headers: Record<string, string>): Promise<number> =>
        (await pair.call({ ...LIST, headers })).status;
      expect(await status({ 'x-badge': 'badge-1' })).toBe(200);
      expect(await status(key('from-config'))).toBe(200);
      const refused = await pair.call({ ...LIST, headers: { 'x-badge': 'unauthorized' } });
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Badge realm="a2a"']);
    } finally {
      await pair.close();
    }
  });

  it.each(['broken', 'nobody'])('that fail (%s) let nobody in, and say nothing', async (badge) => {
    const logger = new CapturingLogger();
    const { url, close } = await start(
      'express',
      probeModule({ imports: [BadgeModule], authentication: [BadgeScheme] }),
      { logger },
    );
    try {
      const answer = await send(url, { ...LIST, headers: { 'x-badge': badge } });
      expect([answer.status, at(answer.body, 'error.details.0.reason')]).toEqual([500, 'INTERNAL_ERROR']);
      expect(answer.text).not.toContain('secret');
      expect(logger.text).toContain(badge === 'broken' ? 'secret of the scheme' : 'authenticated user without an id');
    } finally {
      await close();
    }
  });

  it.each<[string, () => unknown, string]>([
    ['an empty key', () => new ApiKeyScheme({ keys: '' }), 'authentication.apiKey: a secret is empty'],
    ['a key that is not set', () => Reflect.construct(ApiKeyScheme, [{}]), 'authentication.apiKey: a secret is empty'],
    ['no keys', () => new ApiKeyScheme({ keys: [] }), 'authentication.apiKey: has no secret'],
    ['a key that cannot be sent', () => new ApiKeyScheme({ keys: 'schlüssel' }), 'no header can hold'],
    [
      'no list at all',
      () => Reflect.construct(ApiKeyScheme, [{ keys: null }]),
      'authentication.apiKey: a secret is empty',
    ],
    [
      'a key that no cookie can hold',
      () => new ApiKeyScheme({ keys: 'a;b', location: 'cookie' }),
      'no cookie can hold',
    ],
    [
      'scopes that are no list',
      () => Reflect.construct(BearerScheme, [{ secrets: [{ secret: 's', user: 'u', scopes: 'readonly' }] }]),
      'scopes must be a list',
    ],
    [
      'a password with a line break',
      () => new BasicScheme({ users: [{ user: 'a', password: 'b\n' }] }),
      'control characters',
    ],
    ['a key with a line break', () => new ApiKeyScheme({ keys: 'a\nb' }), 'no header can hold'],
    ['a header that is none', () => new ApiKeyScheme({ keys: 'k', parameter: 'X Key' }), '"X Key"'],
    [
      'one key for two users',
      () =>
        new ApiKeyScheme({
          keys: [
            { secret: 'k', user: 'a' },
            { secret: 'k', user: 'b' },
          ],
        }),
      'has a secret twice',
    ],
    ['a user without a name', () => new ApiKeyScheme({ keys: [{ secret: 'k', user: '' }] }), 'without a name'],
    ['neither secret nor function', () => new BearerScheme({}), 'authentication.bearer: has neither'],
    ['neither users nor function', () => new BasicScheme({}), 'authentication.basic: has neither'],
    ['an empty password', () => new BasicScheme({ users: [{ user: 'a', password: '' }] }), 'a password is empty'],
    ['a name with a colon', () => new BasicScheme({ users: [{ user: 'a:b', password: 'c' }] }), 'colon'],
  ])('with %s are refused when they are made', (_what, make, text) => {
    expect(make).toThrow(A2AConfigurationError);
    expect(make).toThrow(text);
  });
});

describe('users that are none', () => {
  // What untyped code of a host makes of a claim that is not there.
  const users: [string, unknown][] = [
    ['no id', { id: undefined, authenticated: true }],
    ['a number for an id', { id: 7, authenticated: true }],
    ['an empty id', { id: '', authenticated: true }],
    ['no word on who they are', { id: 'ann' }],
    ['a text for scopes', { id: 'ann', authenticated: true, scopes: 'readonly' }],
  ];
  const sources: [string, (user: () => unknown) => A2AModuleExtras][] = [
    ['a UserResolver', (user) => ({ providers: [{ provide: UserResolver, useValue: { resolve: user } }] })],
    ['a scheme', (user) => ({ authentication: [Reflect.construct(BearerScheme, [{ verify: user }])] })],
    [
      'a claim',
      (user) => {
        const options = { issuer: 'i', audience: 'a', secret: SECRET, user };
        return { authentication: [Reflect.construct(JwtScheme, [options])] };
      },
    ],
  ];

  it.each(sources)('see, change and list nothing, whoever they come from: %s', async (_source, extrasFor) => {
    const token = await new SignJWT({ sub: 's' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('i')
      .setAudience('a')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(SECRET));
    const headers = { authorization: `Bearer ${token}` };
    let user: unknown = { id: 'ann', authenticated: true };
    const pair = await Pair.start(() => probeModule(extrasFor(() => user)));
    try {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause a'), headers));
      for (const [, given] of users) {
        user = given;
        const calls = ['GetTask', 'CancelTask', 'SubscribeToTask', 'ListTasks'].map((method) =>
          pair.call((side) => rpc(method, method === 'ListTasks' ? {} : { id: side.note('id') }, headers)),
        );
        for (const { body } of await Promise.all(calls)) expect(at(body, 'error.code')).toBe(-32603);
      }
      user = { id: 'ann', authenticated: true };
      const own = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, headers));
      expect(at(own.body, 'result.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
    } finally {
      await pair.close();
    }
  });
});

describe.each(ADAPTERS)('serveAgent on %s', (adapter) => {
  it('takes a key, a bearer secret, or either', async () => {
    const options = { adapter: adapterOf(adapter), logger: false, host: '127.0.0.1' } as const;
    const agent = await serveAgent(new EchoExecutor('echo'), { ...options, apiKey: 'the-key', bearer: 'the-token' });
    try {
      const status = async (headers: Record<string, string>): Promise<number> =>
        (await send(agent.url, rpc('SendMessage', message('hi'), headers))).status;
      expect(await status({})).toBe(401);
      expect(await status(key('the-key'))).toBe(200);
      expect(await status({ authorization: 'Bearer the-token' })).toBe(200);
      expect(await status({ authorization: 'Bearer the-key' })).toBe(401);
      expect((await send(agent.url, { path: CARD_PATH })).status).toBe(200);
    } finally {
      await agent.close();
    }
  });

  it('is not open because a variable is not set', async () => {
    const options = { adapter: adapterOf(adapter), logger: false } as const;
    const error = await caught(serveAgent(new EchoExecutor('echo'), { ...options, apiKey: undefined }).then(() => {}));
    expect(error).toBeInstanceOf(A2AConfigurationError);
  });
});
