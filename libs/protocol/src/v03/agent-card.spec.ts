import { describe, expect, it } from '@jest/globals';
import type { AgentCard } from '../types/agent-card.js';
import { isV03Interface, toV03AgentCard } from './agent-card.js';

const old = { url: 'https://a/old', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3', tenant: 'acme' };
const older = { url: 'https://a/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3.2' };
const current = { url: 'https://a/new', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
const skill = { id: 's', name: 'S', description: 'd', tags: ['t'] };
const card: AgentCard = {
  name: 'N',
  description: 'D',
  version: '2',
  supportedInterfaces: [current, old, older],
  provider: { url: 'https://p', organization: 'P' },
  iconUrl: 'https://i',
  capabilities: { streaming: true, extendedAgentCard: true },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key', description: 'k' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
    code: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: { authorizationUrl: 'https://z', tokenUrl: 'https://t', scopes: {}, pkceRequired: true },
        },
      },
    },
    device: {
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: 'https://d', tokenUrl: 'https://t', scopes: {} } },
      },
    },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://o' } },
    mtls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { key: { list: [] }, code: { list: ['read'] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ ...skill, securityRequirements: [{ schemes: { mtls: { list: [] } } }] }],
  signatures: [{ protected: 'e30', signature: 'AA' }],
};

describe('a card as 0.3 has it', () => {
  it('names the interfaces of 0.3, and security as OpenAPI does', () => {
    expect(toV03AgentCard(card)).toStrictEqual({
      protocolVersion: '0.3.0',
      name: 'N',
      description: 'D',
      version: '2',
      url: 'https://a/old',
      preferredTransport: 'HTTP+JSON',
      additionalInterfaces: [
        { url: 'https://a/old', transport: 'HTTP+JSON' },
        { url: 'https://a/rpc', transport: 'JSONRPC' },
      ],
      provider: { url: 'https://p', organization: 'P' },
      iconUrl: 'https://i',
      capabilities: { streaming: true },
      supportsAuthenticatedExtendedCard: true,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'k' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        code: {
          type: 'oauth2',
          flows: { authorizationCode: { authorizationUrl: 'https://z', tokenUrl: 'https://t', scopes: {} } },
        },
        device: { type: 'oauth2', flows: {} },
        oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://o' },
        mtls: { type: 'mutualTLS' },
      },
      security: [{ key: [], code: ['read'] }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ ...skill, security: [{ mtls: [] }] }],
    });
  });

  it('is none where nothing speaks 0.3', () => {
    expect(toV03AgentCard({ ...card, supportedInterfaces: [current] })).toBeUndefined();
    const versions = ['0.3', '0.3.0', '0.2.6', '1.0', '', 'x'];
    expect(versions.filter((protocolVersion) => isV03Interface({ ...current, protocolVersion }))).toEqual([
      '0.3',
      '0.3.0',
    ]);
  });
});
