import { describe, expect, it } from '@jest/globals';
import { ApiKeyCredential } from '../credentials/api-key.credential.js';
import { SafeClientHttp } from '../http/safe-client-http.js';
import type { A2AAgentSettings } from './a2a-client-module.options.js';
import { agentOptions, differingOption } from './agent-options.js';

const url = 'https://a.example';
const key = new ApiKeyCredential('k');

describe('agentOptions', () => {
  const shared = new SafeClientHttp();
  const other = new SafeClientHttp();

  it('takes what the root says where the agent says nothing, members of limits and pauses one by one', () => {
    const [first, second] = [{}, {}];
    const root = { protocols: ['JSONRPC'], limits: { totalTimeoutMs: 1, idleTimeoutMs: 2 }, interceptors: [first] };
    const own = {
      url,
      protocols: undefined,
      limits: { idleTimeoutMs: 3 },
      retry: { attempts: 0 },
      interceptors: [second],
    };
    expect(agentOptions(root, own, shared)).toMatchObject({
      protocols: ['JSONRPC'],
      limits: { totalTimeoutMs: 1, idleTimeoutMs: 3 },
      retry: { attempts: 0 },
    });
    expect(agentOptions(root, own, shared).interceptors).toEqual([first, second]);
  });

  it.each<[string, Omit<A2AAgentSettings, 'url'>, unknown]>([
    ['nothing of its own', { credentials: key }, shared],
    ['HTTP of its own', { http: other }, other],
    ['a network of its own', { network: 'any' }, undefined],
    ['certificates of its own', { tls: { verifyChain: false } }, undefined],
    ['a time to connect of its own', { connectTimeoutMs: 1 }, undefined],
    ['a network that is undefined', { network: undefined }, shared],
  ])('knows whose connections an agent uses with %s', (_name, own, http) => {
    expect(agentOptions({}, { url, ...own }, shared).http).toBe(http);
  });
});

describe('differingOption', () => {
  it.each<[A2AAgentSettings, A2AAgentSettings, string | undefined]>([
    [{ url }, { url }, undefined],
    [{ url }, { url: 'https://b.example' }, 'url'],
    [{ url }, { url, limits: { totalTimeoutMs: 1 } }, 'limits'],
    [{ url, limits: { totalTimeoutMs: 1 } }, { url, limits: { totalTimeoutMs: 1 } }, undefined],
    [{ url, limits: { totalTimeoutMs: 1 } }, { url, limits: { totalTimeoutMs: 2 } }, 'limits'],
    [{ url, protocols: ['a', 'b'] }, { url, protocols: ['a', 'b'] }, undefined],
    [{ url, protocols: ['a', 'b'] }, { url, protocols: ['b', 'a'] }, 'protocols'],
    [{ url, protocols: ['a'] }, { url, protocols: ['a', 'b'] }, 'protocols'],
    [{ url, credentials: key }, { url, credentials: key }, undefined],
    [{ url, credentials: key }, { url, credentials: new ApiKeyCredential('k') }, 'credentials'],
    [{ url, credentials: undefined }, { url }, undefined],
  ])('compares %j with %j', (one, other, option) => {
    expect([differingOption(one, other), differingOption(other, one)]).toEqual([option, option]);
  });
});
