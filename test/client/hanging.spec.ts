import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  A2AClient,
  ClientHttp,
  Credential,
  userMessage,
  type A2AClientOptions,
  type A2ATransportFactory,
  type ClientHttpAnswer,
  type ClientHttpStream,
} from 'nestjs-a2a/client';
import { TaskState, type AgentCard } from 'nestjs-a2a/protocol';
import { startServer, type ScriptedServer } from '../net/scripted-server.js';
import { caught } from '../support/caught.js';
import { taskOf } from './scripted-transport.js';

const message = userMessage('hi');
const never = (): Promise<never> => new Promise(() => undefined);

class HangingHttp extends ClientHttp {
  request(): Promise<ClientHttpAnswer> {
    return never();
  }
  open(): Promise<ClientHttpStream> {
    return never();
  }
  async close(): Promise<void> {
    // Holds nothing.
  }
}

class StalledHttp extends HangingHttp {
  override async open(): Promise<ClientHttpStream> {
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`data: ${JSON.stringify({ task: taskOf(TaskState.WORKING) })}\n\n`);
      await never();
    };
    const headers = { 'content-type': 'text/event-stream' };
    return { status: 200, headers, chunks: chunks(), close: () => undefined };
  }
}

class HangingCredential extends Credential {
  readonly kind = 'hanging';
  fits(): boolean {
    return true;
  }
  headersFor = never;
}

const hangingTransport: A2ATransportFactory = {
  binding: 'HTTP+JSON',
  create: () => ({
    binding: 'HTTP+JSON',
    call: never,
    // The other half of a broken one: it hangs after its first frame.
    stream: async function* () {
      yield { response: { task: taskOf(TaskState.WORKING) } };
      await never();
    },
    close: () => undefined,
  }),
};

/** What a host may plug in, and that hears of no signal. */
const HANGING: readonly (readonly [what: string, options: A2AClientOptions, cards?: boolean])[] = [
  ['HTTP', { http: new HangingHttp() }, true],
  ['HTTP that stalls', { http: new StalledHttp() }],
  ['an interceptor of requests', { interceptors: [{ request: never }] }, true],
  ['an interceptor of answers', { interceptors: [{ answer: never }] }, true],
  ['a provider of tokens', { credentials: new HangingCredential() }],
  ['a transport', { transports: [hangingTransport] }],
  ['a key of a signer', { trust: [{ keys: never }] }, true],
];

describe('A client with something that hangs in it', () => {
  let server: ScriptedServer;
  let url: string;
  const cardAt = (at: string): AgentCard => ({
    name: 'Scripted',
    description: '',
    version: '1',
    supportedInterfaces: [{ url: at, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
  // Signed by nobody: what matters is that its key is asked for.
  const signature = { protected: Buffer.from('{"alg":"ES256","kid":"k"}').toString('base64url'), signature: 'AAAA' };

  beforeAll(async () => {
    server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...cardAt(url), signatures: [signature] }));
    });
    url = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => server.close());

  type Call = (client: A2AClient, signal?: AbortSignal) => Promise<unknown>;
  const CALLS: readonly (readonly [name: string, call: Call])[] = [
    ['a call', (client, signal) => client.at(cardAt(url)).getTask('t', { signal })],
    ['a stream', (client, signal) => client.at(cardAt(url)).sendMessageStream({ message }, { signal }).result()],
  ];
  const search: Call = (client, signal) => client.connect(url, { signal });

  it.each(
    HANGING.flatMap(([what, options, cards = false]) => {
      const calls = what.startsWith('a key') ? [] : CALLS;
      return [...calls, ...(cards ? [['a search', search] as const] : [])].map(
        ([name, call]) => [what, name, options, call] as const,
      );
    }),
  )('%s: %s ends with its signal, and with the client', async (_what, _name, options, call) => {
    const client = new A2AClient({ network: 'any', ...options });
    const controller = new AbortController();
    const enough = new Error('enough');
    const begun = new Promise((resolve) => setImmediate(resolve));
    const ended = caught(call(client, controller.signal));
    const closed = caught(call(client));
    await begun;
    controller.abort(enough);
    expect(await ended).toBe(enough);
    await client.close();
    expect(await closed).toMatchObject({ code: 'CLOSED' });
  });

  it('lets a reader leave', async () => {
    const client = new A2AClient({ transports: [hangingTransport] }).at(cardAt(url));
    const events = client.sendMessageStream({ message })[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ done: false });
    const waiting = events.next();
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
