import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyScheme, BasicScheme, BearerScheme, type A2AModuleExtras, type AgentCardInput } from 'nestjs-a2a';
import { probeCard } from '../probe-agent/probe.options.js';
import { CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { at, type Answer } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

type Headers = Readonly<Record<string, string>>;

const basic = (pair: string): Headers => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const key = (value: string): Headers => ({ 'x-api-key': value });

const SCHEMES = [
  new ApiKeyScheme({
    keys: [
      { secret: 'key-of-ann', user: 'ann' },
      { secret: 'older-key-of-ann', user: 'ann' },
      { secret: 'key-of-ben', user: 'ben', scopes: ['read'] },
    ],
  }),
  new BearerScheme({
    secrets: 'token-of-all',
    verify: (token) => (token.startsWith('user:') ? { id: token.slice(5), authenticated: true } : undefined),
  }),
  new BearerScheme({
    name: 'odd',
    secrets: [{ secret: 'p@ss!w$rd', user: 'odd' }],
    // As look-ups in untyped code answer.
    verify: () => JSON.parse('null'),
  }),
  new BasicScheme({ users: [{ user: 'cäcilie', password: 'pass:wörd' }] }),
];

const ALL = 'ApiKey realm="a2a", in="header", name="X-API-Key", Bearer realm="a2a", Basic realm="a2a", charset="UTF-8"';
const WRONG_TOKEN = 'Bearer realm="a2a", error="invalid_token"';
const BASIC = 'Basic realm="a2a", charset="UTF-8"';
const KEY = 'ApiKey realm="a2a", in="header", name="X-API-Key"';

const reasonOf = ({ body }: Answer): unknown => at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');
const whoIs = ({ body }: Answer): unknown =>
  at(body, 'result.task.artifacts.0.parts.0.data.user') ?? at(body, 'task.artifacts.0.parts.0.data.user');

function pairWith(extras: A2AModuleExtras, card: Partial<AgentCardInput> = {}): Promise<Pair> {
  return Pair.start(() => probeModule({ ...extras, agentCard: { ...probeCard(), ...card } }));
}

describe('schemes without requirements in the card', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await pairWith({ authentication: SCHEMES });
  });
  afterAll(() => pair.close());

  it('are told in the card, each as an alternative; the card stays open', async () => {
    const { status, body } = await pair.call({ path: CARD_PATH });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      securitySchemes: {
        apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
        bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
        odd: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
        basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
      },
      securityRequirements: ['apiKey', 'bearer', 'odd', 'basic'].map((name) => ({ schemes: { [name]: { list: [] } } })),
    });
  });

  it.each<[string, Headers, string]>([
    ['a key', key('key-of-ann'), 'ann'],
    ['another key of the same user', key('older-key-of-ann'), 'ann'],
    ['the key of another user', key('key-of-ben'), 'ben'],
    ['a shared secret', bearer('token-of-all'), 'bearer'],
    ['a scheme in capitals', { authorization: 'BEARER token-of-all' }, 'bearer'],
    ['a secret that is like no token', bearer('p@ss!w$rd'), 'odd'],
    ['a tab behind the scheme', { authorization: 'Bearer\ttoken-of-all' }, 'bearer'],
    ['a token that a function knows', bearer('user:dan'), 'dan'],
    ['a name and a password', basic('cäcilie:pass:wörd'), 'cäcilie'],
    ['a right key beside a wrong token', { ...key('key-of-ann'), ...bearer('wrong') }, 'ann'],
  ])('let %s in, on both bindings', async (_what, headers, user) => {
    const viaRpc = await pair.call(rpc('SendMessage', message('whoami'), headers));
    const viaRest = await pair.call(rest('POST', '/message:send', message('whoami'), headers));
    expect([whoIs(viaRpc), whoIs(viaRest)]).toEqual([user, user]);
  });

  const refused: [string, Headers, string][] = [
    ['nothing', {}, ALL],
    ['a wrong key', key('key-of-anne'), KEY],
    ['an empty key', { 'x-api-key': ' ' }, KEY],
    ['a wrong token', bearer('token-of-al'), WRONG_TOKEN],
    ['no token', { authorization: 'Bearer' }, WRONG_TOKEN],
    ['two tokens', bearer('token-of-all, token-of-all'), WRONG_TOKEN],
    ['a wrong password', basic('cäcilie:pass'), 'Basic realm="a2a", charset="UTF-8"'],
    [
      'a password that is no UTF-8',
      { authorization: `Basic ${Buffer.from('c\xe4c:\xff', 'latin1').toString('base64')}` },
      BASIC,
    ],
    ['a name with a control character', basic('c\u0000:pass'), BASIC],
    ['no base64', { authorization: 'Basic ???' }, 'Basic realm="a2a", charset="UTF-8"'],
    ['a scheme that nobody checks', { authorization: 'Digest username="ann"' }, ALL],
    ['a key in the wrong place', { authorization: 'key-of-ann' }, ALL],
    ['a wrong key and a wrong token', { ...key('x'), ...bearer('y') }, `${KEY}, ${WRONG_TOKEN}`],
  ];

  it.each(refused)('refuse %s with 401 and a challenge', async (_what, headers, challenge) => {
    const viaRpc = await pair.call(rpc('SendMessage', message('whoami'), headers));
    expect(viaRpc.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32090 } });
    const viaRest = await pair.call(rest('GET', '/tasks', undefined, headers));
    for (const answer of [viaRpc, viaRest]) {
      expect([answer.status, reasonOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
      expect(answer.headers['www-authenticate']).toBe(challenge);
    }
  });

  it.each([
    [['Bearer token-of-all', 'Bearer wrong']],
    [['Bearer wrong', 'Bearer token-of-all']],
    [['Digest x', 'Bearer token-of-all']],
    [['Bearer token-of-all', 'Bearer token-of-all']],
  ])('refuse two Authorization headers, of which a proxy may have seen the other one: %j', async (authorization) => {
    const answer = await pair.call({ path: '/a2a/json/tasks', headers: { authorization } });
    expect([answer.status, reasonOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('refuse before anything is said of the body, and behind path and verb', async () => {
    const broken = await pair.call({ ...rpc('SendMessage'), body: '{"no' });
    expect(broken.status).toBe(401);
    const large = await pair.call({ ...rpc('SendMessage'), body: 'x'.repeat(2 * 1024 * 1024) });
    expect(large.status).toBe(401);
    expect((await pair.call(rest('PATCH', '/message:send', {}))).status).toBe(405);
    expect((await pair.call(rest('POST', '/message:nothing', {}))).status).toBe(404);
  });

  it('say the same of a task that is there and of one that is not', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('echo hi'), key('key-of-ann')));
    for (const headers of [{}, key('wrong')]) {
      const there = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, headers));
      const none = await pair.call(rpc('GetTask', { id: 'none' }, headers));
      expect([there.status, there.text]).toEqual([401, none.text]);
      const overRest = await pair.call((side) => rest('GET', `/tasks/${side.note('id')}`, undefined, headers));
      const noneOverRest = await pair.call(rest('GET', '/tasks/none', undefined, headers));
      expect([overRest.status, overRest.text]).toEqual([401, noneOverRest.text]);
    }
    const other = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, key('key-of-ben')));
    expect(at(other.body, 'error.code')).toBe(-32001);
    const own = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, key('older-key-of-ann')));
    expect(own.status).toBe(200);
    expect(at(own.body, 'error')).toBeUndefined();
  });
});

describe.each([
  ['query', 'api_key', { path: '/a2a/json/tasks?api_key=right' }, { path: '/a2a/json/tasks?api_key=right&api_key=x' }],
  [
    'cookie',
    'api_key',
    { path: '/a2a/json/tasks', headers: { cookie: 'a=b; api_key=right; c' } },
    { path: '/a2a/json/tasks', headers: { cookie: 'api_key=right; api_key=x' } },
  ],
] as const)('a key in a %s', (location, parameter, right, twice) => {
  it('is found there, and must come once', async () => {
    const pair = await pairWith({ authentication: [new ApiKeyScheme({ location, keys: 'right' })] });
    try {
      expect((await pair.call(right)).status).toBe(200);
      expect((await pair.call(twice)).status).toBe(401);
      const none = await pair.call({ path: '/a2a/json/tasks', headers: key('right') });
      expect(none.status).toBe(401);
      expect(none.headers['www-authenticate']).toBe(`ApiKey realm="a2a", in="${location}", name="${parameter}"`);
    } finally {
      await pair.close();
    }
  });
});
