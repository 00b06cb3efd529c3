import type { AgentCard, AgentSkill, SecurityScheme } from 'nestjs-a2a/protocol';

/** What the older card says beyond the card of today. */
export interface LegacyCardFacts {
  /** Where older peers call: the other addresses are below it. */
  readonly url: string;
  /** The paths that they are served at, from there on. */
  readonly paths: readonly string[];
  /** Schemas of what skills take, by the skill's id. */
  readonly inputSchemas: Readonly<Record<string, object>>;
  /** Where callers get credentials, by the scheme's name. */
  readonly obtainAt: ReadonlyMap<string, string>;
}

/** How callers prove who they are, as it was said before there were schemes. */
export interface LegacyAuthentication {
  readonly type: string;
  readonly header: string;
  readonly obtainAt?: string;
}

type Requirements = NonNullable<AgentCard['securityRequirements']>;

/**
 * The card in the form that agents had at `/.well-known/agent.json` before A2A 1.0. It has the interfaces of today as
 * well, for those who understand them.
 */
export function legacyAgentCard(card: AgentCard, facts: LegacyCardFacts): object {
  const { name, description, version, capabilities, supportedInterfaces, securitySchemes = {} } = card;
  const { defaultInputModes, defaultOutputModes, securityRequirements = [] } = card;
  const authentication = legacyAuthenticationOf(securityRequirements, securitySchemes, facts.obtainAt);
  return {
    name,
    description,
    version,
    url: facts.url,
    protocol: 'a2a/1.0',
    agentUri: `agent://${name.toLowerCase().replaceAll(' ', '-')}`,
    capabilities: Object.entries(capabilities).flatMap(([capability, there]) => (there === true ? [capability] : [])),
    skills: card.skills.map((skill) => legacySkill(skill, card, facts.inputSchemas)),
    ...(authentication && { authentication }),
    endpoints: Object.fromEntries(facts.paths.map((path) => [path.slice(1) || 'root', `POST ${path || '/'}`])),
    supportedInterfaces,
    defaultInputModes,
    defaultOutputModes,
    securitySchemes,
    securityRequirements: securityRequirements.map(namesAndScopes),
  };
}

/**
 * The first way in that one scheme with a header makes; undefined when there is none, for what the older form cannot
 * say must not be said otherwise.
 */
function legacyAuthenticationOf(
  requirements: Requirements,
  schemes: Readonly<Record<string, SecurityScheme>>,
  obtainAt: LegacyCardFacts['obtainAt'],
): LegacyAuthentication | undefined {
  for (const requirement of requirements) {
    const [name, ...others] = Object.keys(requirement.schemes);
    const scheme = name === undefined || others.length > 0 ? undefined : schemes[name];
    const way = scheme && wayOf(scheme);
    if (name === undefined || way === undefined) continue;
    const place = obtainAt.get(name);
    return { ...way, ...(place !== undefined && { obtainAt: place }) };
  }
  return undefined;
}

function wayOf(scheme: SecurityScheme): LegacyAuthentication | undefined {
  if ('apiKeySecurityScheme' in scheme) {
    const { location, name } = scheme.apiKeySecurityScheme;
    return location === 'header' ? { type: 'api-key', header: name } : undefined;
  }
  if ('httpAuthSecurityScheme' in scheme) {
    return { type: scheme.httpAuthSecurityScheme.scheme.toLowerCase(), header: 'Authorization' };
  }
  return 'mtlsSecurityScheme' in scheme ? undefined : { type: 'bearer', header: 'Authorization' };
}

/** `{ name: [scope] }`, which is all that older peers understand. */
function namesAndScopes({ schemes }: Requirements[number]): Record<string, string[]> {
  return Object.fromEntries(Object.entries(schemes).map(([name, { list }]) => [name, list]));
}

function legacySkill(skill: AgentSkill, card: AgentCard, inputSchemas: LegacyCardFacts['inputSchemas']): object {
  const { id, name, description, tags, examples = [], inputModes = [], outputModes = [] } = skill;
  const inputSchema = Object.hasOwn(inputSchemas, id) ? inputSchemas[id] : undefined;
  return {
    id,
    name,
    description,
    ...(inputSchema && { inputSchema }),
    tags,
    examples,
    inputModes: inputModes.length > 0 ? inputModes : card.defaultInputModes,
    outputModes: outputModes.length > 0 ? outputModes : card.defaultOutputModes,
  };
}
