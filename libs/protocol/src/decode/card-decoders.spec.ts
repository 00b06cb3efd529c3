import { describe, expect, it } from '@jest/globals';
import { decodeAgentCard, decodeAgentSkill, decodeSecurityRequirement, decodeSecurityScheme } from '../decoders.js';

const card = {
  name: 'Recipes',
  description: 'Cooks',
  supportedInterfaces: [{ url: 'https://a/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  provider: { url: 'https://a', organization: 'A' },
  version: '1.2.3',
  documentationUrl: '',
  capabilities: { streaming: false, extensions: [{ uri: 'https://x', required: true, params: { a: 1 } }] },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    web: {
      oauth2SecurityScheme: {
        flows: { authorizationCode: { authorizationUrl: 'https://a', tokenUrl: 'https://b', scopes: { r: 'read' } } },
      },
    },
    mtls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'd', tags: ['t'] }],
  signatures: [{ protected: 'e30', signature: 'AA', header: { kid: 'k' } }],
};

describe('decodeAgentCard', () => {
  it('passes a whole card', () => {
    expect(decodeAgentCard(card)).toEqual({ ok: true, value: card });
  });

  it('fills in what writers of defaults leave out', () => {
    const { name, version, supportedInterfaces } = card;
    expect(decodeAgentCard({ name, version, supportedInterfaces, capabilities: {} })).toEqual({
      ok: true,
      value: {
        name,
        version,
        supportedInterfaces,
        capabilities: {},
        description: '',
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
      },
    });
  });

  it.each<[unknown, string]>([
    [{ ...card, name: '' }, 'name'],
    [{ ...card, version: undefined }, 'version'],
    [{ ...card, capabilities: null }, 'capabilities'],
    [{ ...card, supportedInterfaces: [] }, 'supportedInterfaces'],
    [
      { ...card, supportedInterfaces: [{ url: 'u', protocolBinding: 'GRPC' }] },
      'supportedInterfaces[0].protocolVersion',
    ],
    [{ ...card, skills: [{ name: 'S' }] }, 'skills[0].id'],
    [{ ...card, skills: {} }, 'skills'],
    [{ ...card, securitySchemes: { k: { type: 'apiKey' } } }, 'securitySchemes.k'],
    [{ ...card, securitySchemes: { k: null } }, 'securitySchemes.k'],
    [
      { ...card, securitySchemes: { k: { oauth2SecurityScheme: { flows: {} } } } },
      'securitySchemes.k.oauth2SecurityScheme.flows',
    ],
    [{ ...card, defaultInputModes: ['a', 1] }, 'defaultInputModes[1]'],
  ])('%# is refused at %s', (value, field) => {
    expect(decodeAgentCard(value)).toMatchObject({ ok: false, violations: [{ field }] });
  });

  it('keeps hostile map keys out of the result and short in the paths', () => {
    const schemes = JSON.parse('{"__proto__":{"mtlsSecurityScheme":{}}}');
    expect(decodeAgentCard({ ...card, securitySchemes: schemes })).toMatchObject({
      ok: true,
      value: { securitySchemes: {} },
    });
    const long = decodeAgentCard({ ...card, securitySchemes: { ['k\n'.repeat(10_000)]: 1 } });
    expect(long.ok ? '' : long.violations[0].field).toMatch(/^securitySchemes\.k{2,64}…$/);
  });
});

describe('objects of a card', () => {
  it('reads proto names with digits in them', () => {
    expect(
      decodeSecurityScheme({
        oauth2_security_scheme: {
          oauth2_metadata_url: 'https://m',
          flows: { device_code: { device_authorization_url: 'https://d', token_url: 'https://t' } },
        },
      }),
    ).toEqual({
      ok: true,
      value: {
        oauth2SecurityScheme: {
          flows: { deviceCode: { deviceAuthorizationUrl: 'https://d', tokenUrl: 'https://t', scopes: {} } },
          oauth2MetadataUrl: 'https://m',
        },
      },
    });
  });

  it('wants exactly one scheme and one flow', () => {
    expect(decodeSecurityScheme({ mtlsSecurityScheme: {}, httpAuthSecurityScheme: { scheme: 'Bearer' } }).ok).toBe(
      false,
    );
    expect(decodeSecurityScheme({ oauth2SecurityScheme: { flows: { implicit: {}, password: {} } } }).ok).toBe(false);
  });

  it('fills in empty lists', () => {
    expect(decodeSecurityRequirement({ schemes: { google: {} } })).toEqual({
      ok: true,
      value: { schemes: { google: { list: [] } } },
    });
    expect(decodeAgentSkill({ id: 's', name: 'S' })).toEqual({
      ok: true,
      value: { id: 's', name: 'S', description: '', tags: [] },
    });
  });
});
