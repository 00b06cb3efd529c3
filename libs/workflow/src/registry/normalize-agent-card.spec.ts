import { describe, expect, it } from '@jest/globals';
import { normalizeAgentCard, readRegistryCard, WorkflowArgumentError } from 'nestjs-a2a/workflow';

const schemesOf = (scheme: unknown): unknown => normalizeAgentCard({ securitySchemes: { s: scheme } });
const requirementsOf = (requirement: unknown): unknown => normalizeAgentCard({ securityRequirements: [requirement] });

describe('normalizeAgentCard', () => {
  it('gives null for null', () => {
    expect([normalizeAgentCard(null), normalizeAgentCard(undefined)]).toEqual([null, null]);
  });

  it('leaves the rest, and what it is given, as they are', () => {
    const raw = {
      name: 'A',
      security: [{ s: [] }],
      extra: { a: [1] },
      securitySchemes: { s: { type: 'http', scheme: 'x' } },
    };
    const before = structuredClone(raw);
    const card = normalizeAgentCard(raw);
    expect(raw).toEqual(before);
    expect(card).toEqual({ ...raw, securitySchemes: { s: { httpAuthSecurityScheme: { scheme: 'x' } } } });
    expect([Object.isFrozen(card), Object.isFrozen(raw)]).toEqual([true, false]);
    expect(normalizeAgentCard({ name: 'A' })).toEqual({ name: 'A' });
  });

  it.each<readonly [what: string, input: unknown, output: unknown]>([
    ['text', 'x', 'x'],
    ['null', null, null],
    ...[
      'httpAuthSecurityScheme',
      'apiKeySecurityScheme',
      'oauth2SecurityScheme',
      'openIdConnectSecurityScheme',
      'mtlsSecurityScheme',
    ].map((name): [string, unknown, unknown] => [name, { [name]: {}, scheme: 'x' }, { [name]: {}, scheme: 'x' }]),
    [
      'http',
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'd' },
      { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT', description: 'd' } },
    ],
    ['a scheme before its type', { type: 'apiKey', scheme: 'basic' }, { httpAuthSecurityScheme: { scheme: 'basic' } }],
    [
      'apiKey',
      { type: 'apiKey', in: 'header', name: 'X-Key', description: 'd' },
      { apiKeySecurityScheme: { location: 'header', name: 'X-Key', description: 'd' } },
    ],
    ['apiKey without the rest', { type: 'apiKey' }, { apiKeySecurityScheme: {} }],
    [
      'oauth2',
      { type: 'oauth2', flows: { clientCredentials: {} }, oauth2MetadataUrl: 'u', description: 'd' },
      { oauth2SecurityScheme: { flows: { clientCredentials: {} }, oauth2MetadataUrl: 'u', description: 'd' } },
    ],
    [
      'openIdConnect',
      { type: 'openIdConnect', openIdConnectUrl: 'u' },
      { openIdConnectSecurityScheme: { openIdConnectUrl: 'u' } },
    ],
    ['mutualTLS', { type: 'mutualTLS', description: 'd' }, { mtlsSecurityScheme: { description: 'd' } }],
    ['what is not known', { type: 'other', a: 1 }, { type: 'other', a: 1 }],
    ['a scheme that is no text', { scheme: 1 }, { scheme: 1 }],
  ])('reads schemes: %s', (_what, input, output) => {
    expect(schemesOf(input)).toEqual({ securitySchemes: { s: output } });
  });

  it.each<readonly [what: string, input: unknown, output: readonly unknown[]]>([
    ['names', { schemes: ['a', 'b'] }, [{ schemes: { a: {}, b: {} } }]],
    ['the form of 1.0', { schemes: { a: { list: ['x'] } } }, [{ schemes: { a: { list: ['x'] } } }]],
    ['the form of OpenAPI', { a: [], b: ['x'] }, [{ schemes: { a: { list: [] }, b: { list: ['x'] } } }]],
    ['nothing asked for', {}, [{ schemes: {} }]],
    ['what is not known', { a: 1 }, [{ a: 1 }]],
    ['text', 'a', []],
    ['null', null, []],
  ])('reads requirements: %s', (_what, input, output) => {
    expect(requirementsOf(input)).toEqual({ securityRequirements: output });
  });

  it.each(['x', 1, null, []])('takes %j for no schemes', (securitySchemes) => {
    expect(normalizeAgentCard({ securitySchemes })).toEqual({ securitySchemes: {} });
  });

  it.each(['x', 1, null, { a: [] }, []])('takes %j for no requirements', (securityRequirements) => {
    expect(normalizeAgentCard({ securityRequirements })).toEqual({ securityRequirements: [] });
  });

  it('does not make requirements of schemes', () => {
    expect(normalizeAgentCard({ securitySchemes: { a: { type: 'mutualTLS' } } })).not.toHaveProperty(
      'securityRequirements',
    );
  });
});

describe('readRegistryCard', () => {
  const base = {
    name: 'A',
    description: '',
    version: '1',
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };

  it('reads a card of OpenAPI form into one of 1.0', () => {
    const card = readRegistryCard({
      ...base,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        open: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example' },
        tls: { type: 'mutualTLS' },
        oauth: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { a: 'b' } } },
        },
      },
      securityRequirements: [{ schemes: ['bearer', 'key'] }, { oauth: ['a'] }, { schemes: { tls: {} } }],
    });
    expect(card).toMatchObject({
      name: 'A',
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } },
        key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
        open: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example' } },
        tls: { mtlsSecurityScheme: {} },
        oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://id.example/token' } } } },
      },
      securityRequirements: [
        { schemes: { bearer: { list: [] }, key: { list: [] } } },
        { schemes: { oauth: { list: ['a'] } } },
        { schemes: { tls: { list: [] } } },
      ],
    });
  });

  it.each<readonly [scopes: unknown, list: readonly string[]]>([
    [['x'], ['x']],
    [{}, []],
    [{ list: ['x'] }, ['x']],
  ])('reads scopes as %j', (scopes, list) => {
    const card = readRegistryCard({
      ...base,
      securitySchemes: { s: { scheme: 'bearer' } },
      securityRequirements: [{ schemes: { s: scopes } }],
    });
    expect(card.securityRequirements).toEqual([{ schemes: { s: { list } } }]);
  });

  it('reads a key with `in` of a scheme that has its form already', () => {
    const securitySchemes = { s: { apiKeySecurityScheme: { in: 'query', name: 'k' } } };
    expect(readRegistryCard({ ...base, securitySchemes }).securitySchemes).toEqual({
      s: { apiKeySecurityScheme: { location: 'query', name: 'k' } },
    });
  });

  it.each<readonly [message: string, members: object]>([
    ['securitySchemes.s must be an object', { securitySchemes: { s: 1 } }],
    ['securitySchemes.s.scheme is required', { securitySchemes: { s: { httpAuthSecurityScheme: {} } } }],
    ['securitySchemes.s.scheme is required', { securitySchemes: { s: { scheme: ' ' } } }],
    ['securitySchemes.s.name is required', { securitySchemes: { s: { type: 'apiKey', in: 'header' } } }],
    ['securitySchemes.s.location must be one of', { securitySchemes: { s: { type: 'apiKey', name: 'k' } } }],
    [
      'securitySchemes.s.location must be one of',
      { securitySchemes: { s: { type: 'apiKey', name: 'k', in: 'body' } } },
    ],
    ['securitySchemes.s.openIdConnectUrl is required', { securitySchemes: { s: { type: 'openIdConnect' } } }],
    ['securitySchemes.s is of no known form', { securitySchemes: { s: { type: 'other' } } }],
    ['securitySchemes.s is of no known form', { securitySchemes: { s: { type: 'oauth2' } } }],
    ['securityRequirements[0].schemes must be an object', { securityRequirements: [{ a: 1 }] }],
    ['securityRequirements[1].schemes must be an object', { securityRequirements: [{}, { schemes: 'a' }] }],
    ...[1, 'x', null, [1], { list: 'x' }, { list: [1] }, { other: [] }].map((scopes): [string, object] => [
      'securityRequirements[0].schemes.s must be a list of scopes',
      { securityRequirements: [{ schemes: { s: scopes } }] },
    ]),
  ])('refuses a card: %s', (message, members) => {
    expect(() => readRegistryCard({ ...base, ...members })).toThrow(WorkflowArgumentError);
    expect(() => readRegistryCard({ ...base, ...members })).toThrow(message);
  });

  it('refuses what is no card', () => {
    expect(() => readRegistryCard({})).toThrow(expect.objectContaining({ code: 'AGENT_CARD_INVALID' }));
  });
});
