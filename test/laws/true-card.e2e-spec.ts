import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  A2AConfigurationError,
  AgentCardError,
  AgentCardProvider,
  type A2AModuleExtras,
  type A2AModuleOptions,
  type AgentCardInput,
} from 'nestjs-a2a';
import { probeCard } from '../probe-agent/probe.options.js';
import { asUser, CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { caught } from '../support/caught.js';
import { cardOf } from '../support/echo.executor.js';
import { at, listAt, send, textAt, type Call } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start } from '../support/running-app.js';

type Options = A2AModuleOptions & A2AModuleExtras;

class TwoCards extends AgentCardProvider {
  override getCard(): AgentCardInput {
    return cardOf('Two cards');
  }

  override getExtendedCard(): AgentCardInput {
    return { ...cardOf('Two cards'), description: 'More for those who are known' };
  }
}

const LIES: [string, Partial<AgentCardInput>, string, Options?][] = [
  [
    'push notifications',
    { capabilities: { pushNotifications: true } },
    'capabilities.pushNotifications',
    { push: false },
  ],
  ['an extended card', { capabilities: { extendedAgentCard: true } }, 'capabilities.extendedAgentCard'],
  [
    'an extension twice',
    { capabilities: { extensions: [{ uri: 'urn:x' }, { uri: 'urn:x' }] } },
    'capabilities.extensions',
  ],
  [
    'a security scheme that is not there',
    { securityRequirements: [{ schemes: { missing: { list: [] } } }] },
    'securityRequirements',
  ],
  [
    'a binding that is none',
    { supportedInterfaces: [{ url: 'https://x.example', protocolBinding: 'CARRIER', protocolVersion: '1.0' }] },
    'supportedInterfaces[0].protocolBinding',
  ],
];

describe.each(ADAPTERS)('a card that cannot be true, on %s (law 12)', (adapter) => {
  it.each(LIES)('claims %s: the app does not start, and says which claim', async (_what, claim, path, options = {}) => {
    const module = probeModule({ agentCard: { ...cardOf('Liar'), ...claim }, ...options });
    const error = await caught(start(adapter, module));
    // A claim that more than the card is needed for is found later, by another check.
    expect(error instanceof A2AConfigurationError || error instanceof AgentCardError).toBe(true);
    expect(error.message).toContain(path);
  });
});

const WIRINGS: [string, Options][] = [
  ['with nothing but a name', { agentCard: cardOf('Plain') }],
  ['without streams', { agentCard: probeCard({ streaming: false }) }],
  ['without push notifications', { agentCard: cardOf('Silent'), push: false }],
  ['with a required extension', { agentCard: probeCard({ requiredExtension: 'urn:needed' }) }],
  ['with an extended card', { agentCard: undefined, providers: [{ provide: AgentCardProvider, useClass: TwoCards }] }],
];

describe.each(ADAPTERS)('an agent on %s', (adapter) => {
  it.each(WIRINGS)('%s does what its card says, and nothing that it does not say (law 12)', async (_what, options) => {
    const { url, close } = await start(adapter, probeModule({ guards: [BelievingGuard], ...options }));
    try {
      const { body } = await send(url, { path: CARD_PATH });
      const claims = at(body, 'capabilities');
      const extensions = required(body);
      const headers = { ...asUser('somebody'), 'a2a-extensions': extensions.join(', ') };
      const reasonOf = async (call: Call): Promise<unknown> => {
        const answer = await send(url, { ...call, headers: { ...headers, ...call.headers } });
        return at(answer.body, 'error.data.0.reason') ?? at(answer.body, 'error.details.0.reason') ?? 'done';
      };
      const streamed = await send(url, rpc('SendStreamingMessage', message('echo hi'), headers));
      expect(String(streamed.headers['content-type']).startsWith('text/event-stream')).toBe(at(claims, 'streaming'));
      const sent = await send(url, rpc('SendMessage', message('echo hi'), headers));
      const taskId = textAt(sent.body, 'result.task.id');
      const push = await reasonOf(rpc('ListTaskPushNotificationConfigs', { taskId }));
      expect(push === 'done').toBe(at(claims, 'pushNotifications'));
      const extended = await reasonOf(rest('GET', '/extendedAgentCard'));
      expect(extended === 'done').toBe(at(claims, 'extendedAgentCard'));
      const bare = await reasonOf(rpc('SendMessage', message('echo hi'), { 'a2a-extensions': '' }));
      expect(bare).toBe(extensions.length > 0 ? 'EXTENSION_SUPPORT_REQUIRED' : 'done');
      for (const entry of listAt(body, 'supportedInterfaces')) {
        const path = new URL(textAt(entry, 'url')).pathname;
        const isRpc = at(entry, 'protocolBinding') === 'JSONRPC';
        const call = isRpc ? rpc('ListTasks', {}, {}, path) : { path: `${path}/tasks` };
        expect(await reasonOf(call)).toBe('done');
      }
    } finally {
      await close();
    }
  });
});

/** The extensions that a caller must ask for. */
function required(card: unknown): string[] {
  const extensions = at(card, 'capabilities.extensions') === undefined ? [] : listAt(card, 'capabilities.extensions');
  return extensions
    .filter((extension) => at(extension, 'required') === true)
    .map((extension) => textAt(extension, 'uri'));
}
