import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import {
  A2AAgentCardController,
  A2AJwksController,
  A2AModule,
  AgentCardProvider,
  type A2AModuleOptions,
  type A2AUser,
  type AgentCardInput,
} from 'nestjs-a2a';
import { verifyAgentCard, type AgentCard, type JsonWebKeySet } from 'nestjs-a2a/protocol';
import { Controller } from '@nestjs/common';
import { ProbeExecutor } from '../probe-agent/probe.executor.js';
import { probeCard } from '../probe-agent/probe.options.js';
import { asUser, CARD_PATH, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { start, type RunningApp } from '../support/running-app.js';

const JWKS_PATH = '/.well-known/jwks.json';
const PUBLIC_URL = 'https://agents.example/base';

// Its signatures are always the same, so that two apps can be compared.
const ed25519 = generateKeyPairSync('ed25519').privateKey;
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

class Cards extends AgentCardProvider {
  getCard(): AgentCardInput {
    return probeCard();
  }

  override getExtendedCard(user: A2AUser, card: AgentCard): AgentCardInput {
    return { ...card, description: `For ${user.id}` };
  }
}

const OPTIONS: A2AModuleOptions = {
  publicUrl: PUBLIC_URL,
  cardSigning: { keys: [{ key: ed25519, kid: 'k1' }], jwksPath: JWKS_PATH },
};

function isKeySet(value: unknown): value is JsonWebKeySet {
  return Array.isArray(at(value, 'keys'));
}

/** Verifies a card as a client does: with the keys that stand where the agent keeps them. */
async function verified(url: string, card: unknown) {
  const { body } = await send(url, { path: JWKS_PATH });
  if (!isKeySet(body)) throw new Error(`No key set: ${JSON.stringify(body)}`);
  return verifyAgentCard(card, { keys: body });
}

describe('a signed card', () => {
  let pair: Pair;

  beforeAll(async () => {
    pair = await Pair.start(
      () =>
        probeModule({
          ...OPTIONS,
          guards: [BelievingGuard],
          providers: [{ provide: AgentCardProvider, useClass: Cards }],
        }),
      { setup: (app) => app.setGlobalPrefix('api') },
    );
  });

  afterAll(() => pair.close());

  it('is verified with the keys that the agent serves', async () => {
    const { body } = await pair.call({ path: CARD_PATH });
    expect(at(body, 'signatures')).toHaveLength(1);
    await pair.each(async ({ url }) => {
      const { card, ...result } = await verified(url, body);
      expect(result).toEqual({ kid: 'k1', alg: 'EdDSA', form: 'spec', jku: `${PUBLIC_URL}${JWKS_PATH}` });
      expect(card.supportedInterfaces[0]?.url).toBe(`${PUBLIC_URL}/api/a2a/jsonrpc`);
    });
  });

  it('has the same addresses whatever a caller says (P80)', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const plain = await pair.call({ path: CARD_PATH });
    expect((await pair.call({ path: CARD_PATH, headers })).text).toBe(plain.text);
    expect(plain.text).not.toContain('evil');
  });

  it('can be kept by caches, as can the keys', async () => {
    for (const [path, type] of [
      [CARD_PATH, 'application/json'],
      [JWKS_PATH, 'application/jwk-set+json'],
    ] as const) {
      const { status, headers, text } = await pair.call({ path });
      expect([status, headers['content-type'], text]).toEqual([200, type, expect.stringContaining('{')]);
      expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      const again = await pair.call({ path, headers: { 'if-none-match': String(headers.etag) } });
      expect([again.status, again.text]).toEqual([304, '']);
      const head = await pair.call({ path, method: 'HEAD' });
      expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(text.length), '']);
      const post = await pair.call({ path, body: {} });
      expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('leaves the private key at home', async () => {
    const { body } = await pair.call({ path: JWKS_PATH });
    const { x } = ed25519.export({ format: 'jwk' });
    expect(body).toEqual({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'k1', alg: 'EdDSA', use: 'sig' }] });
  });

  it.each([
    ['JSON-RPC', rpc('GetExtendedAgentCard', {}, asUser('ann')), 'result'],
    ['REST', rest('GET', '/extendedAgentCard', undefined, asUser('ann')), ''],
  ])('has a signed extended one over %s', async (_binding, call, path) => {
    const { body } = await pair.call({ ...call, path: `/api${call.path}` });
    const extended = path === '' ? body : at(body, path);
    expect(at(extended, 'signatures')).toHaveLength(1);
    await pair.each(async ({ url }) => {
      expect(await verified(url, extended)).toMatchObject({ kid: 'k1', card: { description: 'For ann' } });
    });
  });
});

describe('signing at start', () => {
  const logger = { log: jest.fn(), warn: jest.fn<LoggerService['warn']>(), error: jest.fn() };
  let running: RunningApp | undefined;

  afterEach(async () => {
    await running?.close();
    running = undefined;
    logger.warn.mockClear();
  });

  const warnings = () => logger.warn.mock.calls.map(([line]) => String(line)).join('\n');

  it('signs once, with each key, and below the path of the agent', async () => {
    const cardSigning = {
      keys: [
        { key: p256, kid: 'new' },
        { key: ed25519, kid: 'old', jku: 'https://keys.example/jwks.json' },
      ],
      jwksPath: 'keys.json',
    };
    running = await start('express', probeModule({ publicUrl: PUBLIC_URL, cardSigning, path: 'probe' }), { logger });
    const first = await send(running.url, { path: `/probe${CARD_PATH}` });
    // ES256 gives another signature each time it is made.
    expect((await send(running.url, { path: `/probe${CARD_PATH}` })).text).toBe(first.text);
    const { body: keys } = await send(running.url, { path: '/probe/keys.json' });
    if (!isKeySet(keys)) throw new Error('No key set');
    const [newer, older] = keys.keys;
    expect(await verifyAgentCard(first.body, { keys: { keys: [newer ?? {}] } })).toMatchObject({
      kid: 'new',
      jku: `${PUBLIC_URL}/probe/keys.json`,
    });
    expect(await verifyAgentCard(first.body, { keys: { keys: [older ?? {}] } })).toMatchObject({
      kid: 'old',
      jku: 'https://keys.example/jwks.json',
    });
    expect(warnings()).not.toContain('SDKs');
  });

  const sparse: AgentCardInput = { name: 'Sparse', skills: [{ id: 'a', name: 'A' }] };
  it.each([
    [false, 1, 'there are some: description, skills[0].description. Fill them in, or set cardSigning.sdkForm'],
    [true, 2, ''],
  ])('sdkForm %s: %i signatures', async (sdkForm, count, warning) => {
    const cardSigning = { keys: [{ key: ed25519, kid: 'k1' }], sdkForm };
    running = await start('fastify', probeModule({ agentCard: sparse, publicUrl: PUBLIC_URL, cardSigning }), {
      logger,
    });
    const { body } = await send(running.url, { path: CARD_PATH });
    expect(at(body, 'signatures')).toHaveLength(count);
    expect(warnings()).toContain(warning);
    expect(warnings().includes('SDKs')).toBe(!sdkForm);
    expect(Buffer.from(String(at(body, 'signatures.0.protected')), 'base64url').toString()).not.toContain('jku');
    expect((await send(running.url, { path: JWKS_PATH })).status).toBe(404);
  });

  it('is refused without publicUrl, and says what to do', async () => {
    const options = { cardSigning: { keys: [{ key: ed25519, kid: 'k1' }] } };
    await expect(start('express', probeModule(options))).rejects.toThrow(
      'set publicUrl (A2A_SERVER_PUBLIC_URL), or leave cardSigning out',
    );
  });

  it('goes with controllers of the host', async () => {
    @Controller('.well-known')
    class CardController extends A2AAgentCardController {}
    @Controller('.well-known/jwks.json')
    class KeysController extends A2AJwksController {}
    class HostModule {}
    const agent = A2AModule.forRoot({
      ...OPTIONS,
      agentCard: {
        ...probeCard(),
        supportedInterfaces: [{ url: 'https://x.example', protocolBinding: 'x:y', protocolVersion: '1.0' }],
      },
      executor: ProbeExecutor,
      controllers: false,
    });
    const module = { module: HostModule, imports: [agent], controllers: [CardController, KeysController] };
    running = await start('express', module);
    const { body } = await send(running.url, { path: CARD_PATH });
    expect(await verified(running.url, body)).toMatchObject({ jku: `${PUBLIC_URL}${JWKS_PATH}` });
  });
});
