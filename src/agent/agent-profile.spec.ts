import { describe, expect, it } from '@jest/globals';
import { ContentTypeNotSupportedError, Role } from 'nestjs-a2a/protocol';
import { ANONYMOUS_USER } from '../authorization/a2a-user.js';
import { normaliseAgentPath } from './agent-path.js';
import { AgentProfile } from './agent-profile.js';
import { ServerCallContext } from './server-call-context.js';

const skill = { id: 's', name: 's', description: 's', tags: [] };

describe('AgentProfile', () => {
  it('has what the card says, and nothing it does not say', () => {
    const bare = new AgentProfile({ capabilities: {}, defaultInputModes: [], skills: [] });
    expect(bare).toMatchObject({ streaming: false, pushNotifications: false, extendedAgentCard: false });
    const extensions = [{ uri: 'a', required: true }, { uri: 'b', required: false }, { uri: 'c' }];
    const full = new AgentProfile({
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions },
      defaultInputModes: [],
      skills: [],
    });
    expect(full).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: true });
    expect([...full.extensions]).toEqual(['a', 'b', 'c']);
    expect(full.requiredExtensions).toEqual(['a']);
  });

  it.each([
    ['text/plain', true],
    ['TEXT/Plain; charset=utf-8', true],
    ['text/html', false],
    ['image/png', true],
    ['application/json', false],
    [undefined, true],
    ['', true],
  ])('takes a part of %s: %s', (mediaType, taken) => {
    const profile = new AgentProfile({
      capabilities: {},
      defaultInputModes: ['text/plain'],
      skills: [{ ...skill, inputModes: ['image/*'] }],
    });
    const message = { messageId: 'm', role: Role.USER, parts: [{ text: 'a' }, { text: 'b', mediaType }] };
    const check = (): void => profile.checkInput(message);
    if (taken) expect(check).not.toThrow();
    else expect(check).toThrow(ContentTypeNotSupportedError);
  });

  it('takes everything with */*', () => {
    const profile = new AgentProfile({ capabilities: {}, defaultInputModes: ['*/*'], skills: [] });
    const parts = [{ raw: 'aGk=', mediaType: 'application/x-anything' }];
    expect(() => profile.checkInput({ messageId: 'm', role: Role.USER, parts })).not.toThrow();
  });
});

describe('ServerCallContext', () => {
  it('activates what was asked for, once', () => {
    const call = new ServerCallContext({
      user: ANONYMOUS_USER,
      tenant: '',
      protocolVersion: '1.0',
      binding: 'IN_PROCESS',
      requestedExtensions: ['a', 'b'],
      headers: {},
    });
    expect([call.activateExtension('a'), call.activateExtension('a'), call.activateExtension('c')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(call.activatedExtensions).toEqual(['a']);
  });
});

describe('normaliseAgentPath', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['weather', '/weather'],
    ['/weather/', '/weather'],
    ['a/b', '/a/b'],
  ])('%j is %j', (path, normal) => {
    expect(normaliseAgentPath(path)).toBe(normal);
  });

  it.each(['a b', 'a//b', ':id', '*', '../up', 'a?b'])('%j is none', (path) => {
    expect(() => normaliseAgentPath(path)).toThrow(/path/);
  });
});
