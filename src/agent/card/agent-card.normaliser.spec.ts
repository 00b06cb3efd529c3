import { describe, expect, it } from '@jest/globals';
import type { AgentCardInput } from './agent-card-input.js';
import { AgentCardError, type AgentCardFault } from './agent-card.error.js';
import { normaliseAgentCard } from './agent-card.normaliser.js';
import type { CardWiring } from './card-wiring.js';

const NOTHING: CardWiring = { streaming: false, pushNotifications: false, extendedAgentCard: false };
const ALL: CardWiring = { streaming: true, pushNotifications: true, extendedAgentCard: true };

/** Cards come from JSON files too, which no compiler has seen. */
function card(members: object = {}): AgentCardInput {
  return Object.assign({ name: 'Recipes', skills: [{ name: 'Find' }] }, members);
}

function faultsOf(input: AgentCardInput, wiring = ALL): readonly AgentCardFault[] {
  try {
    normaliseAgentCard(input, wiring);
  } catch (error) {
    if (error instanceof AgentCardError) return error.faults;
    throw error;
  }
  return [];
}

describe('normaliseAgentCard', () => {
  it('makes a whole card of a name', () => {
    expect(normaliseAgentCard({ name: 'My Recipes' }, NOTHING)).toEqual({
      card: {
        name: 'My Recipes',
        description: '',
        version: '1.0.0',
        capabilities: NOTHING,
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'my-recipes', name: 'My Recipes', description: '', tags: ['my-recipes'] }],
        customInterfaces: [],
      },
      warnings: ['the agent card has no skills; one named "My Recipes" was made of the card itself'],
    });
  });

  it('keeps all that a full card says, and does not change the input', () => {
    const input: AgentCardInput = {
      name: 'Recipes',
      description: 'Finds recipes',
      version: '2.1.0',
      provider: { url: 'https://kitchen.example', organization: 'Kitchen' },
      documentationUrl: 'https://kitchen.example/docs',
      iconUrl: 'https://kitchen.example/icon.png',
      capabilities: {
        streaming: true,
        extensions: [{ uri: 'https://x.example/ext', required: true, params: { a: 1 } }],
      },
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
      defaultInputModes: ['text/*', 'application/json; charset="utf-8"'],
      defaultOutputModes: ['*/*'],
      skills: [
        {
          id: 'find',
          name: 'Find',
          description: 'Finds',
          tags: ['food'],
          examples: ['soup?'],
          inputModes: ['text/plain'],
          outputModes: ['image/svg+xml'],
        },
      ],
    };
    const before = structuredClone(input);
    const result = normaliseAgentCard(input, { ...NOTHING, streaming: true });
    expect(result.warnings).toEqual([]);
    expect(result.card).toEqual({
      ...before,
      capabilities: { ...NOTHING, ...before.capabilities },
      customInterfaces: [],
    });
    expect(input).toEqual(before);
  });

  it('names every fault in one message', () => {
    const input = card({
      name: ' ',
      description: 7,
      provider: { url: 'https://kitchen.example' },
      capabilities: { streaming: true, pushNotifications: 'yes' },
      defaultInputModes: ['text'],
      skills: [{ name: 'Find' }, { id: 'find', name: 'Search' }, { description: 'x' }, 'cook'],
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    });
    expect(() => normaliseAgentCard(input, NOTHING)).toThrow(
      new AgentCardError([
        { path: 'name', description: 'must be a text that is not blank' },
        { path: 'description', description: 'must be a text' },
        {
          path: 'securityRequirements[0].schemes.key',
          description: 'names a scheme that securitySchemes does not declare',
        },
        { path: 'capabilities.streaming', description: 'says true, but no route that streams is served' },
        { path: 'capabilities.pushNotifications', description: 'must be true or false' },
        { path: 'defaultInputModes[0]', description: '"text" is no media type; one looks like text/plain' },
        { path: 'skills[2].name', description: 'must be a text that is not blank' },
        { path: 'skills[3]', description: 'must be an object' },
        { path: 'skills[1].id', description: '"find" is the id of skills[0] as well' },
        { path: 'provider.organization', description: 'is required' },
      ]),
    );
  });

  it('writes a fault a line', () => {
    expect(
      new AgentCardError([
        { path: 'name', description: 'a' },
        { path: '', description: 'b' },
      ]).message,
    ).toBe('The agent card has 2 faults:\n  - name: a\n  - b');
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ version: 1 }, 'version'],
    [{ documentationUrl: 1 }, 'documentationUrl'],
    [{ iconUrl: {} }, 'iconUrl'],
    [{ provider: 'Kitchen' }, 'provider'],
    [{ capabilities: [] }, 'capabilities'],
    [{ capabilities: { extensions: {} } }, 'capabilities.extensions'],
    [{ capabilities: { extensions: ['x'] } }, 'capabilities.extensions[0]'],
    [{ capabilities: { extensions: [{ description: 'x' }] } }, 'capabilities.extensions[0].uri'],
    [{ capabilities: { extensions: [{ uri: 'a:b' }, { uri: 'a:b' }] } }, 'capabilities.extensions[1].uri'],
    [{ defaultInputModes: 'text/plain' }, 'defaultInputModes'],
    [{ defaultOutputModes: ['text/plain', ''] }, 'defaultOutputModes[1]'],
    [{ defaultOutputModes: ['*/plain'] }, 'defaultOutputModes[0]'],
    [{ defaultOutputModes: ['text/plain;'] }, 'defaultOutputModes[0]'],
    [{ skills: {} }, 'skills'],
    [{ skills: [null] }, 'skills[0]'],
    [{ skills: [{ name: 'A', tags: 'x' }] }, 'skills[0].tags'],
    [{ skills: [{ name: 'A', id: 5 }] }, 'skills[0].id'],
    [{ skills: [{ name: 'A', inputModes: ['json'] }] }, 'skills[0].inputModes[0]'],
    [
      { skills: [{ name: 'A', securityRequirements: [{ schemes: { k: { list: [] } } }] }] },
      'skills[0].securityRequirements[0].schemes.k',
    ],
    [{ supportedInterfaces: {} }, 'supportedInterfaces'],
    [{ supportedInterfaces: ['x'] }, 'supportedInterfaces[0]'],
    [{ supportedInterfaces: [{ protocolBinding: 'urn:x', protocolVersion: '1.0' }] }, 'supportedInterfaces[0].url'],
    [{ supportedInterfaces: [{ protocolBinding: 'urn:x', url: 'x' }] }, 'supportedInterfaces[0].protocolVersion'],
    [
      { supportedInterfaces: [{ protocolBinding: 'REST', url: 'x', protocolVersion: '1.0' }] },
      'supportedInterfaces[0].protocolBinding',
    ],
    [{ securityRequirements: {} }, 'securityRequirements'],
    [{ securityRequirements: [{ key: [] }] }, 'securityRequirements[0]'],
    [{ securitySchemes: [] }, 'securitySchemes'],
    [{ securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, 'securitySchemes.key'],
  ])('%j is a fault at %s', (members, path) => {
    expect(faultsOf(card(members)).map((fault) => fault.path)).toEqual([path]);
  });

  it.each([null, [], 'card'])('refuses %j as a card', (input) => {
    const { value } = Object.assign({ value: card() }, { value: input });
    expect(() => normaliseAgentCard(value, ALL)).toThrow('must be an object');
  });

  describe.each(['streaming', 'pushNotifications', 'extendedAgentCard'] as const)('capability %s', (name) => {
    it.each([
      [undefined, true, true],
      [undefined, false, false],
      [null, true, true],
      [false, true, false],
      [false, false, false],
      [true, true, true],
    ])('said %p, wired %p: %p', (said, wired, expected) => {
      const wiring = { ...NOTHING, [name]: wired };
      const result = normaliseAgentCard(card({ capabilities: { [name]: said } }), wiring);
      expect(result.card.capabilities).toEqual({ ...NOTHING, [name]: expected });
    });

    it('is refused when it is claimed and not there', () => {
      const faults = faultsOf(card({ capabilities: { [name]: true } }), { ...ALL, [name]: false });
      expect(faults.map((fault) => fault.path)).toEqual([`capabilities.${name}`]);
    });
  });

  it.each([
    [{ url: 'https://old.example' }, 'url is ignored: addresses are derived from what is mounted'],
    [{ preferredTransport: 'JSONRPC' }, 'preferredTransport is ignored: addresses are derived from what is mounted'],
    [{ additionalInterfaces: [] }, 'additionalInterfaces is ignored: addresses are derived from what is mounted'],
    [{ protocolVersion: '0.3.0' }, 'protocolVersion is ignored: versions are derived from what is mounted'],
    [{ security: [{ key: [] }] }, 'security is ignored: protocol 1.0 has securityRequirements'],
    [
      { supportsAuthenticatedExtendedCard: true },
      'supportsAuthenticatedExtendedCard is ignored: capabilities.extendedAgentCard is derived from what is wired',
    ],
    [{ signatures: [] }, 'signatures is ignored: a signature holds for the finished card only'],
    [
      { capabilities: { stateTransitionHistory: true } },
      'capabilities.stateTransitionHistory is ignored: protocol 1.0 has no such capability',
    ],
    [{ skils: [] }, 'skils is ignored: the protocol has no such field; did you mean skills?'],
    [{ colour: 'red' }, 'colour is ignored: the protocol has no such field'],
    [
      { skills: [{ name: 'A', inputmodes: [] }] },
      'skills[0].inputmodes is ignored: the protocol has no such field; did you mean inputModes?',
    ],
    [
      { supportedInterfaces: [{ protocolBinding: 'JSONRPC' }] },
      'supportedInterfaces[0] is ignored: JSONRPC interfaces are derived from what is mounted',
    ],
  ])('%j: %s', (members, warning) => {
    const result = normaliseAgentCard(card(members), ALL);
    expect(result.warnings).toEqual([warning]);
    for (const key of Object.keys(members)) {
      if (!['capabilities', 'skills'].includes(key)) expect(result.card).not.toHaveProperty(key);
    }
    expect(result.card.capabilities).toEqual(ALL);
  });

  it('keeps interfaces on custom bindings', () => {
    const custom = { url: 'nats://x', protocolBinding: 'https://x.example/nats', protocolVersion: '1.0' };
    const supportedInterfaces = [custom, { ...custom, tenant: 't', extra: 1 }, { ...custom, tenant: '' }];
    const result = normaliseAgentCard(card({ supportedInterfaces }), ALL);
    expect(result.card.customInterfaces).toEqual([custom, { ...custom, tenant: 't' }, custom]);
    expect(result.card).not.toHaveProperty('supportedInterfaces');
  });

  it('reads the spelling of Protobuf', () => {
    const result = normaliseAgentCard(
      card({
        default_input_modes: ['text/csv'],
        defaultOutputModes: ['text/html'],
        default_output_modes: ['text/csv'],
        icon_url: 'https://x.example/i.png',
        capabilities: { push_notifications: false },
        skills: [{ name: 'A', input_modes: ['text/csv'] }],
      }),
      ALL,
    );
    expect(result.warnings).toEqual([]);
    expect(result.card).toMatchObject({
      defaultInputModes: ['text/csv'],
      defaultOutputModes: ['text/html'],
      iconUrl: 'https://x.example/i.png',
      capabilities: { pushNotifications: false },
      skills: [{ id: 'a', inputModes: ['text/csv'] }],
    });
    expect(JSON.stringify(result.card)).not.toContain('_');
  });

  it('does not need another pass over its own skills', () => {
    const first = normaliseAgentCard(card({ skills: [{ name: 'One' }, { name: '料理' }] }), ALL).card;
    expect(first.skills.map((skill) => skill.id)).toEqual(['one', 'skill-2']);
    const { customInterfaces, ...again } = first;
    expect(normaliseAgentCard(again, ALL)).toEqual({ card: { ...again, customInterfaces }, warnings: [] });
  });
});
