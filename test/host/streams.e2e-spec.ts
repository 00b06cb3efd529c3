import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { filter, firstValueFrom } from 'rxjs';
import { call, openStream } from './host-client.js';
import {
  ADAPTERS,
  EnvelopeInterceptor,
  StreamSource,
  TestRoute,
  adapterOf,
  agentModule,
  arrived,
  listen,
  shouting,
} from './host-app.js';

describe.each(ADAPTERS)('event streams on %s', (name) => {
  let source: StreamSource;
  let app: INestApplication;
  let url: string;

  beforeEach(async () => {
    source = new StreamSource();
    @Module({ imports: [agentModule('agent', new TestRoute(), source)] })
    class AppModule {}
    app = await NestFactory.create(AppModule, adapterOf(name), { logger: false, cors: true });
    app.useGlobalInterceptors(new EnvelopeInterceptor());
    ({ url } = await listen(app));
  });
  afterEach(() => app.close());

  const waiting = (count: number): Promise<unknown> =>
    source.frames.length >= count ? Promise.resolve() : firstValueFrom(arrived.pipe(filter((size) => size >= count)));

  it('writes frames as they are, whatever wraps results, with CORS', async () => {
    const opening = openStream(`${url}/agent/stream`, { origin: 'http://web.test', connection: 'keep-alive' });
    await waiting(1);
    source.emit('{"n":1}');
    const stream = await opening;
    source.emit('{"n":2}', true);
    expect(await stream.ended).toBe(true);
    expect(stream.text()).toBe('id: 1\ndata: {"result":{"n":1}}\n\nid: 1\ndata: {"result":{"n":2}}\n\n');
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-activated': 'yes',
      connection: 'keep-alive',
    });
    expect(stream.response.headers['access-control-allow-origin']).toBe('*');
  });

  it('leaves a failure before the first frame to the filters', async () => {
    const answering = call(`${url}/agent/stream`, { body: '{}' });
    await waiting(1);
    source.frames[0].error(new Error('early'));
    expect((await answering).status).toBe(500);
  });

  it('ends with an error frame when it fails later', async () => {
    const opening = openStream(`${url}/agent/stream`);
    await waiting(1);
    source.emit('1');
    const stream = await opening;
    source.frames[0].error(new Error('late'));
    expect(await stream.ended).toBe(true);
    expect(stream.text()).toContain('event: error\ndata: {"error":"Error: late"}\n\n');
    expect(source.streams.size).toBe(0);
  });

  it('ends twenty open streams cleanly when the app closes', async () => {
    const opening = Array.from({ length: 20 }, () => openStream(`${url}/agent/stream`));
    await waiting(20);
    source.emit('1');
    const streams = await Promise.all(opening);
    expect(source.streams.size).toBe(20);
    // Before they would be broken off, that is, which takes longer than a test may.
    await app.close();
    expect(await Promise.all(streams.map((stream) => stream.ended))).toEqual(streams.map(() => true));
    expect(source.streams.size).toBe(0);
  });

  it('answers a stream that waits for its first frame when the app closes', async () => {
    const answering = call(`${url}/agent/stream`, { body: '{}' });
    await waiting(1);
    await app.close();
    expect((await answering).status).toBe(500);
  });

  it('unsubscribes when the client leaves', async () => {
    const opening = openStream(`${url}/agent/stream`);
    await waiting(1);
    source.emit('1');
    const stream = await opening;
    const left = firstValueFrom(source.left);
    stream.request.destroy();
    await left;
    expect(source.streams.size).toBe(0);
  });

  it('streams and answers through middleware that compresses', async () => {
    const shouted = new StreamSource();
    @Module({ imports: [agentModule('agent', new TestRoute(), shouted)] })
    class ShoutingModule {}
    const loud: INestApplication = await NestFactory.create(ShoutingModule, adapterOf(name), { logger: false });
    loud.use(shouting);
    const { url: at } = await listen(loud);
    const opening = openStream(`${at}/agent/stream`);
    while (shouted.frames.length === 0) await firstValueFrom(arrived);
    shouted.emit('"a"');
    const stream = await opening;
    await stream.until('data: {"result":"a"}');
    shouted.emit('"b"');
    await stream.until('data: {"result":"b"}');
    shouted.frames[0].complete();
    expect(await stream.ended).toBe(true);
    expect((await call(`${at}/agent/rpc`, { body: '{}' })).text).toContain('"TARGET":"CALL"');
    const large = await call(`${at}/agent/rpc`, { body: Buffer.alloc(3_000_000), chunked: true });
    expect(large.status).toBe(413);
    await loud.close();
  });
});
