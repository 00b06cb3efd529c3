import { describe, expect, it } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { bareCard } from '../../../../test/support/bare-card.js';
import { type HttpScript, ScriptedClientHttp } from '../../../../test/support/scripted-client-http.js';
import { ApiKeyCredential } from '../credentials/api-key.credential.js';
import { BearerCredential } from '../credentials/bearer.credential.js';
import { type ClientCredentials, credentialSourceOf } from '../credentials/credential-setting.js';
import { AgentHttp } from './agent-http.js';
import type { ClientHttpRequest } from './client-http.js';
import type { ClientInterceptor } from './client-interceptor.js';
import { InterceptedHttp } from './intercepted-http.js';

const OWN = 'https://a.example';
const OTHER = 'https://b.example';

function cardOf(...names: string[]): AgentCard {
  return bareCard({
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } },
      query: { apiKeySecurityScheme: { location: 'query', name: 'api key' } },
      cookie: { apiKeySecurityScheme: { location: 'cookie', name: 'session' } },
    },
    securityRequirements: names.map((name) => ({ schemes: name === '' ? {} : { [name]: { list: [] } } })),
  });
}

interface Settings {
  readonly credentials?: ClientCredentials;
  readonly card?: AgentCard;
  readonly credentialOrigins?: readonly string[];
  readonly interceptors?: readonly ClientInterceptor[];
}

function setUp(
  script: HttpScript,
  { credentials, card = cardOf('bearer'), credentialOrigins, interceptors }: Settings,
) {
  const inner = new ScriptedClientHttp(script);
  const agent = { card, interface: undefined, origin: OWN };
  const agentHttp = new AgentHttp(inner, { agent, credentials: credentialSourceOf(credentials), credentialOrigins });
  return { inner, http: new InterceptedHttp(agentHttp, interceptors) };
}

const requestTo = (url: string, headers: Record<string, string> = {}): ClientHttpRequest => ({
  method: 'POST',
  url,
  headers: { Accept: 'application/json', ...headers },
  body: '{}',
});

describe('AgentHttp', () => {
  const token = new BearerCredential('token');

  it('adds what the card asks for, and leaves the request alone', async () => {
    const { http, inner } = setUp(() => ({ status: 204 }), { credentials: token });
    const request = requestTo(`${OWN}/rpc`);
    expect(await http.request(request, { totalTimeoutMs: 7 })).toMatchObject({ status: 204 });
    expect(inner.requests[0]).toEqual({
      ...request,
      headers: { accept: 'application/json', authorization: 'Bearer token' },
    });
    expect(inner.limits).toEqual([{ totalTimeoutMs: 7 }]);
    expect(request.headers).toEqual({ Accept: 'application/json' });
  });

  it.each([
    [`${OWN}/rpc`, `${OWN}/rpc?api%20key=a%26b%3D%2B`],
    [`${OWN}/rpc?q=a+b%20c`, `${OWN}/rpc?q=a+b%20c&api%20key=a%26b%3D%2B`],
  ])('adds a key to %s', async (url, sent) => {
    const { http, inner } = setUp(() => ({}), { credentials: new ApiKeyCredential('a&b=+'), card: cardOf('query') });
    await http.request(requestTo(url));
    expect(inner.requests[0]?.url).toBe(sent);
  });

  it('adds a cookie to others', async () => {
    const { http, inner } = setUp(() => ({}), { credentials: 'word', card: cardOf('cookie') });
    await http.request(requestTo(OWN));
    await http.request(requestTo(OWN, { Cookie: 'a=b' }));
    expect(inner.requests.map(({ headers }) => headers['cookie'])).toEqual(['session=word', 'a=b; session=word']);
  });

  describe('at another origin', () => {
    it.each([`${OTHER}/rpc`, 'http://a.example/rpc', 'https://a.example:8443/rpc', 'https://a.example.evil.example/'])(
      'sends nothing to %s, and does not call without what the card asks for',
      async (url) => {
        const { http, inner } = setUp(() => ({}), { credentials: token });
        await expect(http.request(requestTo(url))).rejects.toMatchObject({ code: 'CREDENTIALS_NOT_FOR_ORIGIN' });
        const open = setUp(() => ({}), { credentials: token, card: cardOf() });
        await open.http.request(requestTo(url));
        expect([...inner.requests, ...open.inner.requests].map(({ headers }) => headers)).toEqual([
          { Accept: 'application/json' },
        ]);
      },
    );

    it.each([[cardOf('bearer', '')], [cardOf('')]])('calls without where that will do: %#', async (card) => {
      const { http, inner } = setUp(() => ({}), { credentials: token, card });
      await http.request(requestTo(OTHER));
      expect(inner.requests[0]?.headers).not.toHaveProperty('authorization');
    });

    it('sends them where that is allowed', async () => {
      const { http, inner } = setUp(() => ({}), { credentials: token, credentialOrigins: [`${OTHER}/`] });
      await http.request(requestTo(`${OTHER}/rpc`));
      expect(inner.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
    });
  });

  it('does not call without what the card asks for', async () => {
    const { http, inner } = setUp(() => ({}), {});
    await expect(http.request(requestTo(OWN))).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
    expect(inner.requests).toEqual([]);
  });

  describe('refused with 401', () => {
    const rotating = (): { credentials: BearerCredential; asked: (string | undefined)[] } => {
      const asked: (string | undefined)[] = [];
      const credentials = new BearerCredential(({ rejected }) => {
        asked.push(rejected);
        return rejected === undefined ? 'old' : 'new';
      });
      return { credentials, asked };
    };
    const wanting =
      (wanted: string): HttpScript =>
      ({ headers }) => ({ status: headers['authorization'] === `Bearer ${wanted}` ? 200 : 401 });

    it('tries once more with another token', async () => {
      const { credentials, asked } = rotating();
      const { http, inner } = setUp(wanting('new'), { credentials });
      expect(await http.request(requestTo(OWN))).toMatchObject({ status: 200 });
      expect(inner.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer old', 'Bearer new']);
      expect(asked).toEqual([undefined, 'old']);
    });

    it('tries a stream once more, and closes the first one', async () => {
      const { http, inner } = setUp(wanting('new'), rotating());
      expect(await http.open(requestTo(OWN))).toMatchObject({ status: 200 });
      expect([inner.requests.length, inner.closedStreams]).toEqual([2, 1]);
    });

    it('tries no third time', async () => {
      const { http, inner } = setUp(wanting('other'), rotating());
      expect(await http.request(requestTo(OWN))).toMatchObject({ status: 401 });
      expect(inner.requests).toHaveLength(2);
    });

    it.each<readonly [what: string, credentials: ClientCredentials, status: number]>([
      ['there is nothing else', token, 401],
      ['the provider gives the same again', new BearerCredential(() => 'same'), 401],
      ['it is forbidden', rotating().credentials, 403],
    ])('does not try again when %s', async (_what, credentials, status) => {
      const { http, inner } = setUp(() => ({ status }), { credentials });
      expect(await http.request(requestTo(OWN))).toMatchObject({ status });
      expect(inner.requests).toHaveLength(1);
    });
  });

  describe('with interceptors', () => {
    it('lets them change requests in order, and see the heads of answers, but no credentials', async () => {
      const seen: unknown[] = [];
      const { http, inner } = setUp(() => ({ status: 202, headers: { 'x-gateway': 'g' }, body: 'secret' }), {
        credentials: token,
        interceptors: [
          { request: (request) => void (request.headers['x-one'] = '1') },
          {
            request: (request) => ({ ...request, url: request.url.replace('/rpc', '/gateway/rpc') }),
            answer: (answer, { url, headers }) => void seen.push([answer, url, headers]),
          },
        ],
      });
      const request = requestTo(`${OWN}/rpc`);
      await http.open(request);
      const headers = { Accept: 'application/json', 'x-one': '1' };
      expect(seen).toEqual([[{ status: 202, headers: { 'x-gateway': 'g' } }, `${OWN}/gateway/rpc`, headers]]);
      expect(inner.requests[0]).toMatchObject({
        url: `${OWN}/gateway/rpc`,
        headers: { 'x-one': '1', authorization: 'Bearer token' },
      });
      expect(request.headers).not.toHaveProperty('x-one');
    });

    it('sends credentials only where the request goes in the end', async () => {
      const interceptors = [{ request: (request: ClientHttpRequest) => ({ ...request, url: `${OTHER}/rpc` }) }];
      const { http } = setUp(() => ({}), { credentials: token, interceptors });
      await expect(http.request(requestTo(OWN))).rejects.toMatchObject({ code: 'CREDENTIALS_NOT_FOR_ORIGIN' });
    });

    it('takes no header that is set already for its own', async () => {
      const interceptors = [{ request: (request: ClientHttpRequest) => void (request.headers['Authorization'] = 'x') }];
      const { http } = setUp(() => ({}), { credentials: token, interceptors });
      await expect(http.request(requestTo(OWN))).rejects.toMatchObject({ code: 'CREDENTIALS_CONFLICT' });
      const off = setUp(() => ({}), { credentials: false, interceptors });
      await off.http.request(requestTo(OWN));
      expect(off.inner.requests[0]?.headers).toMatchObject({ authorization: 'x' });
    });

    it('closes a stream for whose second try there is no token', async () => {
      const provider = ({ rejected }: { readonly rejected?: string }): string => {
        if (rejected === undefined) return 'old';
        throw new Error('no more');
      };
      const { http, inner } = setUp(() => ({ status: 401 }), { credentials: new BearerCredential(provider) });
      await expect(http.open(requestTo(OWN))).rejects.toMatchObject({ code: 'CREDENTIAL_FAILED' });
      expect(inner.closedStreams).toBe(1);
    });

    it('closes a stream that one of them refuses', async () => {
      const fail = async (): Promise<never> => Promise.reject(new Error('not so'));
      const { http, inner } = setUp(() => ({}), { credentials: token, interceptors: [{ answer: fail }] });
      await expect(http.open(requestTo(OWN))).rejects.toThrow('not so');
      expect(inner.closedStreams).toBe(1);
    });
  });
});
