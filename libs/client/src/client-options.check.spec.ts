import { describe, expect, it } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { caught } from '../../../test/support/caught.js';
import { A2AClient } from './a2a-client.js';
import { userMessage } from './calls/user-message.js';
import type { A2AClientOptions } from './client-options.js';
import { OAuth2ClientCredentials } from './credentials/oauth2-client.credential.js';
import { SafeClientHttp } from './http/safe-client-http.js';
import { createA2ASkillTools } from './tools/create-a2a-skill-tools.js';
import { createA2ATool } from './tools/create-a2a-tool.js';
import { A2ATool } from './tools/a2a-tool.js';

const CARD: AgentCard = {
  name: 'Kitchen',
  description: '',
  version: '1',
  supportedInterfaces: [{ url: 'https://agent.example/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};
const URL_OF_AGENT = 'https://agent.example';
const named = { name: 'ask', description: 'Cooks' };
const secret = { clientId: 'id', clientSecret: 'secret' };

/** As it comes from those without a compiler. */
const loose = <T extends object>(options: object): T => Object.assign(Object.create(Object.prototype), options);

async function problemOf(work: () => unknown): Promise<Error> {
  return caught((async () => work())());
}

describe('Misspelled options are refused, with what was probably meant', () => {
  it.each<[string, (options: object) => unknown, object, string, string]>([
    [
      'a client',
      (options) => new A2AClient(loose(options)),
      { netwrok: 'any', colour: 1 },
      'INVALID_CONFIGURATION',
      'The options of A2AClient: netwrok: there is no such option; did you mean network?; colour: there is no such option',
    ],
    [
      'the limits',
      (options) => new A2AClient(loose(options)),
      { limits: { totalTimeout: 5 } },
      'INVALID_CONFIGURATION',
      'The options of A2AClient, limits: totalTimeout: there is no such option; did you mean totalTimeoutMs?',
    ],
    [
      'trust',
      (options) => new A2AClient(loose(options)),
      { trust: [{ origin: [] }] },
      'INVALID_CONFIGURATION',
      'The options of A2AClient, trust[0]: origin: there is no such option; did you mean origins?',
    ],
    [
      'network',
      (options) => new A2AClient(loose(options)),
      { network: { host: ['localhost'] } },
      'INVALID_CONFIGURATION',
      'network: host: there is no such option; did you mean hosts?',
    ],
    [
      'network, another word',
      (options) => new A2AClient(loose(options)),
      { network: 'all' },
      'INVALID_CONFIGURATION',
      "network: right is an object, a policy of your own or 'any'",
    ],
    [
      'network, a host with a port',
      (options) => new A2AClient(loose(options)),
      { network: { hosts: ['localhost:3000'] } },
      'INVALID_CONFIGURATION',
      "network: 'localhost:3000' is not a host: write a name without scheme, port and path, or '*.example.com'",
    ],
    [
      'tls',
      (options) => new A2AClient(loose(options)),
      { tls: { crlfile: 'x.pem' } },
      'TLS_CONTEXT',
      'crlfile: there is no such option; did you mean crlFile?',
    ],
    [
      'discover',
      (options) => A2AClient.discover(URL_OF_AGENT, loose(options)),
      { preferedProtocol: 'GRPC' },
      'INVALID_CONFIGURATION',
      'preferedProtocol: there is no such option; did you mean preferredProtocol?',
    ],
    [
      'bearerToken',
      (options) => A2AClient.bearerToken('t', loose(options)),
      { rety: { attempts: 1 } },
      'INVALID_CONFIGURATION',
      'rety: there is no such option; did you mean retry?',
    ],
    [
      'connect',
      (options) => new A2AClient().connect(URL_OF_AGENT, options),
      { network: 'any' },
      'INVALID_ARGUMENT',
      'The options of connect: network: there is no such option',
    ],
    [
      'agent',
      (options) => new A2AClient().at(URL_OF_AGENT).agent(options),
      { refresh: true },
      'INVALID_ARGUMENT',
      'The options of agent: refresh: there is no such option; did you mean fresh?',
    ],
    [
      'a call',
      (options) => new A2AClient({}, CARD).getTask('t', loose(options)),
      { header: {} },
      'INVALID_ARGUMENT',
      'The options of the call: header: there is no such option; did you mean headers?',
    ],
    [
      'a stream',
      (options) => new A2AClient({}, CARD).subscribeToTask('t', loose(options)),
      { limits: { idleTimeout: 5 } },
      'INVALID_ARGUMENT',
      'The limits of the call: idleTimeout: there is no such option; did you mean idleTimeoutMs?',
    ],
    [
      'SafeClientHttp',
      (options) => new SafeClientHttp(loose(options)),
      { networks: 'any' },
      'INVALID_CONFIGURATION',
      'The options of SafeClientHttp: networks: there is no such option; did you mean network?',
    ],
    [
      'OAuth 2.0',
      (options) => new OAuth2ClientCredentials(loose({ ...secret, ...options })),
      { scope: ['a'] },
      'CREDENTIAL_INVALID',
      'OAuth2ClientCredentials: scope: there is no such option; did you mean scopes?',
    ],
    [
      'A2ATool',
      (options) => new A2ATool(CARD, options),
      { conversations: true },
      'INVALID_TOOL',
      'The options of A2ATool: conversations: there is no such option; did you mean conversation?',
    ],
    [
      'createA2ATool',
      (options) => createA2ATool(CARD, { ...named, ...options }),
      { clientOption: {} },
      'INVALID_TOOL',
      'The options of createA2ATool: clientOption: there is no such option; did you mean clientOptions?',
    ],
    [
      'the client of a tool',
      (options) => createA2ATool(CARD, { ...named, clientOptions: loose(options) }),
      { netwrok: 'any' },
      'INVALID_CONFIGURATION',
      'netwrok: there is no such option; did you mean network?',
    ],
    [
      'createA2ASkillTools',
      (options) => createA2ASkillTools(CARD, options),
      { filters: () => true },
      'INVALID_TOOL',
      'The options of createA2ASkillTools: filters: there is no such option; did you mean filter?',
    ],
    [
      'options for a client that has its own',
      (options) => createA2ATool(new A2AClient({}, CARD), { ...named, ...options }),
      { clientOptions: 'key' },
      'INVALID_TOOL',
      'clientOptions are those of a client that the tool makes',
    ],
    [
      'no options where some are needed',
      () => Reflect.apply(createA2ATool, undefined, [CARD]),
      {},
      'INVALID_TOOL',
      'The options of createA2ATool: right is an object with the options',
    ],
    [
      'no name',
      () => createA2ATool(CARD, loose({ description: 'Cooks' })),
      {},
      'INVALID_TOOL',
      'The name of a tool must be',
    ],
    [
      'no description',
      () => createA2ATool(CARD, { ...named, description: ' ' }),
      {},
      'INVALID_TOOL',
      'The tool ask needs a description',
    ],
  ])('%s', async (_what, use, options, code, message) => {
    expect(await problemOf(() => use(options))).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('but none of those that there are', async () => {
    const options: Required<Omit<A2AClientOptions, 'tls' | 'http' | 'trust'>> = {
      credentials: 'key',
      credentialOrigins: [],
      network: { hosts: ['localhost'], cidrs: [], allowHttp: true, ports: [443], onlyListed: true },
      connectTimeoutMs: 1,
      limits: { totalTimeoutMs: 1, headersTimeoutMs: 1, idleTimeoutMs: 1, maxAnswerBytes: 1 },
      maxFrameLength: 1,
      retry: { attempts: 0, initialDelayMs: 1, maxDelayMs: 1 },
      resumeStreams: true,
      maxResumes: 1,
      polling: { initialDelayMs: 1, maxDelayMs: 1 },
      preferredProtocol: 'JSONRPC',
      protocols: [],
      transports: [],
      cardLifetimeSeconds: 1,
      cardPath: 'card.json',
      interceptors: [],
      wait: async () => undefined,
    };
    await new A2AClient({ ...options, trust: [{ keys: { keys: [] }, algorithms: [], origins: [] }] }).close();
  });
});

describe('What is no message is told how to become one', () => {
  const client = new A2AClient({}, CARD);
  it.each<[string, (given: never) => unknown, unknown, string]>([
    ['sendMessage', (given) => client.sendMessage(given), 'Soup?', '{ message: userMessage(the text) }'],
    ['sendMessageStream', (given) => client.sendMessageStream(given), 'Soup?', '{ message: userMessage(the text) }'],
    ['a bare message', (given) => client.sendMessage(given), userMessage('Soup?'), '{ message: userMessage('],
    ['nothing', (given) => client.sendMessageStream(given), undefined, '{ message: userMessage('],
    ['userMessage', (given) => userMessage(given), undefined, 'What is said is a text or parts'],
    ['sendTask', (given) => client.sendTask(given), { text: 'Soup?' }, 'What is said is a text or parts'],
    ['chat', (given) => client.chat().say(given), 7, 'What is said is a text or parts'],
  ])('%s', async (_what, use, given, message) => {
    const error = await problemOf(() => Reflect.apply(use, undefined, [given]));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) });
  });
});
