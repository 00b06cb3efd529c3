import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  A2ADiagnostics,
  AgentExecutor,
  type A2AGauges,
  type A2AModuleExtras,
  type A2AModuleOptions,
  type AgentEmitter,
  type RequestContext,
} from 'nestjs-a2a';
import { asUser, hurried, JSON_RPC_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, jsonOf, send, textAt, type Answer } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { settledHeap } from './heap-census.js';
import { ReaderCrowd } from './reader-crowd.js';
import { PATIENCE_MS, scaled } from './scale.js';

const signals = new EventEmitter().setMaxListeners(0);

/** Works until everybody is let go; `quick` is done at once. */
class HeldExecutor extends AgentExecutor {
  override async execute({ text, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.working();
    if (text !== 'quick') await once(signals, 'go', { signal });
    await emitter.complete();
  }
}

let running: RunningApp;
let letGo: NodeJS.Timeout | undefined;

const live = (): A2AGauges => running.app.get(A2ADiagnostics, { strict: false }).gauges();

async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Lets all who work end, and those who wait for their slots after them, until nothing runs. */
async function letAllGo(): Promise<void> {
  letGo = setInterval(() => signals.emit('go'), 5);
  await until(() => live().runsLive === 0);
  clearInterval(letGo);
}

function reasonOf({ body }: Answer): unknown {
  return at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');
}

async function totalOf(headers = {}): Promise<unknown> {
  return at((await send(running.url, rest('GET', '/tasks?pageSize=1', undefined, headers))).body, 'totalSize');
}

afterEach(async () => {
  clearInterval(letGo);
  await running.close();
});

describe.each(ADAPTERS)('a crowd on %s', (adapter) => {
  const begin = async (options: A2AModuleOptions & A2AModuleExtras): Promise<void> => {
    running = await start(adapter, probeModule({ executor: HeldExecutor, shutdownTimeoutSeconds: 0.1, ...options }));
  };

  it('that is too large is told to come again, and nothing is created for it', async () => {
    await begin({ executorMaxSize: 3, executorQueueCapacity: 4, taskCreationDelayMs: 0 });
    const calls = Array.from({ length: 60 }, (_, index) =>
      [
        rpc('SendMessage', hurried('wait')),
        rest('POST', '/message:send', hurried('wait')),
        rest('POST', '/message:stream', message('wait')),
        rpc('SendStreamingMessage', message('wait')),
      ].at(index % 2 === 0 ? 0 : index % 4),
    );
    // The first seven take the slots and the places in the queue.
    const [accepted, refused] = [calls.slice(0, 14).filter((_, index) => index % 2 === 0), calls.slice(14)];
    for (const call of accepted) expect((await send(running.url, call ?? rpc('', {}))).status).toBe(200);
    expect(live()).toMatchObject({ runsRunning: 3, runsQueued: 4 });
    const answers = await Promise.all(refused.map((call) => send(running.url, call ?? rpc('', {}))));
    for (const answer of answers) {
      expect([answer.status, reasonOf(answer)]).toEqual([503, 'UNAVAILABLE']);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    expect(await totalOf()).toBe(7);
    expect(live()).toMatchObject({ runsLive: 7, sessions: 7, openStreams: 0, readers: 0 });
    await letAllGo();
    expect((await send(running.url, rpc('SendMessage', message('quick')))).status).toBe(200);
    expect(await totalOf()).toBe(8);
  });

  it('of one caller’s leaves slots to the others', async () => {
    await begin({ guards: [BelievingGuard], executorMaxSize: 4, maxRunsPerOwner: 2, taskCreationDelayMs: 0 });
    for (let n = 0; n < 10; n++) await send(running.url, { ...rpc('SendMessage', hurried('wait'), asUser('greedy')) });
    expect(live()).toMatchObject({ runsRunning: 2, runsQueued: 8 });
    const modest = await send(running.url, rpc('SendMessage', message('quick'), asUser('modest')));
    expect(at(modest.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
    await letAllGo();
    expect(await totalOf(asUser('greedy'))).toBe(10);
  });

  it('of one caller’s tasks is limited, and only for that caller', async () => {
    await begin({ guards: [BelievingGuard], maxTasksPerOwner: 3 });
    const sendAs = (name: string): Promise<Answer> =>
      send(running.url, rpc('SendMessage', message('quick'), asUser(name)));
    const answers: Answer[] = [];
    for (let n = 0; n < 5; n++) answers.push(await sendAs('greedy'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.slice(3).map(reasonOf)).toEqual(['RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED']);
    expect((await sendAs('modest')).status).toBe(200);
    expect(await totalOf(asUser('greedy'))).toBe(3);
  });

  it(
    'of callers who send their bodies slowly, or never, holds nobody up',
    async () => {
      await begin({});
      const server: Server = running.app.getHttpServer();
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message('quick') });
      const sockets = await Promise.all(Array.from({ length: scaled(80, 2_000) }, () => slowCaller(running.url, body)));
      // Half of them go on byte by byte, the others have nothing more to say.
      const dripping = sockets.slice(0, 10);
      const answers = dripping.map(answerOn);
      for (const byte of body.slice(10)) {
        for (const socket of dripping) socket.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const text of await Promise.all(answers)) {
        expect(at(jsonOf(text.slice(text.indexOf('\r\n\r\n'))), 'result.task.status.state')).toBe(
          'TASK_STATE_COMPLETED',
        );
      }
      const others = await Promise.all(
        Array.from({ length: 20 }, () => send(running.url, rpc('SendMessage', message('quick')))),
      );
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
      expect(live().runsLive).toBe(0);
      if (scaled(false, true)) {
        // Those who say nothing are told so after a while.
        expect(await answerOn(sockets[20])).toMatch(/^HTTP\/1\.1 \d{3} [^]*did not arrive in time/);
      }
      for (const socket of sockets) socket.destroy();
      await until(async () => (await connectionsOf(server)) === 0);
    },
    PATIENCE_MS,
  );

  it('of bytes in pieces of one holds little more memory than the bytes', async () => {
    await begin({});
    const pieces = 200_000;
    const before = await settledHeap();
    const server: Server = running.app.getHttpServer();
    const connecting = once(server, 'connection');
    const socket = chunkedCaller(running.url);
    const [accepted] = await connecting;
    // Each piece is six bytes on the wire, behind the head.
    socket.write('1\r\n \r\n'.repeat(pieces));
    await until(() => accepted.bytesRead > pieces * 6);
    const held = (await settledHeap()) - before;
    socket.destroy();
    await until(async () => (await connectionsOf(server)) === 0);
    expect(held).toBeLessThan(10 * pieces);
  });

  it(
    'of subscribers with nothing to read costs little, and is gone when it leaves',
    async () => {
      const readers = scaled(250, 10_000);
      await begin({ maxSubscribersPerTask: readers, heartbeatIntervalSeconds: 1, taskCreationDelayMs: 0 });
      const { body } = await send(running.url, rpc('SendMessage', hurried('wait')));
      const id = textAt(body, 'result.task.id');
      const before = await settledHeap();
      const crowd = await ReaderCrowd.open(running.url, id, readers, 0);
      const each = ((await settledHeap()) - before) / readers;
      process.stdout.write(`${adapter}: ${readers} idle subscriptions, ${(each / 1024).toFixed(1)} KiB of heap each\n`);
      expect(live()).toMatchObject({ openStreams: readers, readers, busSubscribers: readers });
      expect((await send(running.url, rpc('SubscribeToTask', { id }))).status).toBe(429);
      expect((await send(running.url, rpc('SendMessage', message('quick')))).status).toBe(200);
      // Half an hour's worth of quiet is no use: one event reaches all of them, and ends them.
      const reports = crowd.reports();
      await letAllGo();
      expect((await reports).filter(({ clean, last }) => !clean || last !== 3)).toEqual([]);
      await until(() => live().openStreams === 0);
      expect(live()).toMatchObject({ readers: 0, busSubscribers: 0, sessions: 0 });
      const server: Server = running.app.getHttpServer();
      await until(async () => (await connectionsOf(server)) === 0);
    },
    PATIENCE_MS,
  );
});

/** Opens a connection, and sends the head of a call and the first ten bytes of its body. */
async function slowCaller(url: string, body: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    `POST ${JSON_RPC_PATH} HTTP/1.1`,
    `host: ${hostname}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
  return socket;
}

/** Opens a connection for a body without a length. */
function chunkedCaller(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${JSON_RPC_PATH} HTTP/1.1\r\nhost: ${hostname}\r\n` +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  return socket;
}

async function answerOn(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
