import { describe, expect, it } from '@jest/globals';
import type { AgentCard, SecurityScheme } from 'nestjs-a2a/protocol';
import { type AuthProvider, SecurityException } from 'nestjs-a2a/workflow';
import { bareCard } from '../../../../test/support/bare-card.js';
import { caught } from '../../../../test/support/caught.js';
import { type HttpScript, ScriptedClientHttp } from '../../../../test/support/scripted-client-http.js';
import { Deferred } from '../extensions/deferred.js';
import { BusinessValues } from '../model/business-values.js';
import { CardAuthenticator } from './card.authenticator.js';
import { readCredentials } from './credentials-config.js';

const LOGIN = { login_url: 'https://login.example/token', username: 'u', password: 'hunter2' };
const BEARER: SecurityScheme = { httpAuthSecurityScheme: { scheme: 'bearer' } };
const MTLS: SecurityScheme = { mtlsSecurityScheme: {} };
const apiKey = (location: string, name = 'X-Key'): SecurityScheme => ({ apiKeySecurityScheme: { location, name } });
const open = new AbortController().signal;

/** Each requirement as the names of its schemes. */
function cardOf(requirements: readonly string[][], schemes: Record<string, SecurityScheme> = {}): AgentCard {
  const names = requirements.flat();
  return bareCard({
    name: 'A',
    securitySchemes: { s: BEARER, ...Object.fromEntries(names.map((name) => [name, BEARER])), ...schemes },
    securityRequirements: requirements.map((entry) => ({
      schemes: Object.fromEntries(entry.map((name) => [name, { list: [] }])),
    })),
  });
}

interface Bench {
  readonly schemes?: object | null;
  readonly provider?: Record<string, string> | AuthProvider | null;
  readonly login?: HttpScript;
  readonly hasClientCertificate?: boolean;
}

const giving = (headers: Record<string, string>): AuthProvider => ({
  applyAuth: (_agent, _card, own) => void Object.assign(own, headers),
});

class AuthBench {
  readonly http: ScriptedClientHttp;
  readonly authenticator: CardAuthenticator;
  now = 0;

  constructor({ schemes = null, provider = null, login, hasClientCertificate = false }: Bench) {
    let logins = 0;
    this.http = new ScriptedClientHttp(login ?? (() => ({ body: { accessSession: `token-${(logins += 1)}` } })));
    const credentials = readCredentials({
      credentialsConfigPath: null,
      credentialsConfig: schemes === null ? null : BusinessValues.map({ A: schemes }),
      credentialEncryptionKey: null,
    });
    const isProvider = (given: object): given is AuthProvider => 'applyAuth' in given;
    this.authenticator = new CardAuthenticator({
      provider: provider === null || isProvider(provider) ? provider : giving(provider),
      credentials,
      http: this.http,
      hasClientCertificate,
      now: () => this.now,
    });
  }

  ask(card: AgentCard = cardOf([['s']]), agent = 'A', signal = open): Promise<Record<string, string>> {
    return this.authenticator.headersFor(agent, card, signal);
  }
}

describe('headers for an agent', () => {
  it.each<readonly [what: string, bench: Bench, card: AgentCard, headers: Record<string, string>]>([
    ['a card that asks for nothing', { schemes: { s: LOGIN } }, bareCard(), {}],
    ['a card with schemes only', { schemes: { s: LOGIN } }, { ...cardOf([]), securityRequirements: [] }, {}],
    ['a card with requirements only', { schemes: { s: LOGIN } }, { ...cardOf([['s']]), securitySchemes: {} }, {}],
    ['no credentials but a provider', { provider: { 'X-A': '1' } }, cardOf([['s']]), { 'X-A': '1' }],
    ['a provider, though nothing is asked for', { provider: { 'X-A': '1' } }, bareCard(), { 'X-A': '1' }],
    [
      'nothing for the agent but a provider',
      { schemes: {}, provider: { 'X-A': '1' } },
      cardOf([['s']]),
      { 'X-A': '1' },
    ],
    ['a login', { schemes: { s: LOGIN } }, cardOf([['s']]), { Authorization: 'Bearer token-1' }],
    [
      'a login and a provider',
      { schemes: { s: LOGIN }, provider: { 'X-A': '1' } },
      cardOf([['s']]),
      { 'X-A': '1', Authorization: 'Bearer token-1' },
    ],
    [
      'both saying the same',
      { schemes: { s: LOGIN }, provider: { authorization: 'Bearer token-1' } },
      cardOf([['s']]),
      { authorization: 'Bearer token-1' },
    ],
    ['auth_header', { schemes: { s: { ...LOGIN, auth_header: 'X-Auth' } } }, cardOf([['s']]), { 'X-Auth': 'token-1' }],
    [
      'auth_header_prefix',
      { schemes: { s: { ...LOGIN, auth_header: 'X-Auth', auth_header_prefix: 'Token ' } } },
      cardOf([['s']]),
      { 'X-Auth': 'Token token-1' },
    ],
    [
      'auth_header_prefix alone',
      { schemes: { s: { ...LOGIN, auth_header_prefix: '' } } },
      cardOf([['s']]),
      { Authorization: 'token-1' },
    ],
    [
      'accept_header',
      { schemes: { s: { ...LOGIN, accept_header: 'application/json' } } },
      cardOf([['s']]),
      { Authorization: 'Bearer token-1', Accept: 'application/json' },
    ],
    [
      'an API key where the card wants it',
      { schemes: { k: LOGIN } },
      cardOf([['k']], { k: apiKey('header') }),
      { 'X-Key': 'token-1' },
    ],
    [
      'an API key where the credentials say',
      { schemes: { k: { ...LOGIN, auth_header: 'X-Own' } } },
      cardOf([['k']], { k: apiKey('query') }),
      { 'X-Own': 'token-1' },
    ],
    [
      'the alternative that can be fulfilled',
      { schemes: { t: LOGIN } },
      cardOf([['s'], ['s', 't'], ['t']]),
      { Authorization: 'Bearer token-1' },
    ],
    [
      'the first of two alternatives',
      { schemes: { s: { ...LOGIN, auth_header: 'X-S' }, t: LOGIN } },
      cardOf([['s'], ['t']]),
      { 'X-S': 'token-1' },
    ],
    [
      'all schemes of a requirement',
      { schemes: { s: { ...LOGIN, auth_header: 'X-S' }, t: { ...LOGIN, auth_header: 'X-T' } } },
      cardOf([['s', 't']]),
      { 'X-S': 'token-1', 'X-T': 'token-2' },
    ],
    ['an empty requirement, where nothing else fits', {}, cardOf([['s'], []]), {}],
    [
      'an empty requirement only for those without',
      { schemes: { s: LOGIN } },
      cardOf([[], ['s']]),
      { Authorization: 'Bearer token-1' },
    ],
    [
      'a certificate where it is all that is asked for',
      { hasClientCertificate: true },
      cardOf([['m']], { m: MTLS }),
      {},
    ],
    [
      'a certificate and a login',
      { hasClientCertificate: true, schemes: { s: LOGIN } },
      cardOf([['m', 's']], { m: MTLS }),
      { Authorization: 'Bearer token-1' },
    ],
  ])('come from %s', async (_what, bench, card, headers) => {
    expect(await new AuthBench(bench).ask(card)).toEqual(headers);
  });

  it.each<readonly [reason: string, bench: Bench, card: AgentCard, agent?: string]>([
    ['AgentCard requires credentials but none are configured', {}, cardOf([['s']])],
    ['AgentCard requires credentials but none are configured', {}, cardOf([['m']], { m: MTLS })],
    ['credential configuration is empty', { schemes: {} }, cardOf([['s']])],
    ['no configuration for scheme s', { schemes: { other: LOGIN } }, cardOf([['s']])],
    ['no configuration for scheme s', { schemes: { other: LOGIN }, provider: { 'X-A': '1' } }, cardOf([['s']])],
    ['no configuration for scheme toString', { schemes: { other: LOGIN } }, cardOf([['toString']])],
    ['no configuration for scheme t', { schemes: { s: LOGIN } }, cardOf([['s', 't'], ['u']])],
    [
      'give the auth_header of an API key that is no header (scheme=k), request blocked',
      { schemes: { k: LOGIN } },
      cardOf([['k']], { k: apiKey('query') }),
    ],
    ...['a b', 'x\r\ny', '', '__proto__', 'Accept', 'A2A-Extensions', 'content-type'].map(
      (name): [string, Bench, AgentCard] => [
        'give the auth_header of an API key that is no header (scheme=k), request blocked',
        { schemes: { k: LOGIN } },
        cardOf([['k']], { k: apiKey('header', name) }),
      ],
    ),
    ['credential configuration is empty', { schemes: { s: LOGIN } }, cardOf([['s']]), 'other'],
    ['credential configuration is empty', { schemes: { s: LOGIN } }, cardOf([['s']]), '__proto__'],
  ])('are refused: %s', async (reason, bench, card, agent = 'A') => {
    const asked = new AuthBench(bench);
    expect(await caught(asked.ask(card, agent))).toEqual(
      new SecurityException(`Authentication failed for agent ${agent}: ${reason}`),
    );
    expect(asked.http.requests).toEqual([]);
  });

  it.each<readonly [what: string, bench: Bench, card: AgentCard, header: string]>([
    [
      'a provider and a login',
      { schemes: { s: LOGIN }, provider: { authorization: 'x' } },
      cardOf([['s']]),
      'Authorization',
    ],
    ['two logins', { schemes: { s: LOGIN, t: LOGIN } }, cardOf([['s', 't']]), 'Authorization'],
    [
      'two accept_headers',
      {
        schemes: {
          s: { ...LOGIN, auth_header: 'X-S', accept_header: 'a/a' },
          t: { ...LOGIN, auth_header: 'X-T', accept_header: 'b/b' },
        },
      },
      cardOf([['s', 't']]),
      'Accept',
    ],
  ])('must not contradict each other: %s', async (_what, bench, card, header) => {
    expect(await caught(new AuthBench(bench).ask(card))).toEqual(
      new SecurityException(`Authentication header conflict for agent A: ${header}`),
    );
  });

  it('come from a provider that sees nothing of the others, each time anew', async () => {
    const seen: object[] = [];
    const provider: AuthProvider = {
      applyAuth: async (agent, card, headers, signal) => {
        seen.push({ agent, card, headers: { ...headers }, signal });
        headers['X-A'] = String(seen.length);
      },
    };
    const bench = new AuthBench({ schemes: { s: LOGIN }, provider });
    const card = cardOf([['s']]);
    expect([await bench.ask(card), await bench.ask(card)]).toMatchObject([{ 'X-A': '1' }, { 'X-A': '2' }]);
    expect(seen[1]).toEqual({ agent: 'A', card, headers: {}, signal: open });
  });

  it.each([undefined, null, 7, ['hunter2']])('are texts, or nothing is sent: %p', async (value) => {
    const provider: AuthProvider = { applyAuth: (_agent, _card, own) => void Object.assign(own, { 'X-A': value }) };
    expect(await caught(new AuthBench({ provider }).ask())).toEqual(
      new SecurityException('The AuthProvider for agent A gave no text for the header X-A'),
    );
  });

  it('fail with what the provider throws', async () => {
    const failure = new Error('vault is sealed');
    const provider: AuthProvider = {
      applyAuth: () => {
        throw failure;
      },
    };
    expect(await caught(new AuthBench({ provider }).ask())).toBe(failure);
  });
});

describe('a login', () => {
  it('sends the account as JSON, and waits 30 seconds at most', async () => {
    const bench = new AuthBench({ schemes: { s: LOGIN } });
    await bench.ask();
    expect(bench.http.requests).toEqual([
      {
        method: 'POST',
        url: 'https://login.example/token',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: '{"username":"u","password":"hunter2"}',
      },
    ]);
    expect(bench.http.limits).toEqual([{ totalTimeoutMs: 30_000, headersTimeoutMs: 30_000, maxAnswerBytes: 65_536 }]);
  });

  it.each<readonly [what: string, config: object, expected: object]>([
    [
      'a form',
      {
        content_type: 'application/x-www-form-urlencoded',
        request_fields: { 'user name': '中 &+', n: 1, b: true, z: null },
      },
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: 'user+name=%E4%B8%AD+%26%2B&n=1&b=true&z=',
      },
    ],
    ['fields of any kind', { request_fields: { a: [1, { b: '中' }] } }, { body: '{"a":[1,{"b":"中"}]}' }],
    ['another method', { method: 'PUT' }, { method: 'PUT' }],
    ['no body', { method: 'GET', username: null, password: null }, { method: 'GET', body: undefined }],
  ])('may send %s', async (_what, config, expected) => {
    const bench = new AuthBench({ schemes: { s: { ...LOGIN, ...config } } });
    await bench.ask();
    expect(bench.http.requests[0]).toMatchObject(expected);
  });

  it.each<readonly [what: string, config: object, body: object]>([
    ['accessSession', {}, { accessSession: 'T', access_token: 'x' }],
    ['access_token', {}, { access_token: 'T', token: 'x' }],
    ['token', {}, { token: 'T' }],
    ['token_field', { token_field: 'access_token' }, { accessSession: 'x', access_token: 'T' }],
    ['a path', { token_field: 'data.session.id' }, { data: { session: { id: 'T' } }, token: 'x' }],
  ])('finds the token by %s', async (_what, config, body) => {
    const bench = new AuthBench({ schemes: { s: { ...LOGIN, ...config } }, login: () => ({ body }) });
    expect(await bench.ask()).toEqual({ Authorization: 'Bearer T' });
  });

  it.each<readonly [reason: string, config: object, login: HttpScript]>([
    ['login returned 401', {}, () => ({ status: 401, body: 'hunter2' })],
    ['login returned 500', {}, () => ({ status: 500, body: { accessSession: 'T' } })],
    ['login returned 302', {}, () => ({ status: 302, headers: { location: '/' } })],
    ['login gave no JSON', {}, () => ({ body: 'hunter2' })],
    ['login gave no token', {}, () => ({ body: { other: 'hunter2' } })],
    ['login gave no token', {}, () => ({ body: [] })],
    ['login gave no token', {}, () => ({ body: { accessSession: '' } })],
    ['login gave no token', {}, () => ({ body: { accessSession: 7 } })],
    ['login gave no token', {}, () => ({ body: { accessSession: 'a\r\nX-Evil: 1' } })],
    ['login gave no token', { token_field: 'a' }, () => ({ body: { accessSession: 'T' } })],
    ['login gave no token', { token_field: 'a.length' }, () => ({ body: { a: 'text' } })],
    ['login gave no token', { token_field: 'constructor.name' }, () => ({ body: {} })],
    ['login failed', {}, () => Promise.reject(new Error('hunter2'))],
  ])('that fails keeps the call from being made: %s', async (reason, config, login) => {
    const error = await caught(new AuthBench({ schemes: { s: { ...LOGIN, ...config } }, login }).ask());
    expect(error).toEqual(
      new SecurityException(`Authentication failed for agent A: ${reason} (scheme=s), request blocked`),
    );
    expect(error.cause).toBeUndefined();
  });

  it('is kept until a minute before its end, counted from before it began', async () => {
    const bench = new AuthBench({ schemes: { s: { ...LOGIN, token_ttl: 100 } } });
    const tokens: (string | undefined)[] = [];
    for (const now of [0, 39_999, 40_000, 79_999, 80_000]) {
      bench.now = now;
      tokens.push((await bench.ask())['Authorization']);
    }
    expect(tokens).toEqual([1, 1, 2, 2, 3].map((number) => `Bearer token-${number}`));
  });

  it('is not kept when it lasts a minute or less', async () => {
    const bench = new AuthBench({ schemes: { s: { ...LOGIN, token_ttl: '60' } } });
    await bench.ask();
    await bench.ask();
    expect(bench.http.requests).toHaveLength(2);
  });

  it('is one for all who ask at the same time, and goes on for the others when one leaves', async () => {
    const entered = new Deferred<{ body: object }>();
    const bench = new AuthBench({ schemes: { s: LOGIN }, login: () => entered.promise });
    const leaving = new AbortController();
    const left = caught(bench.ask(cardOf([['s']]), 'A', leaving.signal));
    const others = [bench.ask(), bench.ask()];
    const reason = new Error('left');
    leaving.abort(reason);
    expect(await left).toBe(reason);
    entered.resolve({ body: { accessSession: 'T' } });
    expect(await Promise.all(others)).toEqual([{ Authorization: 'Bearer T' }, { Authorization: 'Bearer T' }]);
    expect(bench.http.requests).toHaveLength(1);
  });

  it('is one for each agent and each scheme, however these are called', async () => {
    const schemes = { s: LOGIN, toString: { ...LOGIN, auth_header: 'X-T' } };
    const http = new ScriptedClientHttp(({ body = '' }) => ({ body: { token: JSON.parse(body).username } }));
    const user = (username: string, name: 's' | 'toString') => ({ ...schemes[name], username });
    const credentialsConfig = BusinessValues.map({
      A: { s: user('A-s', 's'), toString: user('A-t', 'toString') },
      constructor: { s: user('C-s', 's') },
    });
    const credentials = readCredentials({
      credentialsConfigPath: null,
      credentialsConfig,
      credentialEncryptionKey: null,
    });
    const authenticator = new CardAuthenticator({ provider: null, credentials, http, hasClientCertificate: false });
    const ask = (agent: string, ...names: string[]) => authenticator.headersFor(agent, cardOf([names]), open);
    expect(await Promise.all([ask('A', 's'), ask('constructor', 's'), ask('A', 's', 'toString')])).toEqual([
      { Authorization: 'Bearer A-s' },
      { Authorization: 'Bearer C-s' },
      { Authorization: 'Bearer A-s', 'X-T': 'A-t' },
    ]);
    expect(http.requests).toHaveLength(3);
  });

  it('that failed is tried again by the next call', async () => {
    let fails = true;
    const login: HttpScript = () => (fails ? { status: 503 } : { body: { token: 'T' } });
    const bench = new AuthBench({ schemes: { s: LOGIN }, login });
    const errors = await Promise.all([caught(bench.ask()), caught(bench.ask())]);
    expect(errors[1]).toBe(errors[0]);
    fails = false;
    expect(await bench.ask()).toEqual({ Authorization: 'Bearer T' });
    expect(bench.http.requests).toHaveLength(2);
  });
});
