import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { readBody } from './body-reader.js';
import type { RequestBody } from './http-intake.js';

type Headers = Record<string, string>;

const incoming = (headers: Headers = { 'transfer-encoding': 'chunked' }) =>
  Object.assign(new PassThrough(), { headers, httpVersionMajor: 1 });
type Incoming = ReturnType<typeof incoming>;

function reading(
  request: Incoming,
  limit = 1_000_000,
  idleMs?: number,
): Promise<{ body: RequestBody; consumed: boolean }> {
  return new Promise((resolve) => {
    readBody(request, request, { limit, idleMs, done: (body, consumed) => resolve({ body, consumed }) });
  });
}

const listeners = (request: Incoming): number =>
  ['data', 'end', 'close'].reduce((sum, name) => sum + request.listenerCount(name), 0);

describe('readBody', () => {
  it.each([1, 2, 3, 5, 1_000])('puts text together from pieces of %d bytes', async (size) => {
    const text = JSON.stringify({ text: 'grüße 👋 日本語'.repeat(9) });
    const bytes = Buffer.from(text);
    const request = incoming();
    const before = listeners(request);
    const result = reading(request);
    for (let at = 0; at < bytes.length; at += size) request.write(bytes.subarray(at, at + size));
    request.end();
    expect(await result).toEqual({ body: { kind: 'text', text, bytes: bytes.length }, consumed: true });
    expect(listeners(request)).toBe(before);
  });

  it('takes exactly the limit and no byte more', async () => {
    const exact = incoming();
    exact.end('x'.repeat(10));
    expect((await reading(exact, 10)).body).toMatchObject({ kind: 'text', bytes: 10 });
    const over = incoming();
    over.end('x'.repeat(11));
    expect(await reading(over, 10)).toEqual({ body: { kind: 'too-large', limit: 10 }, consumed: false });
  });

  it('does not read what is too long by its own account', async () => {
    const request = incoming({ 'content-length': '11' });
    expect(await reading(request, 10)).toEqual({ body: { kind: 'too-large', limit: 10 }, consumed: false });
    expect(request.readableFlowing).toBe(null);
  });

  it('stops a compression bomb at the limit', async () => {
    const request = incoming({ 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' });
    const before = process.memoryUsage().rss;
    request.end(gzipSync(Buffer.alloc(200_000_000)));
    expect((await reading(request, 1_000_000)).body).toEqual({ kind: 'too-large', limit: 1_000_000 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('limits compressed bytes as well', async () => {
    const request = incoming({ 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' });
    const empty = gzipSync('');
    for (let count = 0; count < 10; count++) request.write(empty);
    expect((await reading(request, 100)).body).toEqual({ kind: 'too-large', limit: 100 });
  });

  it('gives up on a body that makes no progress, not on one that crawls', async () => {
    const stuck = incoming();
    stuck.write('{');
    expect(await reading(stuck, 100, 30)).toEqual({ body: { kind: 'timeout' }, consumed: false });

    jest.useFakeTimers();
    try {
      const slow = incoming();
      const result = reading(slow, 100, 30);
      for (let piece = 0; piece < 10; piece++) {
        jest.advanceTimersByTime(20);
        slow.emit('data', Buffer.from('x'));
      }
      slow.emit('end');
      expect((await result).body).toMatchObject({ kind: 'text', text: 'xxxxxxxxxx' });
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('tells nobody when the client leaves, and lets go', async () => {
    const request = incoming();
    const before = listeners(request);
    const done = jest.fn();
    readBody(request, request, { limit: 100, done });
    request.write('{');
    request.destroy(new Error('aborted'));
    await new Promise((resolve) => request.once('close', resolve));
    expect(done).not.toHaveBeenCalled();
    expect(listeners(request)).toBe(before);
  });

  it('does not call an empty stream a text', async () => {
    const plain = incoming();
    plain.end();
    expect((await reading(plain)).body).toEqual({ kind: 'none' });
    const packed = incoming({ 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' });
    packed.end();
    expect((await reading(packed)).body).toEqual({ kind: 'none' });
  });

  it('reads 67 MB', async () => {
    const request = incoming();
    const result = reading(request, 70_000_000);
    const piece = Buffer.alloc(65_536, 'x');
    for (let count = 0; count < 1_024; count++) request.write(piece);
    request.end();
    expect((await result).body).toMatchObject({ kind: 'text', bytes: 67_108_864 });
  });
});
