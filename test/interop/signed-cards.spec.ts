import { describe, expect, it, jest } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { AgentCard as SdkCard, generateAgentCardSignature, verifyAgentCardSignature } from '@a2a-js/sdk';
import { prepareSigningKey, publicJwkOf, signAgentCard, verifyAgentCard, type AgentCard } from 'nestjs-a2a/protocol';

const FULL: AgentCard = {
  name: 'Café \u{1f600}',
  description: 'Serves',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'https://x.example/e', required: false, params: { limit: 3, ratio: 0.25, on: true } }],
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

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const signing = { key, kid: 'k1' };
const jwk = publicJwkOf(prepareSigningKey(signing));
const sdkVerifies = verifyAgentCardSignature(async () => ({ ...jwk, kty: 'EC' }));
// It tells of each signature that does not hold.
jest.spyOn(console, 'debug').mockImplementation(() => undefined);

const sdkSigns = generateAgentCardSignature(key, { alg: 'ES256', typ: 'JOSE', kid: 'k1' });

describe('Signed cards and the official JavaScript SDK', () => {
  it.each([
    ['a full card', FULL, 'spec'],
    ['a card with empty values', SPARSE, 'sdk'],
  ])('%s that it has signed is verified here', async (_case, card, form) => {
    const signed = SdkCard.toJSON(await sdkSigns(SdkCard.fromJSON(card)));
    expect(await verifyAgentCard(signed, { keys: { keys: [jwk] } })).toMatchObject({ kid: 'k1', form });
  });

  it('verifies a full card that was signed here', async () => {
    const signed = await signAgentCard(FULL, [signing]);
    await expect(sdkVerifies(SdkCard.fromJSON(signed))).resolves.toBeUndefined();
    await expect(sdkVerifies(SdkCard.fromJSON({ ...signed, name: 'Tea' }))).rejects.toThrow('No valid signatures');
  });

  it('verifies a card with empty values only when its own form is signed too', async () => {
    const spec = await signAgentCard(SPARSE, [signing]);
    await expect(sdkVerifies(SdkCard.fromJSON(spec))).rejects.toThrow('No valid signatures');
    const both = await signAgentCard(SPARSE, [signing], { forms: ['spec', 'sdk'] });
    await expect(sdkVerifies(SdkCard.fromJSON(both))).resolves.toBeUndefined();
  });
});
