import { once } from 'node:events';
import { createServer, request as openRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EmptyError, NEVER, Subject, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { progressOf } from './reader-progress.js';
import { OpenStreams, StreamNotOpenedError, writeEventStream } from './sse-writer.js';
import type { SseOptions, StreamFrame } from './sse-writer.js';

/** More than the system's socket buffers take in. */
const LARGE = 'x'.repeat(20_000_000);

const frame = (json: string, sequence?: number, last = false): StreamFrame => ({ sequence, json, last });

interface Wired {
  readonly port: number;
  readonly written: Promise<void>;
  readonly response: Promise<ServerResponse>;
}

describe('writeEventStream', () => {
  const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
  let streams = new OpenStreams();

  afterEach(() => {
    jest.useRealTimers();
    for (const server of servers.splice(0)) {
      server.closeAllConnections?.();
      server.close();
    }
    streams = new OpenStreams();
  });

  const optionsOf = (frames: Observable<StreamFrame>, more: Partial<SseOptions> = {}): SseOptions => ({
    frames,
    framing: { prefix: '<', suffix: '>', error: (error) => JSON.stringify(String(error)) },
    headers: () => ({}),
    heartbeatMs: 0,
    maxBufferBytes: 500_000,
    streams,
    overflow: () => new Error('too slow'),
    ...more,
  });

  /** A server whose every request becomes the stream. */
  async function serve(options: SseOptions): Promise<Wired> {
    let settle: (written: Promise<void>) => void;
    let answer: (response: ServerResponse) => void;
    const written = new Promise<void>((resolve) => (settle = resolve));
    const answered = new Promise<ServerResponse>((resolve) => (answer = resolve));
    written.catch(() => undefined);
    const server: Server = createServer((_request, response) => {
      answer(response);
      const writing = writeEventStream(response, options);
      settle(writing);
      writing.catch(() => response.writeHead(503).end('not opened'));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: portOf(server), written, response: answered };
  }

  const portOf = (server: { address(): unknown }): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0;
  };

  async function get(port: number): Promise<IncomingMessage> {
    const outgoing = openRequest({ port, host: '127.0.0.1', agent: false });
    outgoing.on('error', () => undefined);
    outgoing.end();
    const [response]: IncomingMessage[] = await once(outgoing, 'response');
    response.on('error', () => undefined);
    return response;
  }

  async function textOf(response: IncomingMessage): Promise<string> {
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    return text;
  }

  /** A client that asks and then reads nothing. */
  async function stall(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  }

  const asked = (frames: Subject<StreamFrame>): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (frames.observed ? resolve() : setImmediate(look));
      look();
    });

  it('frames events, with an id where there is a number', async () => {
    const { port, written } = await serve(optionsOf(of(frame('1', 7), frame('2'), frame('"ü"', 8))));
    expect(await textOf(await get(port))).toBe('id: 7\ndata: <1>\n\ndata: <2>\n\nid: 8\ndata: <"ü">\n\n');
    await written;
    expect(streams.size).toBe(0);
  });

  it('ends after the last frame without waiting for the source', async () => {
    const frames = new Subject<StreamFrame>();
    const { port } = await serve(optionsOf(frames));
    const opening = get(port);
    await asked(frames);
    frames.next(frame('1', 1));
    frames.next(frame('2', 2, true));
    frames.next(frame('3', 3));
    expect(await textOf(await opening)).toBe('id: 1\ndata: <1>\n\nid: 2\ndata: <2>\n\n');
    expect(frames.observed).toBe(false);
  });

  it('asks for headers with the first frame; a fault there is a rejection', async () => {
    const failing = optionsOf(of(frame('1')), {
      headers: () => {
        throw new Error('no headers');
      },
    });
    const { port, written } = await serve(failing);
    expect((await get(port)).statusCode).toBe(503);
    await expect(written).rejects.toThrow('no headers');
  });

  it('rejects a stream without a first frame', async () => {
    const { port, written } = await serve(optionsOf(of()));
    expect((await get(port)).statusCode).toBe(503);
    await expect(written).rejects.toBeInstanceOf(EmptyError);
    expect(streams.size).toBe(0);
  });

  it('writes a heartbeat when nothing else was written, never before the first frame', async () => {
    const frames = new Subject<StreamFrame>();
    const { port } = await serve(optionsOf(frames, { heartbeatMs: 20 }));
    const opening = get(port);
    await asked(frames);
    await new Promise((resolve) => setTimeout(resolve, 60));
    frames.next(frame('1', 1));
    const response = await opening;
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    while (text.split(': heartbeat\n\n').length < 4) await once(response, 'data');
    expect(text).toMatch(/^id: 1\ndata: <1>\n\n(: heartbeat\n\n){3,}$/);
    frames.complete();
    await once(response, 'end');
  });

  it('cuts a client that does not read, tells it, leaves others alone', async () => {
    const frames = new Subject<StreamFrame>();
    const onCut = jest.fn();
    const { port } = await serve(optionsOf(frames, { onCut }));
    const slow = await stall(port);
    await asked(frames);
    const good = get(port);
    while (frames.observers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    let sent = 0;
    const piece = 'x'.repeat(10_000);
    frames.next(frame('0', 0));
    const reader = await good;
    const text = textOf(reader);
    while (onCut.mock.calls.length === 0) {
      frames.next(frame(piece, ++sent));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(frames.observers).toHaveLength(1);
    frames.complete();
    expect((await text).match(/^id: /gm)).toHaveLength(sent + 1);

    let seen = '';
    slow.setEncoding('utf8').on('data', (chunk: string) => (seen += chunk));
    slow.resume();
    while (!seen.endsWith('0\r\n\r\n')) await once(slow, 'data');
    expect(seen).toContain('event: error\ndata: "Error: too slow"\n\n');
    slow.destroy();
  });

  it('breaks a cut client off that never drains', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const frames = new Subject<StreamFrame>();
    const onCut = jest.fn();
    const { port, written } = await serve(optionsOf(frames, { onCut }));
    const slow = await stall(port);
    await asked(frames);
    while (onCut.mock.calls.length === 0) {
      frames.next(frame('x'.repeat(100_000), 1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(streams.size).toBe(1);
    jest.advanceTimersByTime(5_000);
    await written;
    expect(streams.size).toBe(0);
    slow.destroy();
  });

  it('breaks off a client that does not read what is left of an ended stream', async () => {
    const frames = new Subject<StreamFrame>();
    const { port, written } = await serve(optionsOf(frames, { drainMs: 50 }));
    const slow = await stall(port);
    await asked(frames);
    frames.next(frame(LARGE, 1, true));
    await written;
    expect(streams.size).toBe(0);
    slow.destroy();
  });

  it('cuts a client that takes nothing of what a quiet stream has for it', async () => {
    const frames = new Subject<StreamFrame>();
    let cut: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (cut = resolve));
    const { port } = await serve(optionsOf(frames, { stallMs: 50, heartbeatMs: 10, onCut: cut }));
    const slow = await stall(port);
    await asked(frames);
    frames.next(frame(LARGE, 1));
    await told;
    expect(frames.observed).toBe(false);
    slow.destroy();
  });

  it.each([
    ['open', { stallMs: 1_000 }],
    ['ended', { drainMs: 1_000 }],
  ])('leaves a client alone that reads slowly, but does read: %s', async (phase, limits) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const frames = new Subject<StreamFrame>();
    const onCut = jest.fn();
    const { port, written, response } = await serve(optionsOf(frames, { ...limits, onCut }));
    const slow = await stall(port);
    await asked(frames);
    frames.next(frame(LARGE, 1, phase === 'ended'));
    const raw = await response;
    let taken = 0;
    slow.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      slow.pause();
    });
    const takeUntil = async (enough: () => boolean): Promise<void> => {
      while (!enough()) {
        slow.resume();
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    for (let limit = 0; limit < 5; limit++) {
      const before = progressOf(raw);
      // The system's socket buffers stand between the two: what is read here need not be missed there at once.
      await takeUntil(() => progressOf(raw) !== before);
      jest.advanceTimersByTime(1_000);
      expect([onCut.mock.calls.length, raw.destroyed, streams.size]).toEqual([0, false, 1]);
    }
    expect(taken).toBeLessThan(LARGE.length);
    await takeUntil(() => taken > LARGE.length);
    frames.complete();
    await written;
    expect(onCut).not.toHaveBeenCalled();
    slow.destroy();
  });

  it('lets one frame be larger than the buffer', async () => {
    const big = 'x'.repeat(2_000_000);
    const frames = new Subject<StreamFrame>();
    const { port } = await serve(optionsOf(frames));
    const opening = get(port);
    await asked(frames);
    frames.next(frame(big, 1));
    await new Promise((resolve) => setImmediate(resolve));
    frames.next(frame('2', 2));
    frames.complete();
    const text = await textOf(await opening);
    expect(text.endsWith('id: 2\ndata: <2>\n\n')).toBe(true);
  });

  it('lets go at once when the client leaves, before and after the first frame', async () => {
    for (const open of [false, true]) {
      const frames = new Subject<StreamFrame>();
      const { port, written } = await serve(optionsOf(frames, { heartbeatMs: 10_000 }));
      const client = await stall(port);
      await asked(frames);
      if (open) frames.next(frame('1', 1));
      client.destroy();
      await written;
      expect([frames.observed, streams.size]).toEqual([false, 0]);
    }
  });

  it('ends all streams, breaks stalled ones off, starts none after', async () => {
    const frames = new Subject<StreamFrame>();
    const { port } = await serve(optionsOf(frames, { maxBufferBytes: 1e9 }));
    const slow = await stall(port);
    await asked(frames);
    frames.next(frame('x'.repeat(20_000_000), 1));
    const opening = get(port);
    while (frames.observers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    frames.next(frame('2', 2));
    const text = textOf(await opening);
    await streams.endAll(100);
    expect(await text).toBe('id: 2\ndata: <2>\n\n');
    expect([streams.size, frames.observed]).toEqual([0, false]);
    const late = await get(port);
    expect(late.statusCode).toBe(503);
    slow.destroy();
  });

  it('tells a stream that has no first frame yet apart when all are ended', async () => {
    const { port, written } = await serve(optionsOf(NEVER));
    const opening = get(port);
    while (streams.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await streams.endAll(100);
    await expect(written).rejects.toBeInstanceOf(StreamNotOpenedError);
    expect((await opening).statusCode).toBe(503);
  });

  it('works over HTTP/2', async () => {
    const frames = new Subject<StreamFrame>();
    const results: string[] = [];
    const server = createHttp2((_request, response) => {
      void writeEventStream(response, optionsOf(frames)).then(() => results.push('settled'));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connectHttp2(`http://127.0.0.1:${portOf(server)}`);
    const [one, two] = [client.request({ ':path': '/' }), client.request({ ':path': '/' })];
    while (frames.observers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    let text = '';
    one.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    frames.next(frame('1', 1));
    two.resume();
    await once(two, 'response');
    two.close(8);
    while (frames.observers.length > 1) await new Promise((resolve) => setImmediate(resolve));
    frames.next(frame('2', 2, true));
    await once(one, 'end');
    expect(text).toBe('id: 1\ndata: <1>\n\nid: 2\ndata: <2>\n\n');
    while (results.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(streams.size).toBe(0);
    client.close();
  });
});
