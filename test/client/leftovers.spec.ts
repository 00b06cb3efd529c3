import { createServer as createTcpServer } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { A2AClient, BearerCredential, userMessage, type A2AClientOptions } from 'nestjs-a2a/client';
import { TaskState, type AgentCard } from 'nestjs-a2a/protocol';
import { portOf } from '../net/canary.js';
import { startServer } from '../net/scripted-server.js';
import { taskOf } from './scripted-transport.js';

const SETTLE_MS = 5_000;
const message = userMessage('hi');

const cardOf = (url: string): AgentCard => ({
  name: 'Scripted',
  description: '',
  version: '1',
  supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
});

const begun = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ task: taskOf(TaskState.WORKING) })}\n\n`);
  return response;
};

/** How an agent fails, by the first part of the path. */
const FAILING: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
  silent: () => undefined,
  gone: (_request, response) => response.destroy(),
  half: (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('{'),
  cut: (_request, response) => setImmediate(() => begun(response).destroy()),
  stalled: (_request, response) => begun(response),
  closing: (_request, response) => begun(response).end(),
  garbled: (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {\n\n'),
  'no-json': (_request, response) => response.end('<html>'),
  large: (_request, response) => response.end('x'.repeat(10_000)),
  broken: (_request, response) => response.writeHead(500).end('broken'),
  busy: (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end('busy'),
  refused: (_request, response) => response.writeHead(401).end(),
  moved: (_request, response) => response.writeHead(302, { location: '/silent' }).end(),
};

/** What keeps the process alive beyond what did so before; Jest has things of its own, which come to an end meanwhile. */
const aliveBeyond = (before: readonly string[]): string[] => {
  const left = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return String(error);
  return 'code' in error ? String(error.code) : 'message' in error ? String(error.message) : String(error);
};

it('Failures of all kinds leave nothing behind: no socket, no timer, no rejection', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const before = process.getActiveResourcesInfo();
  const server = await startServer((request, response) =>
    FAILING[request.url?.split('/')[1] ?? '']?.(request, response),
  );
  const mute = createTcpServer((socket) => socket.resume().on('error', () => undefined));
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const options: A2AClientOptions = {
    network: 'any',
    limits: { maxAnswerBytes: 1000 },
    retry: { attempts: 2, initialDelayMs: 1, maxDelayMs: 2 },
    polling: { initialDelayMs: 1, maxDelayMs: 2 },
    credentials: new BearerCredential(async () => 'token'),
  };
  const patient = new A2AClient(options);
  const hasty = new A2AClient({
    ...options,
    connectTimeoutMs: 50,
    limits: { totalTimeoutMs: 200, headersTimeoutMs: 50, idleTimeoutMs: 50 },
  });
  const base = `127.0.0.1:${server.port}`;
  const urls = [
    ...Object.keys(FAILING).map((kind) => `http://${base}/${kind}`),
    `https://${base}/`,
    `https://127.0.0.1:${portOf(mute)}/mute`,
    'http://127.0.0.1:1/',
    'http://nowhere.invalid/',
  ];
  const calls = urls.flatMap((url) => {
    // What never ends by itself needs limits; what does would run into them on a busy machine.
    const root = /silent|half|stalled|mute/.test(url) ? hasty : patient;
    const client = root.at(cardOf(url));
    const stop = new AbortController();
    const stopped = client.sendMessageStream({ message }, { signal: stop.signal }).result();
    setImmediate(() => stop.abort(new Error('enough')));
    const left = client.sendMessageStream({ message })[Symbol.asyncIterator]();
    return [
      client.getTask('t'),
      client.sendMessage({ message }),
      client.sendMessageStream({ message }).result(),
      client.subscribeToTask('t').result(),
      client.waitForTask('t'),
      root.connect(url),
      stopped,
      left.next().finally(() => left.return()),
    ];
  });
  const outcomes = await Promise.allSettled(calls);
  const codes = new Set(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'none' : codeOf(outcome.reason))));
  const expected = ['none', 'enough', 'TIMEOUT', 'CONNECT_FAILED', 'TLS_FAILED', 'DNS_FAILED', 'ANSWER_TOO_LARGE'];
  expect([...codes]).toEqual(
    expect.arrayContaining([...expected, 'INVALID_ANSWER', 'DISCOVERY_FAILED', 'UNAVAILABLE']),
  );
  await hasty.close();
  await patient.close();
  await server.close();
  await new Promise((resolve) => mute.close(resolve));
  const end = performance.now() + SETTLE_MS;
  while (performance.now() < end && aliveBeyond(before).length > 0) await turn();
  expect(aliveBeyond(before)).toEqual([]);
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});
