import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type AgentCard, signAgentCard } from 'nestjs-a2a/protocol';
import {
  type HttpScript,
  type ScriptedAnswer,
  ScriptedClientHttp,
} from '../../../../test/support/scripted-client-http.js';
import { ApiKeyCredential } from '../credentials/api-key.credential.js';
import { BearerCredential } from '../credentials/bearer.credential.js';
import { CardCredentials } from '../credentials/card-credentials.js';
import type { ClientHttpRequest } from '../http/client-http.js';
import { AgentDirectory, type AgentDirectoryOptions } from './agent-directory.js';

const ORIGIN = 'https://a.example';
const CARD_URL = `${ORIGIN}/.well-known/agent-card.json`;
const OLDER_URL = `${ORIGIN}/.well-known/agent.json`;
const rpc = { url: `${ORIGIN}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const rest = { url: 'https://b.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'acme' };
const card: AgentCard = {
  name: 'A',
  description: 'a',
  version: '1',
  supportedInterfaces: [rpc, rest],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 's', tags: ['t'] }],
};
const { supportedInterfaces: _interfaces, ...without } = card;
const olderCard = { ...without, url: ORIGIN, protocol: 'a2a/1.0', capabilities: ['streaming'] };

function setUp(script: HttpScript | Readonly<Record<string, ScriptedAnswer>>, options: AgentDirectoryOptions = {}) {
  let time = 1_000_000;
  const http = new ScriptedClientHttp(
    typeof script === 'function' ? script : ({ url }) => script[url] ?? { status: 404 },
  );
  const directory = new AgentDirectory(http, { now: () => time, ...options });
  return { http, directory, pass: (seconds: number): void => void (time += seconds * 1000) };
}

describe('AgentDirectory', () => {
  it('finds an agent by its URL', async () => {
    const { directory, http } = setUp({ [CARD_URL]: { body: card } });
    const agent = await directory.find(`${ORIGIN}/`);
    expect(agent).toMatchObject({ card, dialect: '1.0', cardUrl: CARD_URL, origin: ORIGIN, interface: rpc });
    expect(agent).not.toHaveProperty('legacy');
    expect(agent).not.toHaveProperty('signature');
    expect(http.asked).toEqual([`GET ${CARD_URL}`]);
  });

  it.each<readonly [what: string, first: ScriptedAnswer]>([
    ['is missing', { status: 404 }],
    ['fails', { status: 500 }],
    ['leads elsewhere', { status: 301, headers: { location: OLDER_URL } }],
    ['is a page', { body: '<html></html>' }],
    ['is something else', { body: { name: 'a-service', status: 'ok' } }],
  ])('looks in the older place where the first one %s', async (_what, first) => {
    const { directory, http } = setUp({ [CARD_URL]: first, [OLDER_URL]: { body: card } });
    expect(await directory.find(ORIGIN)).toMatchObject({ cardUrl: OLDER_URL, interface: rpc });
    expect(http.asked).toEqual([`GET ${CARD_URL}`, `GET ${OLDER_URL}`]);
    await directory.find(ORIGIN);
    // What is known is not looked for again; what was something else is not taken for it either.
    expect(http.asked).toHaveLength(2);
  });

  it('knows how agents are called that have no interface', async () => {
    const { directory } = setUp({ [OLDER_URL]: { body: olderCard } });
    const agent = await directory.find(ORIGIN);
    expect(agent).toMatchObject({ dialect: 'ai4j', legacy: { url: `${ORIGIN}/tasks/send` } });
    expect(agent.interface).toBeUndefined();
    const given = await setUp({}).directory.find(JSON.parse(JSON.stringify(olderCard)));
    expect(given).toMatchObject({ origin: ORIGIN, legacy: { url: `${ORIGIN}/tasks/send` } });
  });

  it('takes a URL that is the card, and a path', async () => {
    const other = `${ORIGIN}/x/card`;
    const { directory, http } = setUp({ [other]: { body: card } });
    expect(await directory.find(other)).toMatchObject({ cardUrl: other });
    expect(await directory.find(`${ORIGIN}/x`, { cardPath: 'card' })).toMatchObject({ cardUrl: other });
    expect(http.asked.at(-1)).toBe(`GET ${other}`);
  });

  it('takes a card, without asking anybody', async () => {
    const { directory, http } = setUp({});
    const agent = await directory.find(card, { preferredProtocol: 'HTTP+JSON' });
    expect(agent).toMatchObject({ card, origin: 'https://b.example', interface: rest });
    expect(agent).not.toHaveProperty('cardUrl');
    expect(await agent.refresh()).toMatchObject({ interface: rest });
    expect(http.requests).toEqual([]);
  });

  it.each<readonly [what: string, answers: Record<string, ScriptedAnswer>, code: string, message: string]>([
    ['nothing', {}, 'DISCOVERY_FAILED', `${CARD_URL}: the answer is 404; ${OLDER_URL}: the answer is 404`],
    ['a card with a fault', { [CARD_URL]: { body: { ...card, name: '' } } }, 'AGENT_CARD_INVALID', 'name is required'],
  ])('says where it looked when there is %s', async (_what, answers, code, message) => {
    await expect(setUp(answers).directory.find(ORIGIN)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('does not look on when there is no answer at all', async () => {
    const { directory, http } = setUp(() => {
      throw new Error('no connection');
    });
    await expect(directory.find(ORIGIN)).rejects.toThrow('no connection');
    expect(http.requests).toHaveLength(1);
  });

  it('reads a card again when its time is over, or when told', async () => {
    let version = 1;
    const { directory, http, pass } = setUp(() => ({ body: { ...card, version: String(version) } }), {
      cardLifetimeSeconds: 60,
    });
    const agent = await directory.find(ORIGIN);
    version = 2;
    pass(59);
    expect((await directory.find(ORIGIN)).card.version).toBe('1');
    const later = await agent.refresh();
    expect([agent.card.version, later.card.version]).toEqual(['1', '2']);
    version = 3;
    expect((await directory.find(ORIGIN, { refresh: true })).card.version).toBe('3');
    pass(60);
    version = 4;
    expect((await directory.find(ORIGIN)).card.version).toBe('4');
    expect(http.requests).toHaveLength(4);
  });

  it('keeps to the choice of the call, then to its own', async () => {
    const { directory } = setUp({ [CARD_URL]: { body: card } }, { preferredProtocol: 'HTTP+JSON' });
    expect((await directory.find(ORIGIN)).interface).toEqual(rest);
    expect((await directory.find(ORIGIN, { preferredProtocol: 'JSONRPC' })).interface).toEqual(rpc);
    expect((await directory.find(ORIGIN, { protocols: ['GRPC'] })).interface).toBeUndefined();
    expect((await (await directory.find(ORIGIN, { protocols: ['JSONRPC'] })).refresh()).interface).toEqual(rpc);
  });

  it('stops when the caller does', async () => {
    const { directory } = setUp({});
    await expect(directory.find(ORIGIN, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  describe('with credentials', () => {
    const credentials = new CardCredentials([new ApiKeyCredential('word')]);

    it('shows them for a card that is not open, and else not', async () => {
      const { directory, http } = setUp(
        ({ headers }) => (headers['x-api-key'] === 'word' ? { body: card } : { status: 401 }),
        { credentials },
      );
      expect(await directory.find(ORIGIN)).toMatchObject({ card });
      expect(http.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined, 'word']);
      const open = setUp({ [CARD_URL]: { body: card } }, { credentials });
      await open.directory.find(ORIGIN);
      expect(open.http.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
    });

    it('gets a new token once where the one it has is refused', async () => {
      let issued = 0;
      const { directory, http } = setUp(
        ({ headers }) => (headers['authorization'] === 'Bearer t2' ? { body: card } : { status: 401 }),
        { credentials: new CardCredentials([new BearerCredential(() => `t${(issued += 1)}`)]) },
      );
      expect(await directory.find(ORIGIN)).toMatchObject({ card });
      expect(http.requests.map(({ headers }) => headers['authorization'])).toEqual([
        undefined,
        'Bearer t1',
        'Bearer t2',
      ]);
    });

    it('says so when they do not help', async () => {
      const { directory } = setUp(() => ({ status: 401 }), { credentials });
      await expect(directory.find(ORIGIN)).rejects.toMatchObject({ code: 'DISCOVERY_FAILED', cause: { status: 401 } });
    });
  });

  it('lets interceptors see the requests for cards', async () => {
    const interceptors = [{ request: (request: ClientHttpRequest) => void (request.headers['x-gateway'] = 'g') }];
    const { directory, http } = setUp({ [CARD_URL]: { body: card } }, { interceptors });
    await directory.find(ORIGIN);
    expect(http.requests[0]?.headers).toMatchObject({ 'x-gateway': 'g', 'A2A-Version': '1.0' });
  });

  describe('with a trust list', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const trust = [{ keys: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] } }];
    const sign = (what: AgentCard): Promise<AgentCard> => signAgentCard(what, [{ key: privateKey, kid: 'k' }]);

    it('takes what was signed, and says by whom', async () => {
      const body = { ...(await sign(card)), url: 'https://evil.example' };
      const agent = await setUp({ [CARD_URL]: { body } }, { trust }).directory.find(ORIGIN);
      expect(agent).toMatchObject({ interface: rpc, signature: { kid: 'k', alg: 'EdDSA' } });
      expect(agent.card).not.toHaveProperty('url');
    });

    it('takes nothing else', async () => {
      const signed = await sign(card);
      const changed = { ...signed, supportedInterfaces: [rest] };
      for (const body of [card, changed, { ...without, url: ORIGIN, protocolVersion: '0.3.0' }]) {
        const { directory } = setUp({ [CARD_URL]: { body } }, { trust });
        await expect(directory.find(ORIGIN)).rejects.toMatchObject({ code: 'AGENT_CARD_NOT_TRUSTED' });
      }
      await expect(setUp({}, { trust }).directory.find(card)).rejects.toMatchObject({ code: 'AGENT_CARD_NOT_TRUSTED' });
    });

    it('wants the extended card signed as well', async () => {
      const agent = await setUp({ [CARD_URL]: { body: await sign(card) } }, { trust }).directory.find(ORIGIN);
      const more = { ...card, description: 'more' };
      await expect(agent.withExtendedCard(more)).rejects.toMatchObject({ code: 'AGENT_CARD_NOT_TRUSTED' });
      expect((await agent.withExtendedCard(await sign(more))).card.description).toBe('more');
    });
  });

  describe('with an extended card', () => {
    const security = {
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    };
    const find = () => setUp({ [CARD_URL]: { body: { ...card, ...security } } }).directory.find(ORIGIN);

    it('lays it over the public one', async () => {
      const skills = [{ id: 'extra', name: 'Extra', description: '', tags: [] }];
      const agent = await (await find()).withExtendedCard({ name: 'A', skills, supportedInterfaces: [] });
      expect(agent).toMatchObject({ card: { ...card, ...security, skills }, origin: ORIGIN, interface: rpc });
    });

    it('takes one in the form of 0.3, and its security', async () => {
      const agent = await (
        await find()
      ).withExtendedCard({
        ...without,
        url: `${ORIGIN}/old`,
        protocolVersion: '0.3.0',
        securitySchemes: { b: { type: 'http', scheme: 'bearer' } },
        security: [{ b: [] }],
      });
      expect(agent.interface).toEqual(rpc);
      expect(agent.card.securityRequirements).toEqual([{ schemes: { b: { list: [] } } }]);
    });

    it('keeps the origin, wherever it points', async () => {
      const agent = await (await find()).withExtendedCard({ ...card, supportedInterfaces: [rest] });
      expect(agent).toMatchObject({ interface: rest, origin: ORIGIN });
    });

    it.each(['card', null, { name: 1, skills: 'none', defaultInputModes: 'text' }])('refuses %j', async (extended) => {
      await expect((await find()).withExtendedCard(extended)).rejects.toMatchObject({ code: 'AGENT_CARD_INVALID' });
    });
  });
});
