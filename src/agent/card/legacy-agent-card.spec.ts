import { describe, expect, it } from '@jest/globals';
import type { AgentCard, SecurityScheme } from 'nestjs-a2a/protocol';
import { legacyAgentCard } from './legacy-agent-card.js';

const SCHEMES: Record<string, SecurityScheme> = {
  header: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
  query: { apiKeySecurityScheme: { location: 'query', name: 'key' } },
  bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
  basic: { httpAuthSecurityScheme: { scheme: 'basic' } },
  openId: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example' } },
  certificate: { mtlsSecurityScheme: {} },
};

function cardWith(requirements: readonly string[][]): AgentCard {
  return {
    name: 'The Older Agent',
    description: '',
    supportedInterfaces: [],
    version: '1',
    capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri: 'https://a.example/e' }] },
    securitySchemes: SCHEMES,
    securityRequirements: requirements.map((names) => ({
      schemes: Object.fromEntries(names.map((name) => [name, { list: ['read'] }])),
    })),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'constructor', name: 'One', description: '', tags: [] }],
  };
}

function legacy(...requirements: string[][]): object {
  const obtainAt = new Map([['header', 'https://a.example/keys']]);
  return legacyAgentCard(cardWith(requirements), { url: 'https://a.example', paths: [''], inputSchemas: {}, obtainAt });
}

describe('the older card', () => {
  it.each<[string, string[][], object | undefined]>([
    ['nothing', [], undefined],
    ['a key', [['header']], { type: 'api-key', header: 'X-Key', obtainAt: 'https://a.example/keys' }],
    ['a token', [['bearer']], { type: 'bearer', header: 'Authorization' }],
    ['a password', [['basic']], { type: 'basic', header: 'Authorization' }],
    ['a login', [['openId']], { type: 'bearer', header: 'Authorization' }],
    ['what has no place in it', [['query'], ['certificate'], ['unknown'], []], undefined],
    ['two things at once, or one', [['header', 'bearer'], ['basic']], { type: 'basic', header: 'Authorization' }],
  ])('says how callers prove who they are: with %s', (_what, requirements, expected) => {
    const card = legacy(...requirements);
    if (expected === undefined) expect(card).not.toHaveProperty('authentication');
    else expect(card).toHaveProperty('authentication', expected);
    expect(card).toHaveProperty(
      'securityRequirements',
      requirements.map((names) => Object.fromEntries(names.map((name) => [name, ['read']]))),
    );
  });

  it('names what is on, and no schema that nobody gave', () => {
    expect(legacy()).toMatchObject({ agentUri: 'agent://the-older-agent', capabilities: ['streaming'] });
    expect(legacy()).toHaveProperty('skills', [
      {
        id: 'constructor',
        name: 'One',
        description: '',
        tags: [],
        examples: [],
        inputModes: ['text/plain'],
        outputModes: ['text/plain'],
      },
    ]);
  });
});
