import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module, VersioningType } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { mountedPaths } from '../../src/http/host/mounted-routes.js';
import { call, exchange } from './host-client.js';
import type { Answer, Call } from './host-client.js';
import { ADAPTERS, HostController, TestRoute, WatchingGuard, adapterOf, agentModule, listen } from './host-app.js';

@Module({ controllers: [HostController] })
class HostModule {}

const A2A = 'application/a2a+json';
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(ADAPTERS)('request intake on %s', (name) => {
  const route = new TestRoute();
  const other = new TestRoute();
  let app: INestApplication;
  let bare: INestApplication;
  let url: string;
  let port: number;
  let bareUrl: string;

  beforeAll(async () => {
    @Module({ imports: [agentModule('agent', route), agentModule('other', other), HostModule] })
    class AppModule {}
    app = await NestFactory.create(AppModule, adapterOf(name), { logger: false });
    app.enableCors({ methods: ['GET', 'POST', 'DELETE'] });
    ({ url, port } = await listen(app));
    bare = await NestFactory.create(HostModule, adapterOf(name), { logger: false });
    bare.enableCors({ methods: ['GET', 'POST', 'DELETE'] });
    ({ url: bareUrl } = await listen(bare));
  });
  afterAll(async () => {
    await app.close();
    await bare.close();
  });

  const rpc = (options: Call = {}): Promise<Answer> => call(`${url}/agent/rpc`, options);
  const bodyOf = async (options: Call): Promise<unknown> => JSON.parse((await rpc(options)).text).body;

  it.each([
    ['an object', '{"a":1}', JSON_TYPE],
    ['malformed JSON', '{"a":', JSON_TYPE],
    ['a scalar', '42', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['__proto__', '{"__proto__":{"x":1}}', JSON_TYPE],
    ['a charset', '{}', { 'content-type': 'application/json; charset=utf-8' }],
    ['the A2A type', '{}', { 'content-type': A2A }],
    ['no type', '{}', {}],
    ['a bad type', '{}', { 'content-type': 'nonsense' }],
    ['plain text', 'hello', { 'content-type': 'text/plain' }],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['multipart', '--b\r\n\r\n--b--', { 'content-type': 'multipart/form-data; boundary=b' }],
    ['multi-byte text', '{"a":"grüße 👋"}', JSON_TYPE],
  ])('gives %s as it was sent, with a length and chunked', async (_what, body, headers: Record<string, string>) => {
    for (const chunked of [false, true]) {
      const answer = await rpc({ body, headers, chunked });
      expect(answer.status).toBe(200);
      const intake = JSON.parse(answer.text);
      expect(intake.body).toEqual({ kind: 'text', text: body, bytes: Buffer.byteLength(body) });
      expect(intake.contentType).toBe(headers['content-type']);
      expect(intake.target).toBe('call');
      expect(answer.headers['content-type']).toBe(A2A);
    }
  });

  it('tells that there is no body', async () => {
    expect(await bodyOf({})).toEqual({ kind: 'none' });
    expect(await bodyOf({ body: '', headers: JSON_TYPE })).toEqual({ kind: 'none' });
    expect(await bodyOf({ body: '', headers: JSON_TYPE, chunked: true })).toEqual({ kind: 'none' });
  });

  it.each([
    ['gzip', gzipSync('{"z":1}')],
    ['deflate', deflateSync('{"z":1}')],
    ['br', brotliCompressSync('{"z":1}')],
  ])('decompresses %s', async (encoding, body) => {
    const headers = { ...JSON_TYPE, 'content-encoding': encoding };
    expect(await bodyOf({ body, headers })).toEqual({ kind: 'text', text: '{"z":1}', bytes: 7 });
  });

  it('tells broken compression, unknown encodings, bad UTF-8; strips a byte order mark', async () => {
    const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(await bodyOf({ body: 'not gzip', headers: gzip })).toEqual({ kind: 'malformed' });
    expect(await bodyOf({ body: gzipSync('{"z":1}').subarray(0, 15), headers: gzip })).toEqual({ kind: 'malformed' });
    const zstd = { ...JSON_TYPE, 'content-encoding': 'zstd' };
    expect(await bodyOf({ body: 'x', headers: zstd })).toEqual({ kind: 'unsupported-encoding', encoding: 'zstd' });
    expect(await bodyOf({ body: Buffer.from([0x22, 0xff, 0x22]), headers: JSON_TYPE })).toEqual({ kind: 'malformed' });
    expect(await bodyOf({ body: '\ufeff{}', headers: JSON_TYPE })).toEqual({ kind: 'text', text: '{}', bytes: 5 });
  });

  it.each([1_001, 100_000, 3_000_000, 11_000_000])('lets the client see 413 to %d bytes', async (size) => {
    for (const chunked of [false, true]) {
      const answer = await rpc({ body: Buffer.alloc(size, 'x'), headers: JSON_TYPE, chunked });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text).body).toEqual({ kind: 'too-large', limit: 1_000 });
      expect(answer.headers.connection).toBe('close');
    }
  });

  it('counts a compressed body decompressed', async () => {
    const body = gzipSync(Buffer.alloc(50_000_000, 'x'));
    const answer = await rpc({ body, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(413);
  });

  it('answers at once when the length alone is too much', async () => {
    const head = `POST /agent/rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n`;
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/i);
  });

  it('reads a body that waits for 100 Continue', async () => {
    const answer = await rpc({ body: '{"e":1}', headers: { ...JSON_TYPE, expect: '100-continue' } });
    expect(JSON.parse(answer.text).body.text).toBe('{"e":1}');
  });

  it('keeps a connection alive over many calls', async () => {
    const one = 'POST /agent/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    const last = 'POST /agent/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';
    expect((await exchange(port, one + one + last)).match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  it('lets a denial come before any fault of the body', async () => {
    const cases: Call[] = [{ body: '{"a":' }, { body: Buffer.from([0xff]) }, { body: Buffer.alloc(2_000_000, 'x') }];
    for (const options of cases) {
      const answer = await rpc({ ...options, headers: { ...JSON_TYPE, 'x-deny': '1' } });
      expect(answer.status).toBe(401);
    }
  });

  it('shows guards the headers as they were sent', async () => {
    const body = gzipSync('{}');
    await rpc({ body, headers: { 'content-type': A2A, 'content-encoding': 'gzip' } });
    expect(WatchingGuard.seen).toMatchObject({
      'content-type': A2A,
      'content-encoding': 'gzip',
      'content-length': String(body.length),
    });
    await rpc({ body, chunked: true, headers: { 'content-type': A2A } });
    expect(WatchingGuard.seen).toMatchObject({ 'content-type': A2A, 'transfer-encoding': 'chunked' });
    expect(WatchingGuard.seen['content-length']).toBeUndefined();
  });

  it('answers 404, 405 and OPTIONS before the guards, with CORS', async () => {
    const headers = { 'x-deny': '1', origin: 'http://web.test' };
    const missing = await call(`${url}/agent/tasks/none`, { method: 'GET', headers });
    expect([missing.status, missing.text]).toEqual([404, '{"refused":404}']);
    const wrong = await rpc({ method: 'PUT', headers, body: '{"a":1}' });
    expect([wrong.status, wrong.headers.allow, wrong.text]).toEqual([405, 'POST', '{"refused":405}']);
    expect(wrong.headers['access-control-allow-origin']).toBe('*');
    const large = await rpc({ method: 'PUT', headers, body: Buffer.alloc(5_000_000), chunked: true });
    expect(large.status).toBe(405);
    const preflight = { ...headers, 'access-control-request-method': 'POST' };
    const options = await rpc({ method: 'OPTIONS', headers: preflight });
    expect([options.status, options.headers['access-control-allow-methods']?.replaceAll(' ', '')]).toEqual([
      204,
      'GET,POST,DELETE',
    ]);
  });

  it('takes a trailing slash, a query, HEAD and DELETE with and without a body', async () => {
    const slash = await call(`${url}/agent/rpc/?x=1`, { body: '{}' });
    expect(JSON.parse(slash.text)).toMatchObject({ target: 'call', rawUrl: '/agent/rpc/?x=1', body: { text: '{}' } });
    const get = await call(`${url}/agent/tasks/t1?x=%2F`, { method: 'GET' });
    const head = await call(`${url}/agent/tasks/t1?x=%2F`, { method: 'HEAD' });
    expect(JSON.parse(get.text)).toMatchObject({ target: 'task t1', method: 'GET', body: { kind: 'none' } });
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', A2A]);
    expect(Number(head.headers['content-length'])).toBe(get.text.length + 1);
    const twin = await call(`${url}/agent/tasks/t1/`, { method: 'HEAD' });
    expect(twin.status).toBe(200);
    for (const method of ['GET', 'DELETE']) {
      const withBody = await call(`${url}/agent/tasks/t1`, { method, body: '{"b":1}', headers: JSON_TYPE });
      expect(JSON.parse(withBody.text)).toMatchObject({ method, body: { kind: 'text', text: '{"b":1}' } });
    }
    const bare = await call(`${url}/agent/tasks/t1`, { method: 'DELETE' });
    expect(JSON.parse(bare.text)).toMatchObject({ method: 'DELETE', body: { kind: 'none' } });
  });

  it('keeps the two agents apart', async () => {
    expect(mountedPaths(app.get(HttpAdapterHost), route)).toContain('/agent/tasks/:taskRef');
    expect(mountedPaths(app.get(HttpAdapterHost), other)).toEqual([
      '/other/rpc',
      '/other/message:verb',
      '/other/stream',
      '/other/tasks',
      '/other/tasks/:taskRef',
    ]);
    const answer = await call(`${url}/other/rpc`, { body: '{}' });
    expect(JSON.parse(answer.text).body.text).toBe('{}');
  });

  it('leaves host routes as they are in an app without it', async () => {
    const cases: [string, Call][] = [
      ['/host/echo', { body: '{"a":1}', headers: JSON_TYPE }],
      ['/host/echo', { body: '{"a":', headers: JSON_TYPE }],
      ['/host/echo', { body: '{}', headers: { 'content-type': A2A } }],
      ['/host/echo', { body: JSON.stringify('x'.repeat(200_000)), headers: JSON_TYPE }],
      ['/host/echo', {}],
      ['/host/7', { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      ['/host/echo', { method: 'PUT' }],
      ['/host/page', { method: 'HEAD' }],
      ['/host/page/', { method: 'GET' }],
      ['/agent/x/late', { body: '{"a":1}', headers: JSON_TYPE }],
      ['/unknown', { body: '{', headers: JSON_TYPE }],
      ['/host/%ZZ', { method: 'GET' }],
    ];
    const seen = async (base: string, [path, options]: [string, Call]): Promise<unknown> => {
      const { status, text, headers } = await call(base + path, options).catch(() => ({
        status: 0,
        text: '',
        headers: {},
      }));
      return { status, text, type: 'content-type' in headers ? headers['content-type'] : undefined };
    };
    for (const entry of cases) expect(await seen(url, entry)).toEqual(await seen(bareUrl, entry));
  });

  it('breaks off a client that goes on sending after its answer', async () => {
    const net = await import('node:net');
    const socket = net.connect(port, '127.0.0.1');
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    let answer = '';
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const send = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
    socket.on('error', () => undefined).on('drain', send);
    socket.write('POST /agent/rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    send();
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*"too-large"/);
    expect(socket.bytesWritten).toBeLessThan(30_000_000);
  });

  it('survives a client that leaves in the middle of the body', async () => {
    const net = await import('node:net');
    await new Promise<void>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write('POST /agent/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"a"', () => {
          socket.destroy();
          resolve();
        });
      });
    });
    expect((await rpc({ body: '{}' })).status).toBe(200);
  });
});

describe.each(ADAPTERS)('where routes are mounted on %s', (name) => {
  it('finds them under a prefix and a version', async () => {
    const route = new TestRoute();
    @Module({ imports: [agentModule('agent', route, undefined, '2')] })
    class AppModule {}
    const app: INestApplication = await NestFactory.create(AppModule, adapterOf(name), { logger: false });
    app.setGlobalPrefix('api');
    app.enableVersioning({ type: VersioningType.URI });
    const { url } = await listen(app);
    expect(mountedPaths(app.get(HttpAdapterHost), route)).toContain('/api/v2/agent/tasks/:taskRef');
    const answer = await call(`${url}/api/v2/agent/rpc`, { body: '{"v":2}', headers: JSON_TYPE });
    expect(JSON.parse(answer.text).body.text).toBe('{"v":2}');
    await app.close();
  });

  it('keeps header versions apart', async () => {
    const [one, two] = [new TestRoute(), new TestRoute()];
    two.settings.raise(2_000);
    @Module({ imports: [agentModule('agent', one, undefined, '1'), agentModule('agent', two, undefined, '2')] })
    class AppModule {}
    const app: INestApplication = await NestFactory.create(AppModule, adapterOf(name), { logger: false });
    app.enableVersioning({ type: VersioningType.HEADER, header: 'x-v' });
    const { url } = await listen(app);
    const body = JSON.stringify('x'.repeat(500));
    for (const version of ['1', '2']) {
      const answer = await call(`${url}/agent/rpc`, { body, headers: { ...JSON_TYPE, 'x-v': version } });
      expect([answer.status, JSON.parse(answer.text).body.text]).toEqual([200, body]);
    }
    await app.close();
  });

  it('keeps the async context of what ran before the body was read', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const route = new TestRoute();
    @Module({ imports: [agentModule('agent', route)] })
    class AppModule {}
    const app: INestApplication = await NestFactory.create(AppModule, adapterOf(name), { logger: false });
    app.use((_request: object, _response: object, next: () => void) => storage.run('mine', next));
    app.useGlobalGuards({ canActivate: () => seen.push(storage.getStore()) > 0 });
    const { url } = await listen(app);
    await call(`${url}/agent/rpc`, { body: '{}', headers: JSON_TYPE });
    await call(`${url}/agent/rpc`, { body: gzipSync('{}'), headers: { 'content-encoding': 'gzip' }, chunked: true });
    expect(seen).toEqual(['mine', 'mine']);
    await app.close();
  });

  it('is installed when the adapter comes later, and never without one', async () => {
    const route = new TestRoute();
    const testing = await Test.createTestingModule({ imports: [agentModule('agent', route)] }).compile();
    const app: INestApplication = testing.createNestApplication(adapterOf(name), { logger: false });
    const { url } = await listen(app);
    const answer = await call(`${url}/agent/rpc`, { body: '{"t":1}', headers: JSON_TYPE });
    expect(JSON.parse(answer.text).body.text).toBe('{"t":1}');
    await app.close();
    const context = await NestFactory.createApplicationContext(agentModule('agent', route), { logger: false });
    await context.close();
  });
});
