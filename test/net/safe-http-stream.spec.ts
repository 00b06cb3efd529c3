import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AddressPolicy,
  ForbiddenTargetError,
  SafeHttpClient,
  SafeHttpError,
  type SafeHttpClientOptions,
  type SafeStream,
  type SafeStreamRequest,
} from 'nestjs-a2a/net';
import { caught } from '../support/caught.js';
import { startServer, type ScriptedServer } from './scripted-server.js';

const policy = new AddressPolicy({ hosts: ['127.0.0.1'], allowHttp: true });
const endings: (() => Promise<unknown>)[] = [];
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
process.on('unhandledRejection', onUnhandled);

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

const serve = async (script: (response: ServerResponse) => unknown): Promise<ScriptedServer> => {
  const server = await startServer((_request, response) => script(response));
  endings.push(() => server.close());
  return server;
};
const clientOf = (options: Partial<SafeHttpClientOptions> = {}): SafeHttpClient => {
  const client = new SafeHttpClient({ policy, ...options });
  endings.push(() => client.close());
  return client;
};
const at = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}/`;

async function textOf({ chunks }: SafeStream): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}
const codeOf = async (action: Promise<unknown>): Promise<string> => {
  const error = await caught(action);
  return error instanceof SafeHttpError ? error.code : error.message;
};
/** Sends headers and a first byte, and then nothing. */
const begin = (response: ServerResponse): unknown => response.writeHead(200).write('a');

describe('SafeHttpClient.open', () => {
  it('hands out a body bit by bit, and keeps the connection', async () => {
    const responses: ServerResponse[] = [];
    const server = await serve((response) => {
      responses.push(response);
      response.writeHead(202, { 'x-one': 'a' }).write('one');
    });
    const client = clientOf();
    const stream = await client.open(at(server), { method: 'POST', body: '{}' });
    expect(stream).toMatchObject({ status: 202, headers: { 'x-one': 'a' } });
    const chunks = stream.chunks[Symbol.asyncIterator]();
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('one');
    responses[0]?.end('two');
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('two');
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
    await new Promise((resolve) => setImmediate(resolve));
    const second = await client.open(at(server));
    responses[1]?.end();
    expect(await textOf(second)).toBe('one');
    expect(server.connections).toHaveLength(1);
  });

  it('waits for no limit that is not set', async () => {
    const server = await serve((response) => setTimeout(() => response.end('late'), 60));
    const client = clientOf({ totalTimeoutMs: 20, headersTimeoutMs: 20 });
    const stream = await client.open(at(server), { headersTimeoutMs: 0, idleTimeoutMs: 0 });
    expect(await textOf(stream)).toBe('late');
  });

  it('does not count what has come while the process was busy as silence', async () => {
    const responses: ServerResponse[] = [];
    const server = await serve((response) => responses.push(response) && begin(response));
    const stream = await clientOf().open(at(server), { idleTimeoutMs: 20 });
    const chunks = stream.chunks[Symbol.asyncIterator]();
    await chunks.next();
    const next = chunks.next();
    responses[0]?.write('b');
    const busyUntil = performance.now() + 40;
    while (performance.now() < busyUntil);
    expect(Buffer.from((await next).value ?? []).toString()).toBe('b');
  });

  it('does not count a reader that takes its time as silence', async () => {
    const server = await serve((response) => response.end('x'.repeat(4_000_000)));
    const stream = await clientOf().open(at(server), { idleTimeoutMs: 40 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await textOf(stream)).length).toBe(4_000_000);
  });

  it.each<[string, (response: ServerResponse) => unknown, object, string]>([
    ['no headers', () => undefined, { headersTimeoutMs: 20 }, 'TIMEOUT'],
    ['no headers in all its time', () => undefined, { totalTimeoutMs: 20 }, 'TIMEOUT'],
    ['a broken connection', (response) => response.destroy(), {}, 'CONNECT_FAILED'],
  ])('fails at %s', async (_name, script, request, code) => {
    const server = await serve(script);
    expect(await codeOf(clientOf().open(at(server), request))).toBe(code);
  });

  it.each<[string, (response: ServerResponse) => unknown, SafeStreamRequest, string]>([
    ['silence', begin, { idleTimeoutMs: 20 }, 'STALLED'],
    [
      'a broken connection',
      (response) => response.writeHead(200).write('a', () => response.destroy()),
      {},
      'CONNECT_FAILED',
    ],
    [
      'less than was promised',
      (response) => response.writeHead(200, { 'content-length': '9' }).write('a', () => response.destroy()),
      {},
      'CONNECT_FAILED',
    ],
  ])('breaks off at %s', async (_name, script, request, code) => {
    const server = await serve(script);
    const stream = await clientOf().open(at(server), request);
    expect(await codeOf(textOf(stream))).toBe(code);
  });

  it.each<[string, (milliseconds: number) => SafeStreamRequest, string]>([
    ['the end of its time', (milliseconds) => ({ totalTimeoutMs: milliseconds }), 'TIMEOUT'],
    [
      'the signal of its caller',
      (milliseconds) => ({ signal: AbortSignal.timeout(milliseconds) }),
      'The operation was aborted due to timeout',
    ],
  ])('breaks off at %s', async (_name, within, code) => {
    const server = await serve(begin);
    const client = clientOf();
    let stream: SafeStream | undefined;
    // Where the headers themselves come too late, it was not the stream that broke.
    for (let milliseconds = 20; stream === undefined; milliseconds *= 2) {
      stream = await client.open(at(server), within(milliseconds)).catch(() => undefined);
    }
    expect(await codeOf(textOf(stream))).toBe(code);
  });

  it.each<[string, (stream: SafeStream) => unknown]>([
    ['closed', (stream) => stream.close()],
    ['closed twice', (stream) => [stream.close(), stream.close()]],
    [
      'left',
      async ({ chunks }) => {
        for await (const chunk of chunks) if (chunk.byteLength > 0) break;
      },
    ],
  ])('ends its connection when it is %s', async (_name, leave) => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await serve((response) => {
      closed = once(response, 'close');
      begin(response);
    });
    const stream = await clientOf().open(at(server));
    await leave(stream);
    await closed;
    expect(await textOf(stream).catch(() => 'over')).toMatch(/^(over|)$/);
  });

  it('ends with its client, before and after the headers', async () => {
    const server = await serve(begin);
    const silent = await serve(() => undefined);
    const client = clientOf();
    const stream = await client.open(at(server));
    const waiting = codeOf(client.open(at(silent)));
    const reading = codeOf(textOf(stream));
    await client.close();
    expect(await Promise.all([waiting, reading])).toEqual(['CLOSED', 'CLOSED']);
    expect(await codeOf(client.open(at(server)))).toBe('CLOSED');
  });

  it('reaches nothing that is not allowed', async () => {
    const server = await serve(begin);
    const client = clientOf({ policy: new AddressPolicy() });
    expect(await caught(client.open(at(server)))).toBeInstanceOf(ForbiddenTargetError);
    expect(await caught(client.open('nothing'))).toBeInstanceOf(ForbiddenTargetError);
    expect(server.connections).toEqual([]);
  });

  it('leaves nothing behind', async () => {
    const server = await serve((response) => response.end('done'));
    const client = clientOf();
    for (let count = 0; count < 3; count += 1) {
      await textOf(await client.open(at(server), { totalTimeoutMs: 60_000, signal: new AbortController().signal }));
      (await client.open(at(server))).close();
    }
    expect(Reflect.get(client, 'running').size).toBe(0);
    const pools: Map<string, { users: number }> = Reflect.get(Reflect.get(client, 'pools'), 'entries');
    expect([...pools.values()].map(({ users }) => users)).toEqual([0]);
  });
});
