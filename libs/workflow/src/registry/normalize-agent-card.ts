import { isRecord, type JsonValue } from 'nestjs-a2a/protocol';
import { BusinessValues, type JsonObject } from '../model/business-values.js';

const V1_SCHEMES = [
  'httpAuthSecurityScheme',
  'apiKeySecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
];

/**
 * Puts the security of a card, as registries keep it, into the form of A2A 1.0: schemes as in OpenAPI, and requirements
 * that are lists of names or `{ name: [scope] }`. Only `securitySchemes` and `securityRequirements` are touched, and only
 * where they are; what is not known stays as it is.
 *
 * @param raw it is not changed
 * @returns a frozen copy; null for null
 * @throws WorkflowArgumentError when it is no JSON object
 * @publicApi
 */
export function normalizeAgentCard(raw: object | null | undefined): JsonObject | null {
  if (raw === null || raw === undefined) return null;
  const card = BusinessValues.map(raw);
  const { securitySchemes, securityRequirements } = card;
  return Object.freeze({
    ...card,
    ...(securitySchemes !== undefined && { securitySchemes: BusinessValues.map(schemesOf(securitySchemes)) }),
    ...(securityRequirements !== undefined && {
      securityRequirements: BusinessValues.snapshot(requirementsOf(securityRequirements)),
    }),
  });
}

function schemesOf(schemes: JsonValue): JsonObject {
  if (!isRecord(schemes)) return {};
  return Object.fromEntries(Object.entries<JsonValue>(schemes).map(([name, scheme]) => [name, schemeOf(scheme)]));
}

function schemeOf(scheme: JsonValue): JsonValue {
  if (!isRecord(scheme) || V1_SCHEMES.some((name) => name in scheme)) return scheme;
  // Before the type: OpenAPI has both, and some write only this.
  if (typeof scheme['scheme'] === 'string') {
    return { httpAuthSecurityScheme: { scheme: scheme['scheme'], ...picked(scheme, 'description', 'bearerFormat') } };
  }
  switch (scheme['type']) {
    case 'apiKey': {
      const location = scheme['in'] === undefined ? picked(scheme, 'location') : { location: scheme['in'] };
      return { apiKeySecurityScheme: { ...location, ...picked(scheme, 'name', 'description') } };
    }
    case 'oauth2':
      return { oauth2SecurityScheme: picked(scheme, 'flows', 'oauth2MetadataUrl', 'description') };
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: picked(scheme, 'openIdConnectUrl', 'description') };
    case 'mutualTLS':
      return { mtlsSecurityScheme: picked(scheme, 'description') };
    default:
      return scheme;
  }
}

function requirementsOf(requirements: JsonValue): JsonValue[] {
  if (!Array.isArray(requirements)) return [];
  return requirements.flatMap((entry) => (isRecord(entry) ? [requirementOf(entry)] : []));
}

function requirementOf(requirement: { readonly [key: string]: JsonValue }): JsonValue {
  const { schemes } = requirement;
  if (isRecord(schemes)) return { ...requirement };
  if (Array.isArray(schemes)) {
    const names = schemes.filter((name) => typeof name === 'string');
    return { ...requirement, schemes: Object.fromEntries(names.map((name) => [name, {}])) };
  }
  const named = Object.entries(requirement);
  if (!named.every(([, scopes]) => Array.isArray(scopes))) return { ...requirement };
  return { schemes: Object.fromEntries(named.map(([name, list]) => [name, { list }])) };
}

function picked(scheme: { readonly [key: string]: JsonValue }, ...names: string[]): { [key: string]: JsonValue } {
  const found = names.flatMap((name): [string, JsonValue][] => {
    const value = scheme[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}
