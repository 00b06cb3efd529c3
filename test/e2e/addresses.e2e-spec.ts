import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { RequestMethod, VersioningType, type INestApplication } from '@nestjs/common';
import { CARD_PATH, message } from '../support/a2a-calls.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, listAt, send, textAt } from '../support/http-call.js';
import { Pair, type Side } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import type { StartOptions } from '../support/running-app.js';

async function withSetup(start: StartOptions, use: (pair: Pair) => Promise<void>, options = {}): Promise<void> {
  const pair = await Pair.start(() => probeModule(options), start);
  try {
    await use(pair);
  } finally {
    await pair.close();
  }
}

/** Follows what the card says, as a client that knows nothing else does. */
async function expectUsable(side: Side, card: unknown): Promise<void> {
  const interfaces = listAt(card, 'supportedInterfaces');
  expect(interfaces.map((entry) => at(entry, 'protocolBinding'))).toEqual(['JSONRPC', 'HTTP+JSON']);
  const [rpcUrl, restUrl] = interfaces.map((entry) => new URL(textAt(entry, 'url')));
  expect([rpcUrl?.origin, restUrl?.origin]).toEqual([side.url, side.url]);
  const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message('echo hi') };
  const viaRpc = await send(side.url, { path: rpcUrl?.pathname ?? '', body: call });
  expect(at(viaRpc.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
  const base = restUrl?.pathname ?? '';
  const viaRest = await send(side.url, { path: `${base}/message:send`, body: message('echo hi') });
  expect(at(viaRest.body, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
  const stream = await EventClient.open(side.url, { path: `${base}/message:stream`, body: message('echo hi') });
  expect(await stream.ended).toBe(true);
  expect(stream.frames).toHaveLength(4);
  const id = textAt(viaRest.body, 'task.id');
  const task = await send(side.url, { path: `${base}/tasks/${id}` });
  expect(task.status).toBe(200);
  const wrong = await send(side.url, { path: `${base}/tasks/${id}:cancel`, method: 'GET' });
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST']);
}

describe('the card of an app', () => {
  it.each<[string, (app: INestApplication) => unknown, string]>([
    ['with a global prefix', (app) => app.setGlobalPrefix('api'), '/api'],
    ['with a prefix of two parts', (app) => app.setGlobalPrefix('/deep/api/'), '/deep/api'],
    [
      'with a prefix that leaves something out',
      (app) => app.setGlobalPrefix('api', { exclude: [{ path: 'health', method: RequestMethod.GET }] }),
      '/api',
    ],
    ['with versions in the path', (app) => app.enableVersioning({ type: VersioningType.URI }), ''],
    [
      'with a default version in the path',
      (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
      '',
    ],
    [
      'with versions in a header',
      (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version', defaultVersion: '1' }),
      '',
    ],
    [
      'with versions in the media type',
      (app) => app.enableVersioning({ type: VersioningType.MEDIA_TYPE, key: 'v=' }),
      '',
    ],
    [
      'with both',
      (app) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
      '/api',
    ],
  ])('%s is where callers look, and says where the agent is', async (_what, setup, prefix) => {
    await withSetup({ setup }, async (pair) => {
      const card = await pair.call({ path: CARD_PATH });
      expect(card.status).toBe(200);
      expect(at(card.body, 'supportedInterfaces.0.url')).toBe(`${pair.sides[0].url}${prefix}/a2a/jsonrpc`);
      await pair.each(async (side) => expectUsable(side, (await send(side.url, { path: CARD_PATH })).body));
      const head = await pair.call({ path: CARD_PATH, method: 'HEAD' });
      expect(head.status).toBe(200);
      const wrong = await pair.call({ path: CARD_PATH, method: 'POST', body: {} });
      expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
    });
  });

  it('of an agent with a path, below a global prefix', async () => {
    await withSetup(
      { setup: (app) => app.setGlobalPrefix('api') },
      async (pair) => {
        const card = await pair.call({ path: '/weather/.well-known/agent-card.json' });
        expect(card.status).toBe(200);
        await pair.each(async (side) =>
          expectUsable(side, (await send(side.url, { path: '/weather/.well-known/agent-card.json' })).body),
        );
      },
      { path: 'weather' },
    );
  });
});

describe('the addresses in the card', () => {
  const urlsOf = (card: unknown): unknown[] => listAt(card, 'supportedInterfaces').map((entry) => at(entry, 'url'));

  it.each([
    ['https://agent.example.com', 'https://agent.example.com'],
    ['https://example.com/agents/one/', 'https://example.com/agents/one'],
    ['http://localhost:8080', 'http://localhost:8080'],
  ])('begin with the publicUrl %s, whatever a proxy says', async (publicUrl, base) => {
    await withSetup(
      {
        setup: (app, adapter) => adapter === 'express' && app.getHttpAdapter().getInstance().set('trust proxy', true),
        fastify: { trustProxy: true },
      },
      async (pair) => {
        const lie: Record<string, string> = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
        for (const headers of [{}, lie]) {
          const card = await pair.call({ path: CARD_PATH, headers });
          expect(urlsOf(card.body)).toEqual([`${base}/a2a/jsonrpc`, `${base}/a2a/json`]);
        }
      },
      { publicUrl },
    );
  });

  it('are what a trusted proxy says', async () => {
    await withSetup(
      {
        setup: (app, adapter) =>
          adapter === 'express' && app.getHttpAdapter().getInstance().set('trust proxy', 'loopback'),
        fastify: { trustProxy: '127.0.0.1' },
      },
      async (pair) => {
        const forwarded = (host: string, proto?: string): Record<string, string> => ({
          'x-forwarded-for': '203.0.113.7',
          'x-forwarded-host': host,
          ...(proto !== undefined && { 'x-forwarded-proto': proto }),
        });
        for (const [headers, base] of [
          [forwarded('agent.example.com', 'https'), 'https://agent.example.com'],
          [forwarded('agent.example.com:8443', 'https'), 'https://agent.example.com:8443'],
          [forwarded('other.example.com'), 'http://other.example.com'],
        ] as const) {
          const card = await pair.call({ path: CARD_PATH, headers });
          expect(urlsOf(card.body)).toEqual([`${base}/a2a/jsonrpc`, `${base}/a2a/json`]);
        }
        for (const host of ['evil.example/path', 'a b', 'user@evil.example', '"><script>', 'evil.example#', '']) {
          const card = await pair.call({ path: CARD_PATH, headers: { ...forwarded(host, 'https') } });
          expect([host, urlsOf(card.body)[0]]).toEqual([host, `${pair.sides[0].url}/a2a/jsonrpc`]);
        }
        const script = await pair.call({ path: CARD_PATH, headers: forwarded('agent.example.com', 'javascript') });
        expect(urlsOf(script.body)[0]).toBe(`${pair.sides[0].url}/a2a/jsonrpc`);
      },
    );
  });

  it.each<[string, StartOptions]>([
    ['nobody trusts', {}],
    [
      'somebody else may send',
      {
        setup: (app, adapter) =>
          adapter === 'express' && app.getHttpAdapter().getInstance().set('trust proxy', '10.0.0.1'),
        fastify: { trustProxy: '10.0.0.1' },
      },
    ],
  ])('are not what headers say that %s', async (_who, start) => {
    await withSetup(start, async (pair) => {
      const own = [`${pair.sides[0].url}/a2a/jsonrpc`, `${pair.sides[0].url}/a2a/json`];
      const lies: readonly Record<string, string>[] = [
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' },
        { forwarded: 'host=evil.example;proto=https' },
        { host: 'evil.example' },
        { host: 'evil.example', 'x-forwarded-port': '1' },
      ];
      for (const headers of lies) {
        const card = await pair.call({ path: CARD_PATH, headers });
        expect(urlsOf(card.body)).toEqual(own);
      }
    });
  });

  it('are never taken from the Host header, even behind a trusted proxy', async () => {
    await withSetup(
      {
        setup: (app, adapter) => adapter === 'express' && app.getHttpAdapter().getInstance().set('trust proxy', true),
        fastify: { trustProxy: true },
      },
      async (pair) => {
        const headers = { host: 'evil.example', 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
        const card = await pair.call({ path: CARD_PATH, headers });
        expect(urlsOf(card.body)[0]).toBe(`${pair.sides[0].url}/a2a/jsonrpc`);
      },
    );
  });
});
