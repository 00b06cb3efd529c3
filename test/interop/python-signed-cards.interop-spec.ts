import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { prepareSigningKey, publicJwkOf, signAgentCard, verifyAgentCard, type AgentCard } from 'nestjs-a2a/protocol';
import { askPythonSigner } from './python-process.js';

const FULL: AgentCard = {
  name: 'Cafe',
  description: 'Serves',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'https://x.example/e', required: false, params: { on: true, ratio: 0.25, name: 'a' } }],
  },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echoes', tags: ['echo'], examples: ['Hi'] }],
};
const SPARSE: AgentCard = {
  ...FULL,
  description: '',
  skills: [{ id: 'echo', name: 'Echo', description: '', tags: [] }],
};
const ACCENT: AgentCard = { ...FULL, name: 'Café' };
const NUMBER: AgentCard = {
  ...FULL,
  capabilities: { extensions: [{ uri: 'https://x.example/e', params: { limit: 3 } }] },
};

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const signing = { key, kid: 'k1' };
const jwk = publicJwkOf(prepareSigningKey(signing));

const pem = key.export({ type: 'pkcs8', format: 'pem' });
const trusted = { keys: [{ ...jwk, kid: 'python' }] };

describe('Signed cards and the official Python package', () => {
  it.each([
    ['a full card', FULL, { spec: true, both: true, form: 'spec' }],
    ['a card with empty values', SPARSE, { spec: false, both: true, form: 'sdk' }],
    ['a card beyond ASCII', ACCENT, { spec: false, both: false, form: 'sdk-ascii' }],
  ])('%s is verified there and here as docs/signing.md says', async (_case, card, { spec, both, form }) => {
    const strict = await signAgentCard(card, [signing]);
    const twice = await signAgentCard(card, [signing], { forms: ['spec', 'sdk'] });
    const [strictHolds, twiceHolds, changedHolds, signed] = await askPythonSigner([
      { card: strict, verify: jwk },
      { card: twice, verify: jwk },
      { card: { ...strict, name: 'Tea' }, verify: jwk },
      { card, sign: pem },
    ]);
    expect([strictHolds, twiceHolds, changedHolds]).toEqual([spec, both, false]);
    expect(await verifyAgentCard(signed, { keys: trusted })).toMatchObject({ kid: 'python', form });
  });

  it('whole numbers of an extension are written there in another way', async () => {
    const [holds, signed] = await askPythonSigner([
      { card: await signAgentCard(NUMBER, [signing]), verify: jwk },
      { card: NUMBER, sign: pem },
    ]);
    expect(holds).toBe(false);
    await expect(verifyAgentCard(signed, { keys: trusted })).rejects.toThrow('not made over this card');
  });
});
