import { describe, expect, it, jest } from '@jest/globals';
import type { AgentCardInput } from '../../agent/card/agent-card-input.js';
import { AgentCardProvider } from '../../agent/card/agent-card.provider.js';
import type { A2AUser } from '../../authorization/a2a-user.js';
import { AgentsUnderTest } from '../../../test/support/in-process-agent.js';
import { AgentCardService } from './agent-card.service.js';
import { forwardedAddress } from './trusted-proxy.js';

const card: AgentCardInput = {
  name: 'Recipes',
  description: 'Cooks',
  version: '1.0.0',
  skills: [{ id: 'cook', name: 'Cook', description: 'Cooks', tags: ['food'] }],
};

class Provider extends AgentCardProvider {
  override getCard(): AgentCardInput {
    return card;
  }
}

class Extended extends Provider {
  override getExtendedCard(user: A2AUser): AgentCardInput | undefined {
    return user.id === 'ann' ? { ...card, description: `Cooks for ${user.id}` } : undefined;
  }
}

async function serviceOf(provider: AgentCardProvider) {
  const interfaces = jest.fn((baseUrl: string) => [
    { url: `${baseUrl}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' as const },
  ]);
  const logger = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const service = new AgentCardService({
    provider,
    interfaces,
    logger,
    pushNotifications: false,
    defaultBaseUrl: () => 'https://a.example',
  });
  await service.load();
  return { service, interfaces };
}

describe('AgentCardService', () => {
  it('is of no use before the card was read', () => {
    const service = new AgentCardService({
      provider: new Provider(),
      interfaces: () => [],
      pushNotifications: false,
      logger: { log: jest.fn(), warn: jest.fn(), error: jest.fn() },
      defaultBaseUrl: () => '',
    });
    expect(() => service.profile).toThrow('when the module is initialised');
  });

  it('says what is wired and mounted, no more (law 12)', async () => {
    const { service } = await serviceOf(new Provider());
    const { card: served } = service.document('https://a.example');
    expect(served.supportedInterfaces).toEqual([
      expect.objectContaining({ url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }),
    ]);
    expect(served.capabilities).toMatchObject({ streaming: true });
    expect(served.capabilities.pushNotifications ?? false).toBe(false);
    expect(served.capabilities.extendedAgentCard ?? false).toBe(false);
    expect(service.profile.streaming).toBe(true);
    const extended = await serviceOf(new Extended());
    expect(extended.service.profile.extendedAgentCard).toBe(true);
  });

  it('keeps a few documents, however many bases callers make up', async () => {
    const { service, interfaces } = await serviceOf(new Provider());
    const first = service.document('https://0.example');
    for (let n = 0; n < 100; n++) service.document(`https://${n}.example`);
    expect(service.document('https://0.example')).toBe(first);
    const calls = interfaces.mock.calls.length;
    service.document('https://15.example');
    expect(interfaces.mock.calls.length).toBe(calls);
    service.document('https://99.example');
    expect(interfaces.mock.calls.length).toBe(calls + 1);
  });

  it('gives the extended card to whom its provider gives one', async () => {
    const agents = new AgentsUnderTest();
    const agent = agents.make({});
    const { service } = await serviceOf(new Extended());
    const extended = await service.extendedCard(agent.call({ user: 'ann' }));
    expect(extended).toMatchObject({ description: 'Cooks for ann', supportedInterfaces: [{}] });
    expect(await service.extendedCard(agent.call({ user: 'bob' }))).toBeUndefined();
    const plain = await serviceOf(new Provider());
    expect(await plain.service.extendedCard(agent.call({ user: 'ann' }))).toBeUndefined();
    await agents.expectIdle();
  });
});

describe('Address that a proxy names (P79)', () => {
  const headers = { 'x-forwarded-host': 'a.example' };
  const resume = (): void => undefined;
  const fastify = { raw: { headers, resume }, headers, protocol: 'https', host: 'a.example' };

  it.each([
    [['10.0.0.1'], undefined],
    [['10.0.0.1', '1.2.3.4'], { protocol: 'https', host: 'a.example' }],
    [undefined, undefined],
  ])('Fastify, ips %j: %j', (ips, address) => {
    expect(forwardedAddress({ ...fastify, ...(ips && { ips }) })).toEqual(address);
  });

  it.each([
    [true, { protocol: 'https', host: 'a.example' }],
    [false, undefined],
    [undefined, undefined],
  ])('Express, trust %s: %j', (trusted, address) => {
    const get = (): unknown => (trusted === undefined ? undefined : () => trusted);
    const request = {
      headers,
      resume,
      protocol: 'https',
      host: 'a.example',
      app: { get },
      socket: { remoteAddress: '::1' },
    };
    expect(forwardedAddress(request)).toEqual(address);
  });
});
