import { describe, expect, it } from '@jest/globals';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import type { Fields } from './card-fields.js';
import { CardFindings } from './card-findings.js';
import { withCheckedSchemes } from './card-security.js';

const HEADER: SecurityScheme = { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } };
const QUERY: SecurityScheme = { apiKeySecurityScheme: { location: 'query', name: 'key' } };
const BEARER: SecurityScheme = { httpAuthSecurityScheme: { scheme: 'Bearer' } };
const OIDC: SecurityScheme = { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example' } };

function merge(card: Fields, definition: SecurityScheme, name = 'mine') {
  const findings = new CardFindings();
  return { card: withCheckedSchemes(findings, card, [{ name, definition }]), findings };
}

describe('A card with schemes that are checked', () => {
  it.each<[SecurityScheme, unknown]>([
    [HEADER, { apiKeySecurityScheme: { location: 'header', name: 'x-api-key', description: 'more' } }],
    [HEADER, { api_key_security_scheme: { location: 'header', name: 'X-API-Key' } }],
    [QUERY, { apiKeySecurityScheme: { location: 'query', name: 'key' } }],
    [BEARER, { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } }],
    [BEARER, { oauth2SecurityScheme: { flows: {} } }],
    [BEARER, OIDC],
    [OIDC, BEARER],
    // The decoder says what is wrong with these.
    [HEADER, 'no scheme'],
    [HEADER, { unknownSecurityScheme: {} }],
  ])('%j may be told as %j', (definition, told) => {
    const { card, findings } = merge({ securitySchemes: { mine: told } }, definition);
    expect(findings.faults).toEqual([]);
    expect(card['securitySchemes']).toEqual({ mine: told });
  });

  it.each<[SecurityScheme, SecurityScheme]>([
    [HEADER, QUERY],
    [QUERY, { apiKeySecurityScheme: { location: 'query', name: 'KEY' } }],
    [BEARER, HEADER],
    [BEARER, { httpAuthSecurityScheme: { scheme: 'Basic' } }],
    [BEARER, { mtlsSecurityScheme: {} }],
  ])('%j may not be told as %j', (definition, told) => {
    const { findings } = merge({ securitySchemes: { mine: told } }, definition);
    expect(findings.faults.map(({ path }) => path)).toEqual(['securitySchemes.mine']);
  });

  it.each([[{}], [{ securityRequirements: [] }], [{ securityRequirements: null }]])(
    'needs them when it says nothing else (%j)',
    (card) => {
      expect(merge(card, BEARER).card).toEqual({
        securitySchemes: { mine: BEARER },
        securityRequirements: [{ schemes: { mine: { list: [] } } }],
      });
    },
  );

  it('keeps its own requirements, and its author is told of a scheme that none names', () => {
    const securityRequirements = [{ schemes: { other: { list: [] } } }];
    const { card, findings } = merge({ securityRequirements }, BEARER);
    expect(card['securityRequirements']).toBe(securityRequirements);
    expect(findings.warnings).toEqual([expect.stringContaining('mine')]);
  });
});
