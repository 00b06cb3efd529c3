import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  A2AAuthGuard,
  A2AConfigurationError,
  A2AJsonRpcController,
  AgentCardError,
  ApiKeyScheme,
  BearerScheme,
  type A2AModuleExtras,
  type AgentCardInput,
} from 'nestjs-a2a';
import type { SecurityRequirement } from 'nestjs-a2a/protocol';
import { probeCard } from '../probe-agent/probe.options.js';
import { asUser, CARD_PATH, message, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { caught } from '../support/caught.js';
import { at, type Answer } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { start } from '../support/running-app.js';

type Headers = Readonly<Record<string, string>>;

const apiKey = new ApiKeyScheme({
  keys: [
    { secret: 'ann', user: 'ann' },
    { secret: 'ben', user: 'ben', scopes: ['read', 'write'] },
  ],
});
const token = new BearerScheme({ name: 'token', secrets: [{ secret: 'cia', user: 'cia', scopes: ['read'] }] });
const key = (value: string): Headers => ({ 'x-api-key': value });
const bearer = (value: string): Headers => ({ authorization: `Bearer ${value}` });

/** A requirement of schemes, each with its scopes: `need('a', 'b:read')`. */
function need(...schemes: string[]): SecurityRequirement {
  return {
    schemes: Object.fromEntries(
      schemes.map((scheme) => {
        const [name = '', ...list] = scheme.split(':');
        return [name, { list }];
      }),
    ),
  };
}

const KEY = 'ApiKey realm="a2a", in="header", name="X-API-Key"';
const TOKEN = 'Bearer realm="a2a"';
const SESSION = { session: { httpAuthSecurityScheme: { scheme: 'Session' } } };
const ME = rpc('SendMessage', message('whoami'));

const reasonOf = ({ body }: Answer): unknown => at(body, 'error.data.0.reason');
const whoIs = ({ body }: Answer): unknown => at(body, 'result.task.artifacts.0.parts.0.data.user');

async function withPair(
  card: Partial<AgentCardInput>,
  extras: A2AModuleExtras,
  use: (pair: Pair) => Promise<void>,
): Promise<void> {
  const pair = await Pair.start(() => probeModule({ ...extras, agentCard: { ...probeCard(), ...card } }));
  try {
    await use(pair);
  } finally {
    await pair.close();
  }
}

interface Case {
  readonly what: string;
  readonly requirements: SecurityRequirement[];
  /** Headers, and who may come in by them or what is said instead. */
  readonly calls: readonly (readonly [Headers, string, string?])[];
}

const OWN: Case[] = [
  {
    what: 'alternatives',
    requirements: [need('apiKey'), need('token')],
    calls: [
      [key('ann'), 'ann'],
      [bearer('cia'), 'cia'],
      [{ ...key('ann'), ...bearer('cia') }, 'ann'],
      [{}, 'UNAUTHENTICATED', `${KEY}, ${TOKEN}`],
    ],
  },
  {
    what: 'a combination, whose caller is that of the scheme given first',
    requirements: [need('token', 'apiKey')],
    calls: [
      [{ ...key('ann'), ...bearer('cia') }, 'ann'],
      [key('ann'), 'UNAUTHENTICATED', `${KEY}, ${TOKEN}`],
      [bearer('cia'), 'UNAUTHENTICATED', `${KEY}, ${TOKEN}`],
      [{ ...key('ann'), ...bearer('no') }, 'UNAUTHENTICATED', `${TOKEN}, error="invalid_token"`],
    ],
  },
  {
    what: 'nothing as an alternative: strangers may call, those who tried and failed may not',
    requirements: [need(), need('apiKey')],
    calls: [
      [{}, ''],
      [key('ann'), 'ann'],
      [bearer('cia'), ''],
      [key('no'), 'UNAUTHENTICATED', KEY],
    ],
  },
  {
    what: 'scopes',
    requirements: [need('apiKey:read:write'), need('token:write')],
    calls: [
      [key('ben'), 'ben'],
      [key('ann'), 'PERMISSION_DENIED', undefined],
      [bearer('cia'), 'PERMISSION_DENIED', `${TOKEN}, error="insufficient_scope", scope="write"`],
      [{ ...key('ben'), ...bearer('cia') }, 'ben'],
      [bearer('no'), 'UNAUTHENTICATED', `${TOKEN}, error="invalid_token"`],
    ],
  },
];

const HOST: Case[] = [
  {
    what: 'an alternative to a key',
    requirements: [need('apiKey'), need('session')],
    calls: [
      [key('ann'), 'ann'],
      [asUser('hal'), 'hal'],
      [{ ...key('no'), ...asUser('hal') }, 'hal'],
      [{ ...key('ann'), ...asUser('hal') }, 'hal'],
      [{}, 'UNAUTHENTICATED', `${KEY}, Session realm="a2a"`],
      [key('no'), 'UNAUTHENTICATED', KEY],
    ],
  },
  {
    what: 'needed beside a key, whose user is not taken for that of the host',
    requirements: [need('apiKey', 'session')],
    calls: [
      [{ ...key('ann'), ...asUser('hal') }, 'hal'],
      [key('ann'), 'UNAUTHENTICATED', `${KEY}, Session realm="a2a"`],
      [asUser('hal'), 'UNAUTHENTICATED', `${KEY}, Session realm="a2a"`],
    ],
  },
  {
    what: 'an alternative to nothing',
    requirements: [need('session'), need()],
    calls: [
      [asUser('hal'), 'hal'],
      [{}, ''],
    ],
  },
];

describe.each<[string, Case[], A2AModuleExtras]>([
  ['our schemes', OWN, {}],
  ['a scheme that the guards of the host check', HOST, { guards: [BelievingGuard] }],
])('requirements of %s', (_whose, cases, extras) => {
  it.each(cases)('$what', async ({ requirements, calls }) => {
    const card = { securityRequirements: requirements, securitySchemes: SESSION };
    await withPair(card, { authentication: [apiKey, token], ...extras }, async (pair) => {
      for (const [headers, expected, challenge] of calls) {
        const answer = await pair.call({ ...ME, headers });
        const found = reasonOf(answer) ?? whoIs(answer);
        expect([headers, found, answer.headers['www-authenticate']]).toEqual([headers, expected, challenge]);
      }
    });
  });
});

describe('guards of the host', () => {
  it('alone must have found somebody, when the card says that somebody is needed', async () => {
    const card = { securityRequirements: [need('session')], securitySchemes: SESSION };
    await withPair(card, { guards: [BelievingGuard] }, async (pair) => {
      const answer = await pair.call(ME);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Session realm="a2a"']);
      expect(whoIs(await pair.call({ ...ME, headers: asUser('hal') }))).toBe('hal');
    });
  });

  it('see in request.user whom our scheme has found', async () => {
    class NoBen implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return at(context.switchToHttp().getRequest<object>(), 'user.id') !== 'ben';
      }
    }
    await withPair({}, { authentication: [apiKey], guards: [NoBen] }, async (pair) => {
      expect((await pair.call({ ...ME, headers: key('ben') })).status).toBe(403);
      expect(whoIs(await pair.call({ ...ME, headers: key('ann') }))).toBe('ann');
    });
  });

  it('that say 401 without a challenge get that of the card', async () => {
    @Module({
      imports: [probeModule({ authentication: [apiKey] })],
      providers: [{ provide: APP_GUARD, useClass: BelievingGuard }],
    })
    class AppModule {}
    const pair = await Pair.start(() => AppModule);
    try {
      const answer = await pair.call({ ...ME, headers: { authorization: 'nonsense' } });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, KEY]);
    } finally {
      await pair.close();
    }
  });
});

describe('controllers of the host', () => {
  it.each([
    ['without our guard', []],
    ['with it', [A2AAuthGuard]],
  ])('%s are as closed as ours', async (_what, guards) => {
    const pair = await Pair.start(() => {
      @Controller('mine')
      @UseGuards(...guards)
      class Mine extends A2AJsonRpcController {}
      @Module({ imports: [probeModule({ controllers: false, authentication: [apiKey] })], controllers: [Mine] })
      class AppModule {}
      return AppModule;
    });
    try {
      expect((await pair.call({ ...ME, path: '/mine' })).status).toBe(401);
      expect(whoIs(await pair.call({ ...ME, path: '/mine', headers: key('ann') }))).toBe('ann');
    } finally {
      await pair.close();
    }
  });
});

describe('a card that tells of our schemes itself', () => {
  it('may say more of them, as long as it means the same', async () => {
    const oauth2SecurityScheme = {
      flows: { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { read: 'Read' } } },
    };
    const securitySchemes = {
      token: { oauth2SecurityScheme },
      apiKey: { apiKeySecurityScheme: { location: 'header', name: 'x-api-key', description: 'Ask Ann' } },
    };
    await withPair({ securitySchemes }, { authentication: [apiKey, token] }, async (pair) => {
      const { body } = await pair.call({ path: CARD_PATH });
      expect(body).toMatchObject({ securitySchemes, securityRequirements: [need('apiKey'), need('token')] });
    });
  });

  it.each<[string, AgentCardInput['securitySchemes']]>([
    ['another header', { apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } }],
    ['another place', { apiKey: { apiKeySecurityScheme: { location: 'cookie', name: 'X-API-Key' } } }],
    ['another kind', { apiKey: { httpAuthSecurityScheme: { scheme: 'Bearer' } } }],
  ])('but not %s', async (_what, securitySchemes) => {
    const module = probeModule({ agentCard: { ...probeCard(), securitySchemes }, authentication: [apiKey] });
    const error = await caught(start('express', module));
    expect(error).toBeInstanceOf(AgentCardError);
    expect(error.message).toContain('securitySchemes.apiKey');
  });

  it('must not need a scheme that nobody declares', async () => {
    const card = { ...probeCard(), securityRequirements: [need('apikey')] };
    const error = await caught(start('express', probeModule({ agentCard: card, authentication: [apiKey] })));
    expect(error.message).toContain('securityRequirements[0].schemes.apikey');
  });

  it.each([
    ['schemes.token.scopes', { schemes: { token: { scopes: ['admin'] } } }],
    ['scopes', { schemes: { token: { list: [] } }, scopes: ['admin'] }],
  ])('must not say what callers need where nobody reads it: %s', async (field, requirement) => {
    const card: object = { ...probeCard(), securityRequirements: [requirement] };
    const error = await caught(
      start('express', probeModule({ agentCard: { ...probeCard(), ...card }, authentication: [token] })),
    );
    expect(error.message).toContain(`securityRequirements[0].${field}`);
  });

  it.each([[undefined], [null], [{ useFactory: () => undefined }]])(
    'must not come with %j for a scheme',
    async (entry) => {
      const error = await caught(
        start('express', Reflect.apply(probeModule, undefined, [{ authentication: [apiKey, entry] }])),
      );
      expect(error).toBeInstanceOf(A2AConfigurationError);
      expect(error.message).toContain('not a scheme');
    },
  );

  it('must not have two schemes of one name', async () => {
    const twice = [apiKey, new BearerScheme({ name: 'apiKey', secrets: 'x' })];
    const error = await caught(start('express', probeModule({ authentication: twice })));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toContain('authentication.apiKey');
  });
});
