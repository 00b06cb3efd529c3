import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AgentCard, type AgentCardSigningKey, signAgentCard } from 'nestjs-a2a/protocol';
import { ScriptedClientHttp } from '../../../../test/support/scripted-client-http.js';
import { DocumentCache } from '../http/document-cache.js';
import { CardTrustList, type TrustedSigner } from './card-trust.js';

const ORIGIN = 'https://a.example';
const KEYS = 'https://keys.example/jwks.json';
const card: AgentCard = {
  name: 'A',
  description: 'a',
  version: '1',
  supportedInterfaces: [{ url: ORIGIN, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 's', tags: ['t'] }],
};

function pair(kid: string): { readonly signing: AgentCardSigningKey; readonly jwk: JsonWebKey } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { signing: { key: privateKey, kid }, jwk: { ...publicKey.export({ format: 'jwk' }), kid } };
}

const ours = pair('ours');
const theirs = pair('theirs');
let signed: AgentCard;
let withJku: AgentCard;
beforeAll(async () => {
  signed = await signAgentCard(card, [ours.signing]);
  withJku = await signAgentCard(card, [{ ...ours.signing, jku: KEYS }]);
});

function setUp(signers: readonly TrustedSigner[], sets: readonly unknown[] = []) {
  let time = 1_000_000;
  let turn = 0;
  const http = new ScriptedClientHttp(() => ({ body: sets[Math.min(turn++, sets.length - 1)] }));
  const now = (): number => time;
  const list = new CardTrustList(signers, new DocumentCache(http, { defaultLifetimeMs: 3_600_000, now }), now);
  return { http, list, pass: (seconds: number): void => void (time += seconds * 1000) };
}

const notTrusted = (message: string) =>
  expect.objectContaining({
    code: 'AGENT_CARD_NOT_TRUSTED',
    message: expect.stringContaining(message),
  });

describe('CardTrustList', () => {
  it.each<readonly [what: string, signers: readonly TrustedSigner[]]>([
    ['a key of the list', [{ keys: { keys: [ours.jwk] } }]],
    ['a function that knows the key', [{ keys: ({ kid }) => (kid === 'ours' ? ours.jwk : undefined) }]],
    ['the second signer', [{ keys: { keys: [theirs.jwk] } }, { keys: { keys: [ours.jwk] } }]],
    ['a signer for this origin', [{ keys: { keys: [ours.jwk] }, origins: ['https://b.example', `${ORIGIN}/`] }]],
  ])('trusts %s', async (_what, signers) => {
    const { list, http } = setUp(signers);
    expect(await list.verify(signed, ORIGIN)).toMatchObject({ kid: 'ours', alg: 'ES256', card: { name: 'A' } });
    expect(http.requests).toEqual([]);
  });

  it.each<readonly [what: string, signers: readonly TrustedSigner[], message: string]>([
    ['nobody', [], 'no signer is trusted for https://a.example'],
    ['a signer for others', [{ keys: { keys: [ours.jwk] }, origins: ['https://b.example'] }], 'no signer is trusted'],
    ['another key', [{ keys: { keys: [theirs.jwk] } }], 'No signature of the agent card is by a trusted key'],
    ['another algorithm', [{ keys: { keys: [ours.jwk] }, algorithms: ['EdDSA'] }], 'is not allowed'],
    ['a function that fails', [{ keys: () => Promise.reject(new Error('secret')) }], 'could not be looked up'],
  ])('does not trust it by %s', async (_what, signers, message) => {
    await expect(setUp(signers).list.verify(signed, ORIGIN)).rejects.toEqual(notTrusted(message));
  });

  it.each<readonly [what: string, change: object]>([
    ['that was changed', { description: 'b' }],
    ['without signatures', { signatures: [] }],
    ['whose signature is garbage', { signatures: [{ protected: '?', signature: '?' }] }],
  ])('does not trust a card %s', async (_what, change) => {
    const { list } = setUp([{ keys: { keys: [ours.jwk] }, keySetUrls: [KEYS] }]);
    await expect(list.verify({ ...signed, ...change }, ORIGIN)).rejects.toEqual(notTrusted(''));
  });

  it('drops what no signature covers', async () => {
    const { list } = setUp([{ keys: { keys: [ours.jwk] } }]);
    const { card: verified } = await list.verify({ ...signed, url: 'https://evil.example' }, ORIGIN);
    expect(verified).not.toHaveProperty('url');
  });

  it('fetches a key set only when the list names its address', async () => {
    const allowed = setUp([{ keySetUrls: [KEYS] }], [{ keys: [ours.jwk] }]);
    expect(await allowed.list.verify(withJku, ORIGIN)).toMatchObject({ kid: 'ours' });
    await allowed.list.verify(withJku, ORIGIN);
    expect(allowed.http.asked).toEqual([`GET ${KEYS}`]);

    const others = setUp([{ keySetUrls: [`${KEYS}?`, 'https://keys.example/'] }], [{ keys: [ours.jwk] }]);
    await expect(others.list.verify(withJku, ORIGIN)).rejects.toEqual(notTrusted('not trusted'));
    expect(others.http.requests).toEqual([]);
  });

  it('takes no shared secret from a set that everybody can read', async () => {
    const secret = 'secret-secret-secret-secret-secret';
    const oct = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 'ours' };
    const { list, http } = setUp([{ keySetUrls: [KEYS], algorithms: ['HS256'] }], [{ keys: [oct] }]);
    await expect(list.verify(withJku, ORIGIN)).rejects.toEqual(notTrusted(''));
    expect(http.requests).toHaveLength(1);
  });

  it.each([[{ keys: 'none' }], [[]], ['<html>']])('finds no key in %j', async (set) => {
    await expect(setUp([{ keySetUrls: [KEYS] }], [set]).list.verify(withJku, ORIGIN)).rejects.toEqual(notTrusted(''));
  });

  it('asks again for a set without the key, once a minute at most', async () => {
    const { list, http, pass } = setUp([{ keySetUrls: [KEYS] }], [{ keys: [theirs.jwk] }, { keys: [ours.jwk] }]);
    await expect(list.verify(withJku, ORIGIN)).rejects.toEqual(notTrusted(''));
    await expect(list.verify(withJku, ORIGIN)).rejects.toEqual(notTrusted(''));
    expect(http.requests).toHaveLength(1);
    pass(61);
    expect(await list.verify(withJku, ORIGIN)).toMatchObject({ kid: 'ours' });
    expect(http.requests).toHaveLength(2);
  });
});
