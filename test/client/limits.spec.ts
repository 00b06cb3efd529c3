import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { A2AClient, userMessage, type A2AClientOptions } from 'nestjs-a2a/client';
import { TaskState, UnavailableError, type AgentCard } from 'nestjs-a2a/protocol';
import { startServer, type ScriptedServer } from '../net/scripted-server.js';
import { caught } from '../support/caught.js';
import { RecordingHttp } from './recording-http.js';
import { taskOf } from './scripted-transport.js';

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  // Jest fails a test for a rejection that nobody handles, if it comes before the test is over.
  await new Promise((resolve) => setImmediate(resolve));
});

type Script = (request: IncomingMessage, response: ServerResponse) => unknown;

const cardOf = (url: string, more: Partial<AgentCard> = {}): AgentCard => ({
  name: 'Scripted',
  description: '',
  version: '1',
  supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  ...more,
});

async function setup(script: Script, options: A2AClientOptions = {}) {
  const server = await startServer(script);
  const url = `http://127.0.0.1:${server.port}`;
  const root = new A2AClient({ network: 'any', retry: { initialDelayMs: 1, maxDelayMs: 2 }, ...options });
  endings.push(() => server.close());
  endings.push(() => root.close());
  return { server, url, root, client: root.at(cardOf(url)) };
}

const json = (response: ServerResponse, value: unknown, status = 200): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const streamed = (response: ServerResponse, value: unknown): unknown =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(value)}\n\n`);
const pathsOf = ({ seen }: ScriptedServer): string[] => seen.map(({ method, path }) => `${method} ${path}`);
const message = userMessage('hi');
const once = { attempts: 0 };

describe('Limits of a client', () => {
  it.each<[string, Script, A2AClientOptions, string]>([
    ['no answer', () => undefined, { limits: { headersTimeoutMs: 20 } }, 'TIMEOUT'],
    ['no answer in all its time', () => undefined, { limits: { totalTimeoutMs: 20 } }, 'TIMEOUT'],
    [
      'half an answer',
      (_request, response) => response.writeHead(200).write('{'),
      { limits: { totalTimeoutMs: 20 } },
      'TIMEOUT',
    ],
    [
      'too much',
      (_request, response) => response.end('x'.repeat(100)),
      { limits: { maxAnswerBytes: 10 } },
      'ANSWER_TOO_LARGE',
    ],
    ['a broken connection', (_request, response) => response.destroy(), {}, 'CONNECT_FAILED'],
    ['a forbidden place', (_request, response) => response.end(), { network: {} }, 'FORBIDDEN_TARGET'],
  ])('end a call at %s', async (_name, script, options, code) => {
    const { client } = await setup(script, { retry: once, ...options });
    expect(await caught(client.getTask('t'))).toMatchObject({ code });
  });

  it('says what to do where a place is forbidden', async () => {
    const { client, url, root } = await setup(() => undefined, { network: {} });
    expect((await caught(client.getTask('t'))).message).toBe(
      `${url} is refused: not https. If it is meant to be reached, set the option network: ` +
        "{ hosts: ['127.0.0.1'], allowHttp: true }, or network: 'any' for development",
    );
    expect((await caught(root.connect(`${url}/path?key=hidden`))).message).toMatch(`${url} is refused: not https. If`);
  });

  it('names the host that was too slow, or is not there, and who led there', async () => {
    const { server, url, client } = await setup(() => undefined, { retry: once });
    const limits = { totalTimeoutMs: 20 };
    expect((await caught(client.getTask('t', { limits }))).message).toBe(`${url}: The call did not end within 20 ms`);
    await server.close();
    expect((await caught(client.getTask('t'))).message).toBe(`${url}: The connection failed (ECONNREFUSED)`);
  });

  it('tells which host a card led to', async () => {
    const { url, root } = await setup(
      (_request, response) => json(response, cardOf('http://10.0.0.1/a2a?key=hidden')),
      {
        network: { hosts: ['127.0.0.1'], allowHttp: true },
      },
    );
    const client = await root.connect(url);
    expect((await caught(client.getTask('t'))).message).toBe(
      'http://10.0.0.1 is refused: private address. If it is meant to be reached, add ' +
        `'10.0.0.1' to hosts in the option network. It is the interface that the agent's card at ${url} names`,
    );
  });

  it('calls an agent on this machine by whatever name its card has', async () => {
    const { url, root } = await setup(
      ({ url: path, socket }, response) =>
        path?.startsWith('/.well-known')
          ? json(response, cardOf(`http://localhost:${socket.localPort}`))
          : json(response, taskOf(TaskState.COMPLETED)),
      { network: { hosts: ['127.0.0.1'], allowHttp: true } },
    );
    const client = await root.connect(url);
    expect(await client.getTask('t')).toMatchObject({ id: 't' });
  });

  it('comes back after 503 and 429, as late as it is asked to', async () => {
    let calls = 0;
    const waits: number[] = [];
    const { client } = await setup(
      (_request, response) => {
        calls += 1;
        if (calls === 1) return response.writeHead(503, { 'retry-after': '2' }).end();
        if (calls === 2) return json(response, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 429);
        return json(response, taskOf(TaskState.WORKING));
      },
      { wait: async (milliseconds) => void waits.push(milliseconds) },
    );
    expect(await client.getTask('t')).toMatchObject({ id: 't' });
    expect(waits[0]).toBe(2000);
    expect(waits).toHaveLength(2);
  });

  it('sends nothing twice', async () => {
    const { client, server } = await setup((_request, response) => response.writeHead(503).end());
    expect(await caught(client.sendMessage({ message }))).toBeInstanceOf(UnavailableError);
    expect(await caught(client.sendMessageStream({ message }).result())).toBeInstanceOf(UnavailableError);
    expect(await caught(client.cancelTask('t'))).toBeInstanceOf(UnavailableError);
    expect(pathsOf(server)).toEqual(['POST /message:send', 'POST /message:stream', 'POST /tasks/t:cancel']);
  });

  it('takes up a stream that is silent', async () => {
    let streams = 0;
    const { client, server } = await setup(
      (_request, response) => {
        streams += 1;
        if (streams === 1) return streamed(response, { task: taskOf(TaskState.WORKING) });
        streamed(response, { task: taskOf(TaskState.COMPLETED, 'a') });
        return response.end();
      },
      { limits: { idleTimeoutMs: 30 } },
    );
    const stream = client.sendMessageStream({ message });
    expect(await stream.result()).toEqual({ task: taskOf(TaskState.COMPLETED, 'a') });
    expect(pathsOf(server)).toEqual(['POST /message:stream', 'POST /tasks/t:subscribe']);
  });

  it('ends everything when it is closed', async () => {
    const { client, root } = await setup((request, response) =>
      request.url === '/message:stream' ? streamed(response, { task: taskOf(TaskState.WORKING) }) : undefined,
    );
    const stream = client.sendMessageStream({ message });
    const reading = stream.until(({ state }) => {
      if (state !== undefined) void root.close();
      return false;
    });
    expect(await caught(reading)).toMatchObject({ code: 'CLOSED' });
    expect(await caught(client.getTask('t'))).toMatchObject({ code: 'CLOSED' });
  });

  it.each<[string, A2AClientOptions, Script]>([
    [
      'polls',
      { polling: { initialDelayMs: 3_600_000 } },
      (_request, response) => json(response, { task: taskOf(TaskState.WORKING) }),
    ],
    ['polls over HTTP of somebody else', { http: new RecordingHttp() }, () => undefined],
  ])('ends what %s when it is closed', async (_name, options, script) => {
    let asked = (): void => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    const { root, url } = await setup((request, response) => {
      asked();
      return script(request, response);
    }, options);
    const client = root.at(cardOf(url, { capabilities: {} }));
    const reading = caught(client.sendMessageStream({ message }).result());
    await begun;
    await root.close();
    expect(await reading).toMatchObject({ code: 'CLOSED' });
  });

  const send = (client: A2AClient) => client.sendMessageStream({ message })[Symbol.asyncIterator]();
  it.each<[string, Partial<AgentCard>, typeof send]>([
    ['stream', {}, send],
    ['poll', { capabilities: {} }, send],
    ['conversation', {}, (client) => client.chat().stream('hi')],
  ])('lets a reader leave a %s while it waits for an event', async (_name, card, start) => {
    const { url, root, server } = await setup(
      (request, response) =>
        request.url === '/message:stream'
          ? streamed(response, { task: taskOf(TaskState.WORKING) })
          : json(response, { task: taskOf(TaskState.WORKING) }),
      { polling: { initialDelayMs: 3_600_000 } },
    );
    const events = start(root.at(cardOf(url, card)));
    expect(await events.next()).toMatchObject({ done: false });
    const waiting = events.next();
    expect(await events.return()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(pathsOf(server)).toHaveLength(1);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const { client } = await setup((_request, response) => json(response, taskOf(TaskState.COMPLETED)));
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    for (let count = 0; count < 3; count += 1) await client.getTask('t', { signal });
    await client.waitForTask('t', { signal });
    expect(listeners).toBe(0);
  });
});

describe('An agent whose card has changed', () => {
  const moved: Script = (request, response) => {
    const { host } = request.headers;
    if (request.url === '/.well-known/agent-card.json') {
      cards += 1;
      return json(response, cardOf(`http://${host}/v${Math.min(cards, 2)}`));
    }
    if (request.url?.startsWith('/v1/'))
      return json(
        response,
        { error: { code: 404, status: 'NOT_FOUND', message: 'gone', details: [{ reason: 'METHOD_NOT_FOUND' }] } },
        404,
      );
    if (request.url?.endsWith(':stream')) {
      streamed(response, { task: taskOf(TaskState.COMPLETED, 'a') });
      return response.end();
    }
    return json(response, { task: taskOf(TaskState.COMPLETED, 'a') });
  };
  let cards = 0;
  afterEach(() => {
    cards = 0;
  });

  it.each<[string, (client: A2AClient) => Promise<unknown>]>([
    ['a call', (client) => client.sendMessage({ message })],
    ['a stream', (client) => client.sendMessageStream({ message }).result()],
  ])('is found again at %s', async (_name, call) => {
    const { root, url, server } = await setup(moved);
    const client = await root.connect(url);
    expect(await call(client)).toEqual({ task: taskOf(TaskState.COMPLETED, 'a') });
    expect((await client.agent()).interface?.url).toBe(`${url}/v2`);
    expect(pathsOf(server).filter((path) => path.includes('/v1/'))).toHaveLength(1);
  });

  it('says why it refused a call, also when its card cannot be had', async () => {
    const { root, url } = await setup((request, response) =>
      cards === 0 ? moved(request, response) : response.writeHead(request.url?.startsWith('/v1') ? 404 : 500).end(),
    );
    const client = await root.connect(url);
    expect(await caught(client.getTask('t'))).toMatchObject({ code: 'METHOD_NOT_FOUND' });
  });

  it('is asked for its card once when that does not help', async () => {
    cards = 1;
    const { root, url } = await setup((request, response) =>
      request.url?.startsWith('/.well-known') ? moved(request, response) : response.writeHead(404).end(),
    );
    const client = await root.connect(url);
    for (let count = 0; count < 3; count += 1) {
      expect(await caught(client.getTask('t'))).toMatchObject({ code: 'METHOD_NOT_FOUND' });
    }
    expect(cards).toBe(3);
  });
});
