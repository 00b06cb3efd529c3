import { decodeSecurityScheme, isRecord, type SecurityScheme } from 'nestjs-a2a/protocol';
import { defined, memberOf, textOf, type WireObject } from './wire-member.js';

const MEMBERS = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
] as const;

// A v1.0 scheme has one flow. The one that a program can go through alone comes first.
const FLOWS = ['clientCredentials', 'authorizationCode', 'deviceCode', 'implicit', 'password'] as const;

/**
 * Reads the schemes of a card in v1.0 form or as in OpenAPI and A2A 0.3. One that nobody understands is left out, so that
 * whatever asks for it cannot be fulfilled.
 */
export function readSecuritySchemes(value: unknown): Record<string, SecurityScheme> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, scheme]) => {
      const decoded = isRecord(scheme) ? decodeSecurityScheme(toV1(scheme)) : undefined;
      return decoded?.ok === true ? [[name, decoded.value]] : [];
    }),
  );
}

function toV1(written: WireObject): WireObject {
  const scheme = plainOneof(written, 'scheme');
  for (const member of MEMBERS) {
    const content = memberOf(scheme, member);
    if (isRecord(content)) return { [member]: contentOf(member, content) };
  }
  // Before the type: it says more, and some write only this.
  if (textOf(scheme, 'scheme') !== undefined) return { httpAuthSecurityScheme: scheme };
  switch (scheme['type']) {
    case 'apiKey':
      return { apiKeySecurityScheme: contentOf('apiKeySecurityScheme', scheme) };
    case 'oauth2':
      return { oauth2SecurityScheme: contentOf('oauth2SecurityScheme', scheme) };
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: scheme };
    case 'mutualTLS':
      return { mtlsSecurityScheme: scheme };
    default:
      return scheme;
  }
}

function contentOf(member: (typeof MEMBERS)[number], content: WireObject): WireObject {
  if (member === 'apiKeySecurityScheme') {
    return defined({ ...content, location: textOf(content, 'location') ?? textOf(content, 'in') });
  }
  const written = memberOf(content, 'flows');
  const flows = isRecord(written) ? plainOneof(written, 'flow') : undefined;
  if (member !== 'oauth2SecurityScheme' || flows === undefined) return content;
  const name = FLOWS.find((flow) => memberOf(flows, flow) !== undefined);
  return name === undefined ? content : { ...content, flows: { [name]: memberOf(flows, name) } };
}

/**
 * Servers of the official JavaScript SDK write the "one of" of their cards as they have it in memory:
 * `{ scheme: { $case: 'httpAuthSecurityScheme', value } }`.
 */
function plainOneof(object: WireObject, name: string): WireObject {
  const inner = object[name];
  if (!isRecord(inner) || typeof inner['$case'] !== 'string') return object;
  return { [inner['$case']]: inner['value'] };
}
