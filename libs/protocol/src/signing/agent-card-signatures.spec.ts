import { describe, expect, it } from '@jest/globals';
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { AgentCard } from '../types/agent-card.js';
import { type AgentCardForm, canonicalAgentCard } from './canonical-card.js';
import type { AgentCardTrust } from './card-trust.js';
import { type AgentCardSigningKey, prepareSigningKey, publicJwkOf, signAgentCard } from './sign-agent-card.js';
import { AgentCardSigningError, AgentCardVerificationError } from './signing.errors.js';
import { verifyAgentCard } from './verify-agent-card.js';

/** The worked example: empty values of every kind, and text beyond ASCII. */
const DEMO: AgentCard = {
  name: 'Demo',
  description: 'Café',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: '', tags: [], examples: [] }],
  signatures: [],
};

const ED25519 = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const P256 = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};
const SHARED = Buffer.from('secret-secret-secret-secret-32b!');

const HEADERS = {
  HS256: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpPU0UiLCJraWQiOiJrMSJ9',
  EdDSA: 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiJrMSJ9',
  ES256: 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpPU0UiLCJraWQiOiJrMSJ9',
};
const TRUST: Readonly<Record<keyof typeof HEADERS, AgentCardTrust>> = {
  HS256: { keys: () => SHARED, algorithms: ['HS256'] },
  EdDSA: { keys: { keys: [{ ...ED25519, d: undefined, kid: 'k1' }] } },
  ES256: { keys: { keys: [{ ...P256, kid: 'k1' }] } },
};
const VECTORS: [keyof typeof HEADERS, AgentCardForm, string][] = [
  ['HS256', 'spec', 'EWXpZB5mBwLkx-kPGqlTLKMAHeRGZbugwBtBCXe_hr4'],
  ['HS256', 'sdk', 'ptQ4M3bVeoGN5REUBeX4JuILF31IbWgxAXBCjAGVcoA'],
  ['EdDSA', 'spec', 'r1fN5qDD95YRyztYwiHgEStKRn8nS_wLQ1x2vQS_SM7yLmNZ8z0AEN3W_OOW61yToBUCUtFgdwMtQCkXVT8uCg'],
  ['EdDSA', 'sdk', 'h7JGWbENqoK2xFn3gGicii6J30yZqXHdVqEqKGD17TheJHUajvetuzWyVBA7EpbDVcabLfUXg6mm_5uGR-Z6Cw'],
  ['ES256', 'spec', 'u2zm_kSRdOA6F6kM73tAJE2IZyrEoAq45muaaTxFKvYZjY8p0Zx6cZ6n7KpCLuQIY0oFw3DJvt_LjnFdzIk0mQ'],
  ['ES256', 'sdk', 'rRbADifM6anfedLL90h1rHR9UWrxTGtBnBPb1zwWuk7d15cjZLbD0maJAot52Cer2ClWZiqQ2Dpanlv7SbX4Xw'],
];

const signed = (alg: keyof typeof HEADERS, signature: string): AgentCard => ({
  ...DEMO,
  signatures: [{ protected: HEADERS[alg], signature }],
});

async function refusal(attempt: Promise<unknown>): Promise<AgentCardVerificationError> {
  const error: unknown = await attempt.catch((thrown: unknown) => thrown);
  if (error instanceof AgentCardVerificationError) return error;
  throw new Error(`Not refused: ${JSON.stringify(error)}`);
}

describe('canonicalAgentCard', () => {
  it.each<[AgentCardForm, string, string]>([
    [
      'spec',
      '6fd2fd2d06b31af3d62e9a93481c9c786bd48037d9e8a11a729ef45b088b8eb0',
      '"skills":[{"description":"","id":"echo","name":"Echo","tags":[]}]',
    ],
    [
      'sdk',
      'c872cd94d3fbb32abed3ed8ed6eb9ad886d2eca0d4271ac707679717f89b1c3d',
      '"skills":[{"id":"echo","name":"Echo"}]',
    ],
  ])('%s: %s', (form, sha256, skills) => {
    const text = canonicalAgentCard(DEMO, form);
    expect(text).toContain(skills);
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  });

  it('keeps required and explicit fields at their default, as the sample of the specification', () => {
    const fragment = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
      documentationUrl: '',
    };
    expect(canonicalAgentCard(fragment)).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","documentationUrl":"","name":"Example Agent","skills":[]}',
    );
    expect(canonicalAgentCard(fragment, 'sdk')).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}',
    );
  });

  it.each<[string, Partial<AgentCard>, string, string]>([
    [
      'a requirement without scopes',
      { securityRequirements: [{ schemes: { key: { list: [] }, oidc: { list: ['a'] } } }, { schemes: {} }] },
      '{"securityRequirements":[{"schemes":{"key":{},"oidc":{"list":["a"]}}},{}]}',
      '{"securityRequirements":[{"schemes":{"oidc":{"list":["a"]}}}]}',
    ],
    [
      'a scheme that has nothing to say',
      { securitySchemes: { tls: { mtlsSecurityScheme: {} } } },
      '{"securitySchemes":{"tls":{"mtlsSecurityScheme":{}}}}',
      '{}',
    ],
    [
      'a flow without scopes',
      {
        securitySchemes: {
          o: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 't', refreshUrl: '', scopes: {} } } } },
        },
      },
      '{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"scopes":{},"tokenUrl":"t"}}}}}}',
      '{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"t"}}}}}}',
    ],
    [
      'free content of an extension',
      { capabilities: { extensions: [{ uri: 'u', required: false, params: { b: [1e21, 0.1, null], a: { c: '' } } }] } },
      '{"capabilities":{"extensions":[{"params":{"a":{"c":""},"b":[1e+21,0.1,null]},"uri":"u"}]}}',
      '{"capabilities":{"extensions":[{"params":{"b":[1e+21,0.1]},"uri":"u"}]}}',
    ],
  ])('%s', (_case, card, spec, sdk) => {
    expect(canonicalAgentCard(card)).toBe(spec);
    expect(canonicalAgentCard(card, 'sdk')).toBe(sdk);
  });

  it('has no form for text that is no Unicode, and one for text that looks so', () => {
    expect(() => canonicalAgentCard({ name: '\\\ud83d' })).toThrow('half a surrogate pair');
    expect(canonicalAgentCard({ name: '\\ud83d \u{1f600}' })).toBe('{"name":"\\\\ud83d \u{1f600}"}');
  });

  it('escapes what is beyond ASCII, as Python does', () => {
    expect(canonicalAgentCard({ name: 'Café \u{1f600}\u007f' }, 'sdk-ascii')).toBe(
      '{"name":"Caf\\u00e9 \\ud83d\\ude00\\u007f"}',
    );
  });
});

describe('verifyAgentCard', () => {
  it.each(VECTORS)('%s over the %s form', async (alg, form, signature) => {
    const { card, ...result } = await verifyAgentCard(signed(alg, signature), TRUST[alg]);
    expect(result).toEqual({ kid: 'k1', alg, form });
    expect(card).toMatchObject({ name: 'Demo', skills: [{ id: 'echo' }] });
  });

  const [, , good] = VECTORS[2] ?? [];
  const card = signed('EdDSA', String(good));
  const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');

  it.each<[string, (copy: AgentCard) => unknown]>([
    ['the name', (copy) => ({ ...copy, name: 'Demo ' })],
    [
      'an address',
      ({ supportedInterfaces: [first], ...copy }) => ({
        ...copy,
        supportedInterfaces: [{ ...first, url: 'https://b.example/rpc' }],
      }),
    ],
    ['a feature', (copy) => ({ ...copy, capabilities: { streaming: true } })],
    ['a field that was absent', (copy) => ({ ...copy, iconUrl: '' })],
    ['an order', (copy) => ({ ...copy, skills: [{ id: 'a', name: 'A', description: '', tags: [] }, ...copy.skills] })],
    [
      'the header',
      (copy) => ({
        ...copy,
        signatures: [{ protected: header({ typ: 'JOSE', alg: 'EdDSA', kid: 'k1' }), signature: good }],
      }),
    ],
    [
      'the signature',
      (copy) => ({ ...copy, signatures: [{ protected: HEADERS.EdDSA, signature: `A${good?.slice(1)}` }] }),
    ],
  ])('notices a change of %s', async (_case, change) => {
    const error = await refusal(verifyAgentCard(change(card), TRUST.EdDSA));
    expect(error).toMatchObject({
      code: 'AGENT_CARD_NOT_VERIFIED',
      faults: [{ kid: 'k1', reason: 'it was not made over this card' }],
    });
  });

  it('gives back only what was signed', async () => {
    const verified = await verifyAgentCard({ ...card, url: 'https://evil.example', 'x-note': 1 }, TRUST.EdDSA);
    expect(Object.keys(verified.card)).not.toContain('url');
    expect(JSON.stringify(verified.card)).not.toContain('evil');
  });

  it.each<[string, object, string]>([
    ['no algorithm', { alg: 'none', typ: 'JOSE', kid: 'k1' }, 'its algorithm none is not allowed'],
    ['an algorithm of shared keys', { alg: 'HS256', kid: 'k1' }, 'its algorithm HS256 is not allowed'],
    ['an algorithm of another key', { alg: 'ES256', kid: 'k1' }, 'its key is not trusted'],
    ['no kid', { alg: 'EdDSA' }, 'it names no key (kid)'],
    ['another kid', { alg: 'EdDSA', kid: 'k2' }, 'its key is not trusted'],
    [
      'critical extensions',
      { alg: 'EdDSA', kid: 'k1', crit: ['b64'], b64: false },
      'it has critical extensions, none of which is known here',
    ],
  ])('refuses %s', async (_case, fields, reason) => {
    const attempt = { ...card, signatures: [{ protected: header(fields), signature: good }] };
    expect((await refusal(verifyAgentCard(attempt, TRUST.EdDSA))).faults[0]?.reason).toBe(reason);
  });

  it('refuses a header that is none, and takes no word from the unprotected one', async () => {
    const attempt = { ...card, signatures: [{ protected: '!', signature: good, header: { alg: 'EdDSA', kid: 'k1' } }] };
    const { faults } = await refusal(verifyAgentCard(attempt, TRUST.EdDSA));
    expect(faults).toEqual([{ kid: undefined, reason: 'its protected header cannot be read' }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['for encryption', { use: 'enc' }],
    ['for other operations', { key_ops: ['sign'] }],
    ['for another algorithm', { alg: 'ES256' }],
    ['of another curve', { crv: 'X25519' }],
    ['without its value', { x: undefined }],
  ])('trusts no key %s', async (_case, change) => {
    const trust: AgentCardTrust = { keys: { keys: [{ ...ED25519, d: undefined, kid: 'k1', ...change }] } };
    expect((await refusal(verifyAgentCard(card, trust))).faults[0]?.reason).toBe('its key is not trusted');
  });

  it('never takes a public key for a shared one', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
    const attempt = signed('HS256', String(VECTORS[0]?.[2]));
    const trust: AgentCardTrust = { keys: () => pem, algorithms: ['HS256', 'ES256'] };
    expect((await refusal(verifyAgentCard(attempt, trust))).faults[0]?.reason).toBe('its key is not trusted');
  });

  it.each<[string, AgentCardTrust['keys'], boolean]>([
    ['bytes', () => SHARED, true],
    ['a JWK', { keys: [{ kty: 'oct', k: SHARED.toString('base64url'), kid: 'k1' }] }, true],
    ['a JWK without a value', { keys: [{ kty: 'oct', kid: 'k1' }] }, false],
    ['no bytes', () => new Uint8Array(), false],
    ['few bytes', () => SHARED.subarray(0, 31), false],
  ])('takes %s for a shared key', async (_case, keys, trusted) => {
    const attempt = verifyAgentCard(signed('HS256', String(VECTORS[0]?.[2])), { keys, algorithms: ['HS256'] });
    if (trusted) expect(await attempt).toMatchObject({ alg: 'HS256' });
    else expect((await refusal(attempt)).faults[0]?.reason).toBe('its key is not trusted');
  });

  const signers = [{ key: ED25519, kid: 'k1' }];
  const strict: AgentCardTrust = { ...TRUST.EdDSA, forms: ['spec'] };
  it.each<[string, Partial<AgentCard>]>([
    [
      'a way in without credentials',
      { securityRequirements: [{ schemes: { key: { list: ['a'] } } }, { schemes: {} }] },
    ],
    ['an empty text', { iconUrl: '' }],
  ])('takes it for another card with %s, when only the form of the specification counts', async (_case, added) => {
    const full: AgentCard = {
      ...DEMO,
      skills: [{ id: 'a', name: 'A', description: 'B', tags: ['c'] }],
      securityRequirements: [{ schemes: { key: { list: ['a'] } } }],
    };
    const mine = await signAgentCard(full, signers);
    expect(await verifyAgentCard(mine, strict)).toMatchObject({ form: 'spec' });
    expect(await verifyAgentCard({ ...mine, ...added }, TRUST.EdDSA)).toMatchObject({ form: 'sdk' });
    expect((await refusal(verifyAgentCard({ ...mine, ...added }, strict))).code).toBe('AGENT_CARD_NOT_VERIFIED');
  });

  it('needs one good signature, not all', async () => {
    const bad = { protected: header({ alg: 'EdDSA', kid: 'old' }), signature: 'AAAA' };
    const many = { ...card, signatures: [bad, { protected: '?', signature: '' }, ...(card.signatures ?? [])] };
    expect(
      await verifyAgentCard({ ...many, signatures: [bad, ...(card.signatures ?? [])] }, TRUST.EdDSA),
    ).toMatchObject({
      kid: 'k1',
    });
    const flooded = { ...card, signatures: [...Array.from({ length: 16 }, () => bad), ...(card.signatures ?? [])] };
    expect((await refusal(verifyAgentCard(flooded, TRUST.EdDSA))).faults).toHaveLength(16);
  });

  it.each<[string, string, unknown]>([
    ['a card without signatures', 'AGENT_CARD_NOT_SIGNED', DEMO],
    ['a card without a name', 'AGENT_CARD_INVALID', { ...DEMO, name: '' }],
    ['what is no card', 'AGENT_CARD_INVALID', 'card'],
    ['text that is no Unicode', 'AGENT_CARD_INVALID', { ...card, name: 'a\ude00' }],
    ['half a signature', 'AGENT_CARD_INVALID', { ...card, signatures: [{ protected: HEADERS.EdDSA }] }],
  ])('refuses %s: %s', async (_case, code, attempt) => {
    expect((await refusal(verifyAgentCard(attempt, TRUST.EdDSA))).code).toBe(code);
  });

  it('tells a lookup what the signature says, and keeps its failure for the log', async () => {
    const keys = [{ key: ED25519, kid: 'k9', jku: 'https://a.example/jwks.json' }];
    const mine = await signAgentCard(DEMO, keys);
    const hints: unknown[] = [];
    const trust = { keys: (hint: unknown) => (hints.push(hint), ED25519) };
    expect(await verifyAgentCard(mine, trust)).toMatchObject({ kid: 'k9', jku: 'https://a.example/jwks.json' });
    expect(hints).toEqual([{ kid: 'k9', alg: 'EdDSA', jku: 'https://a.example/jwks.json' }]);
    const cause = new Error('no network');
    const error = await refusal(verifyAgentCard(mine, { keys: () => Promise.reject(cause) }));
    expect([error.cause, error.message]).toEqual([cause, expect.not.stringContaining('no network')]);
  });
});

describe('signAgentCard', () => {
  it.each(VECTORS.filter(([alg]) => alg === 'EdDSA'))('%s over the %s form', async (_alg, form, signature) => {
    const { signatures } = await signAgentCard(DEMO, [{ key: ED25519, kid: 'k1' }], { forms: [form] });
    expect(signatures).toEqual([{ protected: HEADERS.EdDSA, signature }]);
  });

  const pem = (key: KeyObject) => String(key.export({ type: 'pkcs8', format: 'pem' }));
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  it.each<[string, AgentCardSigningKey, string]>([
    ['a key object', { key: p256, kid: 'a' }, 'ES256'],
    ['PEM', { key: pem(p384), kid: 'a' }, 'ES384'],
    ['a JWK with its own name', { key: { ...rsa.export({ format: 'jwk' }), kid: 'a' } }, 'RS256'],
    ['a JWK with its own algorithm', { key: { ...rsa.export({ format: 'jwk' }), kid: 'a', alg: 'PS256' } }, 'PS256'],
    ['PEM and an algorithm', { key: pem(rsa), kid: 'a', alg: 'PS256' }, 'PS256'],
    ['Ed25519', { key: createPrivateKey({ key: ED25519, format: 'jwk' }), kid: 'a' }, 'EdDSA'],
  ])('signs with %s, and its public half verifies', async (_case, key, alg) => {
    const jwk = publicJwkOf(prepareSigningKey(key));
    expect(jwk).toMatchObject({ kid: 'a', alg, use: 'sig' });
    expect(jwk.d).toBeUndefined();
    const verified = await verifyAgentCard(await signAgentCard(DEMO, [key]), { keys: { keys: [jwk] } });
    expect(verified).toMatchObject({ kid: 'a', alg, form: 'spec' });
  });

  it('signs with each key, in each form that differs, beside what is there', async () => {
    const keys = [
      { key: p256, kid: 'new' },
      { key: ED25519, kid: 'old' },
    ];
    const twice = await signAgentCard(DEMO, keys, { forms: ['spec', 'sdk', 'sdk'] });
    expect(twice.signatures).toHaveLength(4);
    const full = { ...DEMO, skills: [{ id: 'a', name: 'A', description: 'B', tags: ['c'] }] };
    const once = await signAgentCard(full, keys, { forms: ['spec', 'sdk'] });
    expect(once.signatures).toHaveLength(2);
    expect((await signAgentCard(once, keys)).signatures).toHaveLength(4);
    expect(await verifyAgentCard(twice, TRUST.EdDSA).catch(({ code }: AgentCardVerificationError) => code)).toBe(
      'AGENT_CARD_NOT_VERIFIED',
    );
    for (const kid of ['new', 'old']) {
      const trust = {
        keys: (hint: { kid: string }) => (hint.kid === kid ? (kid === 'new' ? p256 : ED25519) : undefined),
      };
      expect(await verifyAgentCard(twice, trust)).toMatchObject({ kid, form: 'spec' });
    }
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const ed448 = generateKeyPairSync('ed448').privateKey;
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey;
  const otherP256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  it.each<[string, AgentCardSigningKey, string]>([
    ['without a name', { key: p256 }, 'it needs a kid'],
    ['that is public', { key: { ...P256, kid: 'a' } }, 'it must be a private key'],
    ['that is a public key object', { key: weak.publicKey, kid: 'a' }, 'it must be a private key'],
    ['that is none', { key: 'top secret', kid: 'a' }, 'it must be a private key'],
    [
      'that is too short',
      { key: weak.privateKey, kid: 'a', alg: 'RS256' },
      'it cannot be used with RS256: rsa with 1024 bits',
    ],
    ['of another kind', { key: p256, kid: 'a', alg: 'ES384' }, 'it cannot be used with ES384: ec on prime256v1'],
    [
      'that is too short for any algorithm',
      { key: weak.privateKey, kid: 'a' },
      'none of ES256, ES384, RS256, PS256, EdDSA: rsa with 1024 bits',
    ],
    ['of no use here', { key: ed448, kid: 'a' }, 'it can be used with none of'],
    ['of no use here, as a JWK', { key: { ...ed448.export({ format: 'jwk' }), kid: 'a' } }, 'none of'],
    ['tied to RSA-PSS', { key: pss, kid: 'a' }, 'use an RSA key, with the alg PS256'],
    [
      'of two pairs',
      { key: { ...otherP256.export({ format: 'jwk' }), d: p256.export({ format: 'jwk' }).d, kid: 'a' } },
      'the public half of the JWK is not that of its private half',
    ],
    ['for other work', { key: { ...ED25519, kid: 'a', alg: 'HS256' } }, 'its algorithm must be one of'],
  ])('refuses a key %s', async (_case, key, problem) => {
    const error: unknown = await signAgentCard(DEMO, [key]).catch((thrown: unknown) => thrown);
    if (!(error instanceof AgentCardSigningError)) throw error;
    expect(error.code).toBe('AGENT_CARD_SIGNING_KEY');
    expect(error.message).toContain(problem);
    expect(error.message).not.toContain('secret');
  });

  it.each<[string, string, AgentCard, AgentCardSigningKey[]]>([
    ['a card that is none', 'AGENT_CARD_INVALID', { ...DEMO, name: '' }, [{ key: ED25519, kid: 'a' }]],
    ['text that is no Unicode', 'AGENT_CARD_INVALID', { ...DEMO, name: '\ud83d' }, [{ key: ED25519, kid: 'a' }]],
    ['no key', 'AGENT_CARD_SIGNING_KEY', DEMO, []],
  ])('refuses %s: %s', async (_case, code, card, keys) => {
    await expect(signAgentCard(card, keys)).rejects.toMatchObject({ code });
  });
});
