import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import type { A2AModuleOptions } from '../a2a.options.js';
import { A2AConfigurationError } from './a2a-configuration.error.js';
import { resolveA2ASettings } from './settings.resolver.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = privateKey.export({ format: 'jwk' });
const secret = String(jwk.d);
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const keys = [{ key: pem, kid: 'k1' }];

function faultsOf(cardSigning: unknown, more: A2AModuleOptions = { publicUrl: 'https://a.example' }): string[] {
  try {
    resolveA2ASettings(Object.assign({ ...more }, { cardSigning }), {});
  } catch (error) {
    if (error instanceof A2AConfigurationError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('The option cardSigning', () => {
  it('is read, and the settings show no key', () => {
    const cardSigning = {
      keys: [...keys, { key: { ...jwk, kid: 'k2' }, jku: 'https://k.example' }],
      jwksPath: 'keys.json',
    };
    const settings = resolveA2ASettings({ publicUrl: 'https://a.example', cardSigning }, {});
    expect(settings.cardSigning).toMatchObject({
      keys: [
        { kid: 'k1', alg: 'ES256' },
        { kid: 'k2', alg: 'ES256', jku: 'https://k.example' },
      ],
      jwksPath: '/keys.json',
      sdkForm: false,
    });
    for (const dump of [JSON.stringify(settings), inspect(settings, { depth: 9, showHidden: true })]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(pem.split('\n')[1]);
    }
  });

  it('needs publicUrl', () => {
    expect(faultsOf({ keys }, {})).toEqual([expect.stringContaining('- publicUrl: is needed when cards are signed')]);
  });

  it.each<[unknown, string[]]>([
    [secret, ['cardSigning: something else was given; right is an object with keys']],
    [{}, ['cardSigning.keys: must be an array with at least one private key']],
    [{ keys: [] }, ['cardSigning.keys: must be an array with at least one private key']],
    [{ keys: secret }, ['cardSigning.keys: must be an array with at least one private key']],
    [{ keys: [secret] }, ['cardSigning.keys[0]: must be an object with key and kid']],
    [{ keys: [{ kid: 'a' }] }, ['cardSigning.keys[0]: The key cannot sign agent cards: it must be a private key']],
    [{ keys: [{ key: secret, kid: 'a' }] }, ['cardSigning.keys[0]: The key cannot sign agent cards: it must be']],
    [{ keys: [{ key: 7, kid: 'a' }] }, ['cardSigning.keys[0]: The key cannot sign agent cards: it must be']],
    [{ keys: [{ key: publicKey, kid: 'a' }] }, ['cardSigning.keys[0]: The key cannot sign agent cards: it must be']],
    [{ keys: [{ key: pem }] }, ['cardSigning.keys[0]: The key cannot sign agent cards: it needs a kid']],
    [{ keys: [{ key: pem, kid: 7 }] }, ['cardSigning.keys[0]: The key cannot sign agent cards: it needs a kid']],
    [{ keys: [...keys, ...keys] }, ['cardSigning.keys[1]: another key has the same kid, "k1"']],
    [{ keys: [{ ...keys[0], jku: 'keys.json' }] }, ['cardSigning.keys[0]: its jku must be an absolute']],
    [{ keys: [{ ...keys[0], algorithm: 'ES256' }] }, ['cardSigning.keys[0].algorithm: there is no such option']],
    [
      { keys, jwkPath: 'x', sdkForm: 1 },
      [
        'cardSigning.jwkPath: there is no such option; did you mean jwksPath?',
        'cardSigning.sdkForm: 1 was given; right is true or false',
      ],
    ],
    [{ keys, jwksPath: '/' }, ['cardSigning.jwksPath: "/" was given; right is a path such as']],
    [{ keys, jwksPath: '../x' }, ['cardSigning.jwksPath: "../x" was given; right is a path such as']],
    [{ keys, jwksPath: 'a2a/jsonrpc' }, ['cardSigning.jwksPath: "/a2a/jsonrpc" is taken']],
    [
      { keys, jwksPath: '.well-known/Agent-Card.json' },
      ['cardSigning.jwksPath: "/.well-known/Agent-Card.json" is taken'],
    ],
  ])('%#: %p', (given, expected) => {
    const faults = faultsOf(given);
    expect(faults).toEqual(expected.map((fault) => expect.stringContaining(fault)));
    expect(faults.join()).not.toContain(secret);
  });
});
