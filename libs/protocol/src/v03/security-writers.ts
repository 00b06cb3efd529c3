import type { OAuthFlows, SecurityRequirement, SecurityScheme } from '../types/security.js';
import { present } from './present.js';
import type { V03SecurityRequirement, V03SecurityScheme } from './types.js';

/** A scheme as OpenAPI writes it. A flow that 0.3 does not know is left out; the scheme stays, and cannot be gone through. */
export function toV03SecurityScheme(scheme: SecurityScheme): V03SecurityScheme {
  if ('apiKeySecurityScheme' in scheme) {
    const { location, ...rest } = scheme.apiKeySecurityScheme;
    return present({ type: 'apiKey', in: location, ...rest });
  }
  if ('httpAuthSecurityScheme' in scheme) return { type: 'http', ...scheme.httpAuthSecurityScheme };
  if ('oauth2SecurityScheme' in scheme) {
    const { flows, ...rest } = scheme.oauth2SecurityScheme;
    return { type: 'oauth2', flows: flowsOf(flows), ...rest };
  }
  return 'openIdConnectSecurityScheme' in scheme
    ? { type: 'openIdConnect', ...scheme.openIdConnectSecurityScheme }
    : { type: 'mutualTLS', ...scheme.mtlsSecurityScheme };
}

function flowsOf(flows: OAuthFlows): object {
  if ('deviceCode' in flows) return {};
  if (!('authorizationCode' in flows)) return flows;
  const { pkceRequired: _pkce, ...authorizationCode } = flows.authorizationCode;
  return { authorizationCode };
}

/** `{ name: [scope] }`. */
export function toV03SecurityRequirement({ schemes }: SecurityRequirement): V03SecurityRequirement {
  return Object.fromEntries(Object.entries(schemes).map(([name, { list }]) => [name, list]));
}
