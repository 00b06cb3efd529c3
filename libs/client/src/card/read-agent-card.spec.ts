import { describe, expect, it } from '@jest/globals';
import { type AgentCard, toV03AgentCard } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import { readAgentCard } from './read-agent-card.js';

const skill = { id: 's', name: 'S', description: 'Does s', tags: ['t'] };
const plain = {
  name: 'Agent',
  description: 'An agent',
  version: '1.2.3',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [skill],
};
const rpc = { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const v1 = { ...plain, supportedInterfaces: [rpc] };
const v03 = { ...plain, protocolVersion: '0.3.0', url: 'https://a.example/rpc' };

describe('readAgentCard', () => {
  it('leaves a card of today as it is', () => {
    const card = {
      ...v1,
      supportedInterfaces: [{ ...rpc, tenant: 'acme' }],
      provider: { url: 'https://a.example', organization: 'A' },
      documentationUrl: 'https://a.example/docs',
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
      signatures: [{ protected: 'e30', signature: 'AA' }],
      iconUrl: 'https://a.example/icon.png',
    };
    const before = structuredClone(card);
    expect(readAgentCard(card)).toEqual({ card, dialect: '1.0' });
    expect(card).toEqual(before);
  });

  it.each<readonly [what: string, raw: object, interfaces: object[]]>([
    ['0.3', v03, [{ url: v03.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' }]],
    [
      '0.3 with others, the main one among them',
      {
        ...v03,
        preferredTransport: 'HTTP+JSON',
        additionalInterfaces: [
          { url: v03.url, transport: 'HTTP+JSON' },
          { url: 'https://a.example/grpc', transport: 'GRPC' },
          { transport: 'JSONRPC' },
        ],
      },
      [
        { url: v03.url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3.0' },
        { url: 'https://a.example/grpc', protocolBinding: 'GRPC', protocolVersion: '0.3.0' },
      ],
    ],
    ['both at once', { ...v03, ...v1 }, [rpc]],
    [
      'no version',
      { ...v1, supportedInterfaces: [{ url: rpc.url, protocolBinding: 'JSONRPC' }] },
      [{ url: rpc.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    ],
    ['one broken, one good', { ...v1, supportedInterfaces: [{ url: 'x' }, null, rpc] }, [rpc]],
    [
      'the names of the proto file',
      { ...plain, supported_interfaces: [{ url: rpc.url, protocol_binding: 'JSONRPC', protocol_version: '1.0' }] },
      [rpc],
    ],
    ['defaults written out', { ...v1, supportedInterfaces: [{ ...rpc, tenant: '' }] }, [rpc]],
  ])('reads interfaces: %s', (_what, raw, interfaces) => {
    expect(readAgentCard(raw).card.supportedInterfaces).toEqual(interfaces);
  });

  it('reads the card of 0.3 that was made of one of 1.0', () => {
    const interfaces = [
      { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
      { url: 'https://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3.0' },
    ];
    const scopes = { read: 'Reads' };
    const card: AgentCard = {
      ...plain,
      capabilities: { streaming: true, extendedAgentCard: true, extensions: [{ uri: 'https://x', required: true }] },
      supportedInterfaces: interfaces,
      provider: { url: 'https://a.example', organization: 'A' },
      documentationUrl: 'https://a.example/docs',
      iconUrl: 'https://a.example/icon.png',
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key', description: 'k' } },
        bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
        oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes } } } },
        oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example/o' } },
        mtls: { mtlsSecurityScheme: {} },
      },
      securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { oauth: { list: ['read'] } } }],
      skills: [{ ...skill, securityRequirements: [{ schemes: { mtls: { list: [] } } }] }],
    };
    const made = toV03AgentCard({ ...card, supportedInterfaces: [rpc, ...interfaces] });
    expect(readAgentCard(JSON.parse(JSON.stringify(made)))).toEqual({ card, dialect: '0.3' });
  });

  it('reads the rest of a card of 0.3', () => {
    const { card, dialect } = readAgentCard({
      ...v03,
      capabilities: { streaming: true, stateTransitionHistory: true },
      supportsAuthenticatedExtendedCard: true,
      securitySchemes: { b: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      security: [{ b: ['read'] }, {}],
      skills: [{ ...skill, security: [{ b: [] }] }],
    });
    expect(dialect).toBe('0.3');
    expect(card).toMatchObject({
      capabilities: { streaming: true, extendedAgentCard: true },
      securitySchemes: { b: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
      securityRequirements: [{ schemes: { b: { list: ['read'] } } }, { schemes: {} }],
      skills: [{ ...skill, securityRequirements: [{ schemes: { b: { list: [] } } }] }],
    });
    expect(card.capabilities).not.toHaveProperty('stateTransitionHistory');
  });

  it('reads a card of the older ai4j agents', () => {
    const { card, dialect } = readAgentCard({
      name: 'ai4j-agent',
      description: '',
      version: '1.0',
      url: 'http://a.example:8080',
      protocol: 'a2a/1.0',
      agentUri: 'agent://ai4j-agent',
      capabilities: ['streaming', 'push-notifications', 'chat'],
      skills: [
        { name: 'Find Recipes!', description: 'Finds', inputSchema: { type: 'object' } },
        { name: '  ', description: 'nothing' },
        { name: '???' },
      ],
      authentication: { type: 'api-key', header: 'X-My-Key', obtainAt: 'https://a.example/keys' },
      endpoints: { send: 'POST /tasks/send' },
      supportedInterfaces: [],
      securitySchemes: {},
    });
    expect(dialect).toBe('ai4j');
    expect(card).toEqual({
      name: 'ai4j-agent',
      description: '',
      version: '1.0',
      supportedInterfaces: [],
      capabilities: { streaming: true, pushNotifications: true },
      securitySchemes: { 'api-key': { apiKeySecurityScheme: { location: 'header', name: 'X-My-Key' } } },
      securityRequirements: [{ schemes: { 'api-key': { list: [] } } }],
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [
        { id: 'find-recipes', name: 'Find Recipes!', description: 'Finds', tags: [] },
        { id: 'skill-3', name: '???', description: '', tags: [] },
      ],
    });
  });

  it.each<readonly [written: object, scheme: object | undefined]>([
    [{ type: 'apiKey', in: 'query', name: 'k' }, { apiKeySecurityScheme: { location: 'query', name: 'k' } }],
    [
      { apiKeySecurityScheme: { in: 'cookie', name: 'k' } },
      { apiKeySecurityScheme: { location: 'cookie', name: 'k' } },
    ],
    [{ type: 'http', scheme: 'basic' }, { httpAuthSecurityScheme: { scheme: 'basic' } }],
    [{ scheme: 'bearer' }, { httpAuthSecurityScheme: { scheme: 'bearer' } }],
    [{ http_auth_security_scheme: { scheme: 'bearer' } }, { httpAuthSecurityScheme: { scheme: 'bearer' } }],
    [
      { type: 'openIdConnect', openIdConnectUrl: 'https://i.example' },
      { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://i.example' } },
    ],
    [{ type: 'mutualTLS', description: 'd' }, { mtlsSecurityScheme: { description: 'd' } }],
    [
      {
        type: 'oauth2',
        oauth2MetadataUrl: 'https://i.example/m',
        flows: {
          authorizationCode: { authorizationUrl: 'https://i.example/a', tokenUrl: 'https://i.example/t', scopes: {} },
          clientCredentials: { tokenUrl: 'https://i.example/t', scopes: { read: 'Reads' } },
        },
      },
      {
        oauth2SecurityScheme: {
          oauth2MetadataUrl: 'https://i.example/m',
          flows: { clientCredentials: { tokenUrl: 'https://i.example/t', scopes: { read: 'Reads' } } },
        },
      },
    ],
    // As servers of the official JavaScript SDK write it.
    [
      {
        scheme: {
          $case: 'oauth2SecurityScheme',
          value: {
            description: '',
            oauth2MetadataUrl: '',
            flows: { flow: { $case: 'clientCredentials', value: { tokenUrl: 'https://i.example/t', scopes: {} } } },
          },
        },
      },
      { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://i.example/t', scopes: {} } } } },
    ],
    [{ scheme: { $case: 'palmReading', value: {} } }, undefined],
    [{ type: 'palmReading' }, undefined],
    [{ type: 'apiKey', in: 'header' }, undefined],
  ])('reads a security scheme: %j', (written, scheme) => {
    const { card } = readAgentCard({ ...v1, securitySchemes: { s: written }, security: [{ s: [] }] });
    expect(card.securitySchemes).toEqual(scheme ? { s: scheme } : {});
    // What cannot be fulfilled is still asked for.
    expect(card.securityRequirements).toEqual([{ schemes: { s: { list: [] } } }]);
  });

  it.each<readonly [written: unknown, requirements: object[] | undefined]>([
    [[{ schemes: ['a', 'b'] }], [{ schemes: { a: { list: [] }, b: { list: [] } } }]],
    [[{ schemes: { a: {} } }], [{ schemes: { a: { list: [] } } }]],
    [[{ schemes: { a: ['x', 1] } }], [{ schemes: { a: { list: ['x'] } } }]],
    [
      [{ a: [] }, { b: ['x'] }, null, 'c'],
      [{ schemes: { a: { list: [] } } }, { schemes: { b: { list: ['x'] } } }],
    ],
    [[], undefined],
    ['a', undefined],
  ])('reads what a card asks for: %j', (written, requirements) => {
    expect(readAgentCard({ ...v1, securityRequirements: written }).card.securityRequirements).toEqual(requirements);
  });

  it.each<readonly [authentication: object, schemes: string[]]>([
    [{ type: 'bearer' }, ['bearer']],
    [{ schemes: ['Bearer', 'apiKey', 'Digest'], credentials: 'x' }, ['Bearer', 'apiKey']],
  ])('reads authentication as it was before: %j', (authentication, schemes) => {
    const { card } = readAgentCard({ ...v03, authentication });
    expect(Object.keys(card.securitySchemes ?? {})).toEqual(schemes);
  });

  it.each<readonly [what: string, raw: unknown, message: string]>([
    ['no object', 'card', 'not a JSON object'],
    ['a list', [], 'not a JSON object'],
    ['nothing', null, 'not a JSON object'],
    ['something else', { name: 'a-service', version: '1.0.0', status: 'ok' }, 'none of supportedInterfaces'],
    ['a card without a name', { ...v1, name: '' }, 'name is required'],
    ['modes that are none', { ...v1, defaultInputModes: [1] }, 'defaultInputModes[0] must be a string'],
  ])('refuses %s', (_what, raw, message) => {
    expect(() => readAgentCard(raw)).toThrow(expect.objectContaining({ code: 'AGENT_CARD_INVALID' }));
    expect(() => readAgentCard(raw)).toThrow(message);
  });

  it.each<readonly [what: string, extra: object]>([
    ['a provider without a name', { provider: { url: '', organization: '' } }],
    ['empty texts', { documentationUrl: '', iconUrl: '' }],
    ['a signature without a signature', { signatures: [{ protected: 'e30' }] }],
    ['no version', { version: undefined }],
    ['capabilities that are none', { capabilities: { streaming: 'yes' } }],
    ['what nobody knows', { future: { a: 1 } }],
  ])('is not stopped by %s', (_what, extra) => {
    expect(readAgentCard({ ...v1, ...extra }).card).toMatchObject({ name: 'Agent', supportedInterfaces: [rpc] });
  });

  it('reads or refuses whatever stands in whatever place, and throws nothing else', () => {
    const rich = {
      ...v1,
      ...v03,
      additionalInterfaces: [{ url: 'https://a.example/grpc', transport: 'GRPC' }],
      provider: { url: 'https://a.example', organization: 'A' },
      securitySchemes: { s: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://i.example/t' } } } },
      securityRequirements: [{ schemes: { s: { list: ['x'] } } }],
      skills: [{ ...skill, security: [{ s: [] }] }],
      authentication: { schemes: ['bearer'] },
      signatures: [{ protected: 'e30', signature: 'AA' }],
    };
    const odd = [null, 0, true, '', 'x', [], {}, [null], [[]], { schemes: 1 }, { $case: 'x' }];
    const outcomes = pathsOf(rich).flatMap((path) => odd.map((value) => outcomeOf(changed(rich, path, value))));
    expect(new Set(outcomes)).toEqual(new Set(['read', 'AGENT_CARD_INVALID']));
  });
});

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path]))];
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return to;
  const members = Object.entries(value).map(([name, inner]) => [name, name === key ? changed(inner, rest, to) : inner]);
  return Array.isArray(value) ? members.map(([, inner]) => inner) : Object.fromEntries(members);
}

function outcomeOf(card: unknown): unknown {
  try {
    readAgentCard(card);
    return 'read';
  } catch (error) {
    return error instanceof A2AClientError ? error.code : error;
  }
}
