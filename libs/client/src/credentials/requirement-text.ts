import type { AgentCard, SecurityRequirement, SecurityScheme } from 'nestjs-a2a/protocol';

const MOST_SHOWN = 8;
const MOST_CHARACTERS = 64;

/** What a card asks for, in words. */
export function describeRequirements(card: AgentCard, requirements: readonly SecurityRequirement[]): string {
  const shown = requirements.slice(0, MOST_SHOWN).map(({ schemes }) => {
    const names = Object.keys(schemes).slice(0, MOST_SHOWN);
    return names.map((name) => `'${clean(name)}' (${describe(schemeOf(card, name))})`).join(' and ');
  });
  return shown.join(', or ');
}

/** A scheme by its name in the card. */
export function schemeOf({ securitySchemes = {} }: AgentCard, name: string): SecurityScheme | undefined {
  return Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
}

function describe(scheme: SecurityScheme | undefined): string {
  if (!scheme) return 'which its card does not describe in a way known here';
  if ('apiKeySecurityScheme' in scheme) {
    const { location, name } = scheme.apiKeySecurityScheme;
    return `API key in ${clean(location)} ${clean(name)}`;
  }
  if ('httpAuthSecurityScheme' in scheme) return `HTTP ${clean(scheme.httpAuthSecurityScheme.scheme)}`;
  if ('oauth2SecurityScheme' in scheme) return `OAuth 2.0 ${Object.keys(scheme.oauth2SecurityScheme.flows).join()}`;
  return 'mtlsSecurityScheme' in scheme ? 'client certificate' : 'OpenID Connect';
}

/** Text of the agent's that goes into an error. */
function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, MOST_CHARACTERS);
}
