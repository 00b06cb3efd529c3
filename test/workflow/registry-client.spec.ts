import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { bareCard } from '../support/bare-card.js';
import { caught } from '../support/caught.js';
import { halfAnswer, JsonService, type ServiceScript } from '../support/workflow/json-service.js';
import {
  HttpAuthProvider,
  HttpConnectionException,
  HttpResponseException,
  HttpServiceException,
  RegistryClient,
  type RegistryClientOptions,
  SecurityException,
  TimeoutException,
  TlsPolicy,
  WorkflowArgumentError,
} from 'nestjs-a2a/workflow';

const PATH = '/rest/v1/registry-center/agent-cards';
const SECRET = 'hunter2';
const service = new JsonService();
const clients: RegistryClient[] = [];

function clientOf(options?: RegistryClientOptions): RegistryClient {
  const client = new RegistryClient(service.url, options);
  clients.push(client);
  return client;
}

beforeAll(() => service.start());
beforeEach(() => service.reset());
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await service.close();
});

describe('the cards of a registry', () => {
  const raw = { name: 'A', securitySchemes: { s: { type: 'http', scheme: 'bearer' } } };
  const normalized = { name: 'A', securitySchemes: { s: { httpAuthSecurityScheme: { scheme: 'bearer' } } } };

  it.each<readonly [what: string, body: object, cards: readonly object[]]>([
    ['agentCards', { agentCards: [raw], data: [{}] }, [normalized]],
    ['data', { data: [raw] }, [normalized]],
    ['data, where agentCards is no list', { agentCards: null, data: [raw] }, [normalized]],
    ['neither', { total: 0 }, []],
  ])('are those in %s', async (_what, body, cards) => {
    service.script = () => [200, body];
    expect(await clientOf().fetchAgentCards()).toEqual(cards);
    expect(service.lines).toEqual([`GET ${PATH}`]);
    expect(service.asked[0]?.headers).toMatchObject({ accept: 'application/json' });
  });

  it('can be read for the client', async () => {
    const card = bareCard({
      supportedInterfaces: [{ url: 'https://a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    service.script = () => [200, { agentCards: [{ ...card, ...raw }] }];
    expect(await clientOf().readAgentCards()).toMatchObject([normalized]);
  });

  it.each<readonly [what: string, names: readonly string[], found: string | undefined]>([
    ['the first', ['Aa', 'aA'], 'Aa'],
    ['the one with exactly this name', ['Aa', 'A'], 'A'],
    ['none', [], undefined],
  ])('are asked for by name: %s', async (_what, names, found) => {
    service.script = () => [200, { agentCards: names.map((name) => ({ name })) }];
    expect(await clientOf().fetchAgentCard('A')).toEqual(found === undefined ? null : { name: found });
  });

  it('are asked for by name and organization, encoded', async () => {
    service.script = () => [200, { agentCards: [] }];
    await clientOf().fetchAgentCard('a &b/中', 'o=p');
    await clientOf().fetchAgentCard('a', null);
    const asked = service.lines.map((line) => new URL(line.slice(4), service.url).searchParams);
    expect(asked.map((query) => Object.fromEntries(query))).toEqual([
      { name: 'a &b/中', organization: 'o=p' },
      { name: 'a' },
    ]);
  });

  it('are not asked for without a name', async () => {
    expect(await caught(clientOf().fetchAgentCard(' '))).toEqual(new WorkflowArgumentError('name must not be blank'));
  });

  it.each<readonly [status: number, body: string | object | undefined, said: object]>([
    [200, { id: 7 }, { id: 7 }],
    [201, { id: 7 }, { id: 7 }],
    [201, undefined, {}],
    [201, ' \n', {}],
    [201, '"done"', {}],
    [200, [1], {}],
  ])('can be put there: %d %j', async (status, body, said) => {
    service.script = () => [status, body];
    expect(await clientOf().registerAgentCard(raw)).toEqual(said);
    expect(service.asked).toMatchObject([{ line: `POST ${PATH}`, body: { agentCards: [raw] } }]);
  });
});

describe('a registry that fails', () => {
  const calls: Record<string, (client: RegistryClient) => Promise<unknown>> = {
    all: (client) => client.fetchAgentCards(),
    one: (client) => client.fetchAgentCard('A'),
    register: (client) => client.registerAgentCard({ name: 'A' }),
  };
  const statuses = [301, 307, 400, 401, 403, 404, 409, 413, 422, 500, 503];
  it.each(Object.keys(calls).flatMap((call) => statuses.map((status): [string, number] => [call, status])))(
    'is told by its status and nothing else: %s %d',
    async (call, status) => {
      service.script = (_request, response) => {
        response.setHeader('location', `${service.url}/elsewhere`);
        return [status, { error: SECRET }];
      };
      const error = await caught(calls[call]?.(clientOf()) ?? Promise.resolve());
      expect(error).toEqual(new HttpServiceException('Registry', status));
      expect(error).toMatchObject({ message: `Registry returned ${status}`, code: 'workflow.http_status' });
      if (!(error instanceof HttpServiceException)) throw error;
      expect([error.getStatusCode(), error.isAuthenticationFailure()]).toEqual([status, [401, 403].includes(status)]);
      expect(service.asked).toHaveLength(1);
    },
  );

  it('does not have another status of success for a card that was put there', async () => {
    service.script = () => [204];
    expect(await caught(clientOf().registerAgentCard({}))).toEqual(new HttpServiceException('Registry', 204));
  });

  it.each<readonly [call: string, what: string, body: string | object | undefined]>([
    ['all', 'no JSON', `{"${SECRET}`],
    ['all', 'nothing', undefined],
    ['all', 'a list', []],
    ['all', 'text', '"x"'],
    ['all', 'cards that are none', { agentCards: [1] }],
    ['all', 'cards that are null', { agentCards: [null] }],
    ['all', 'cards that are too deep', `{"agentCards":[{"a":${'['.repeat(600)}${']'.repeat(600)}}]}`],
    ['one', 'no JSON', SECRET],
    ['register', 'no JSON', SECRET],
    ['register', 'something too deep', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`],
  ])('is told by %s: %s', async (call, _what, body) => {
    service.script = () => [200, body];
    const error = await caught(calls[call]?.(clientOf()) ?? Promise.resolve());
    expect(error).toEqual(new HttpResponseException('Registry', 200));
    expect([error.message, error.cause]).toEqual(['Registry returned 200, but the answer cannot be read', undefined]);
    expect(error).toMatchObject({ code: 'workflow.http_response' });
    expect(error instanceof HttpResponseException && error.getStatusCode()).toBe(200);
  });

  it.each<readonly [what: string, script: ServiceScript]>([
    ['bytes that are no text', (_request, response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d]))],
    [
      'bytes that are compressed, which nobody has asked for',
      (_request, response) => void response.setHeader('content-encoding', 'gzip').end(gzipSync('{"agentCards":[]}')),
    ],
    ['no content', () => [204]],
    ['a body that is too large', () => [200, { agentCards: 'x'.repeat(100) }]],
  ])('is told by %s', async (_what, script) => {
    service.script = script;
    expect(await caught(clientOf({ maxAnswerBytes: 64 }).fetchAgentCards())).toBeInstanceOf(HttpResponseException);
  });

  it('is not reached', async () => {
    const gone = new JsonService();
    await gone.start();
    const client = new RegistryClient(gone.url);
    await gone.close();
    const error = await caught(client.fetchAgentCards());
    expect(error).toBeInstanceOf(HttpConnectionException);
    expect(error).toMatchObject({ code: 'workflow.http_connection' });
    expect(error.message).toMatch(/^Registry gave no answer: .*The connection failed \(ECONNREFUSED\)$/);
    await client.close();
  });

  it.each<readonly [what: string, headers: Record<string, string>]>([
    ['in the middle', {}],
    ['before the length it has said', { 'content-length': '1000' }],
  ])('hangs up %s', async (_what, headers) => {
    service.script = (_request, response) => {
      response.writeHead(200, headers);
      response.write('{"agentCards":[]}', () => response.destroy());
    };
    for (const call of Object.values(calls))
      expect(await caught(call(clientOf()))).toBeInstanceOf(HttpConnectionException);
  });

  it('may begin with a byte order mark', async () => {
    service.script = () => [200, '\ufeff{"agentCards":[{"name":"A"}]}'];
    expect(await clientOf().fetchAgentCards()).toEqual([{ name: 'A' }]);
  });

  it('has no names that change what objects are', async () => {
    service.script = () => [
      200,
      '{"agentCards":[{"name":"A","__proto__":{"url":"x"},"securitySchemes":{"__proto__":{"scheme":"b"}}}]}',
    ];
    const [card] = await clientOf().fetchAgentCards();
    expect([card?.['url'], card]).toEqual([undefined, { name: 'A', securitySchemes: {} }]);
  });

  it('may not be reached', async () => {
    const error = await caught(clientOf({ network: {} }).fetchAgentCards());
    expect(error.message).toContain("network: 'any'");
    expect(service.asked).toEqual([]);
  });

  it.each<readonly [what: string, script: ServiceScript | undefined, auth?: HttpAuthProvider]>([
    ['headers', () => undefined],
    ['body', halfAnswer],
    ['credentials', undefined, HttpAuthProvider.bearer(() => new Promise(() => undefined))],
  ])('is waited for until the deadline: no %s', async (_what, script, auth = undefined) => {
    service.reset(script);
    const error = await caught(clientOf({ deadlineMs: 40, auth }).fetchAgentCards());
    expect(error).toEqual(new TimeoutException('Registry did not answer within 40 ms'));
  });

  it('is left when the caller leaves, before and while it answers', async () => {
    const reason = new Error('left');
    expect(await caught(clientOf().fetchAgentCards({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(service.asked).toEqual([]);
    const leaving = new AbortController();
    const closed = new Promise<void>((resolve) => {
      service.script = (request, response) => {
        response.once('close', resolve);
        halfAnswer(request, response);
        leaving.abort(reason);
      };
    });
    expect(await caught(clientOf().fetchAgentCard('A', null, { signal: leaving.signal }))).toBe(reason);
    await closed;
  });

  it('is no longer asked once the client is closed', async () => {
    const client = clientOf();
    await client.close();
    expect(await caught(client.fetchAgentCards())).toBeInstanceOf(HttpConnectionException);
  });
});

describe('credentials for a registry', () => {
  it('are asked for before every request', async () => {
    let count = 0;
    const client = clientOf({ auth: HttpAuthProvider.bearer(async () => `t${(count += 1)}`) });
    await client.fetchAgentCards();
    await client.registerAgentCard({});
    expect(service.authorizations).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it.each(['', ' '])('keep a request from being made when they are %p', async (token) => {
    const error = await caught(clientOf({ auth: HttpAuthProvider.bearer(() => token) }).fetchAgentCards());
    expect(error).toEqual(new SecurityException('The supplier of the bearer token gave none'));
    expect(service.asked).toEqual([]);
  });

  it('fail with what the supplier throws', async () => {
    const failure = new Error('vault is sealed');
    const auth = HttpAuthProvider.bearer(() => {
      throw failure;
    });
    expect(await caught(clientOf({ auth }).fetchAgentCards())).toBe(failure);
  });

  it('never show in errors', async () => {
    const auth = HttpAuthProvider.bearer(() => `${SECRET}\r\nX: 1`);
    const error = await caught(clientOf({ auth }).fetchAgentCards());
    expect(error).toBeInstanceOf(HttpConnectionException);
    expect(error.message).not.toContain(SECRET);
    expect(service.asked).toEqual([]);
  });

  it.each([undefined, null, 7])('are texts, or nothing is sent: %p', async (value) => {
    class Odd extends HttpAuthProvider {
      headersFor(): Record<string, string> {
        const headers: Record<string, string> = {};
        Object.assign(headers, { Authorization: value });
        return headers;
      }
    }
    const error = await caught(clientOf({ auth: new Odd() }).fetchAgentCards());
    expect(error).toEqual(new SecurityException('The HttpAuthProvider gave no text for the header Authorization'));
    expect(service.asked).toEqual([]);
  });

  it('may be any headers, in place of ours too', async () => {
    class OwnHeaders extends HttpAuthProvider {
      headersFor({ pathname }: URL): Record<string, string> {
        return { 'X-Path': pathname, Accept: 'application/own' };
      }
    }
    await clientOf({ auth: new OwnHeaders() }).fetchAgentCards();
    expect(service.asked[0]?.headers).toMatchObject({ 'x-path': PATH, accept: 'application/own' });
  });
});

describe('a registry client', () => {
  const auth = HttpAuthProvider.bearer(() => 't');
  it.each<readonly [what: string, make: (url: string) => RegistryClient, authorization: string | undefined]>([
    ['url', (url) => new RegistryClient(url), undefined],
    ['url, auth', (url) => new RegistryClient(url, auth), 'Bearer t'],
    ['url, no auth', (url) => new RegistryClient(url, null), undefined],
    ['url, auth, tls', (url) => new RegistryClient(url, auth, TlsPolicy.strict()), 'Bearer t'],
    ['url, auth, tls, deadline', (url) => new RegistryClient(url, auth, TlsPolicy.insecure(), 15_000), 'Bearer t'],
    ['url, sslVerify', (url) => new RegistryClient(url, false), undefined],
    ['url, sslVerify, deadline', (url) => new RegistryClient(url, true, 15_000), undefined],
    ['options', (url) => new RegistryClient(url, { auth, tls: TlsPolicy.strict(), deadlineMs: 15_000 }), 'Bearer t'],
    ['slashes at the end of the url', (url) => new RegistryClient(`${url}/base//`), undefined],
  ])('is made of %s', async (what, make, authorization) => {
    const client = make(service.url);
    await client.fetchAgentCards();
    await client.close();
    expect(service.authorizations).toEqual([authorization]);
    expect(service.lines).toEqual([`GET ${what.startsWith('slashes') ? '/base' : ''}${PATH}`]);
  });

  it.each<readonly [message: string, make: () => RegistryClient]>([
    ['deadline must be positive', () => new RegistryClient('http://a', auth, TlsPolicy.strict(), 0)],
    ['deadline must be positive', () => new RegistryClient('http://a', true, -1)],
    ['deadline must be positive', () => new RegistryClient('http://a', { deadlineMs: NaN })],
    ['url must be an absolute URL', () => new RegistryClient('a')],
    ['url must be of http or https', () => new RegistryClient('ftp://a')],
    ['url must hold no account: authenticate with', () => new RegistryClient('https://u:p@a')],
    ['url must have neither query nor fragment', () => new RegistryClient('http://a?b=c')],
  ])('is not made: %s', (message, make) => {
    expect(make).toThrow(WorkflowArgumentError);
    expect(make).toThrow(message);
  });

  it('has the deadline of its constructor, in both forms', async () => {
    service.script = () => undefined;
    for (const client of [
      new RegistryClient(service.url, null, TlsPolicy.strict(), 30),
      new RegistryClient(service.url, true, 30),
    ]) {
      expect((await caught(client.fetchAgentCards())).message).toBe('Registry did not answer within 30 ms');
      await client.close();
    }
  });
});
