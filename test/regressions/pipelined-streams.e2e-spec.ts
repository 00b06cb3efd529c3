import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Res } from '@nestjs/common';
import { A2ADiagnostics, A2AObserver, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { message, REST_PATH } from '../support/a2a-calls.js';
import { probeModule } from '../support/probe-pair.js';
import { restingGauges } from '../support/resting-gauges.js';
import { ADAPTERS, start } from '../support/running-app.js';

const STREAMS = 3;

function streamRequest(): string {
  const body = JSON.stringify(message('work'));
  const head = [
    `POST ${REST_PATH}/message:stream HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

describe.each(ADAPTERS)('streams asked for in one go over one connection, on %s', (adapter) => {
  it('are all let go when the connection is cut', async () => {
    const signals = new EventEmitter();
    let working = 0;
    let left = STREAMS;

    class PatientExecutor extends AgentExecutor {
      override async execute(_context: RequestContext, emitter: AgentEmitter): Promise<void> {
        await emitter.working();
        if (++working === STREAMS) signals.emit('all working');
        await once(signals, 'go');
        await emitter.complete();
      }
    }

    class Watcher extends A2AObserver {
      override runEnded(): void {
        if (--left === 0) signals.emit('all ended');
      }
    }

    const providers = [{ provide: A2AObserver, useClass: Watcher }];
    const { app, url } = await start(adapter, probeModule({ executor: PatientExecutor, providers }));
    const server: EventEmitter = app.getHttpServer();
    const connected = once(server, 'connection');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const [accepted]: Socket[] = await connected;
    const working3 = once(signals, 'all working');
    socket.write(streamRequest().repeat(STREAMS));
    await working3;
    const ended = once(signals, 'all ended');
    // The server's end of it: a client is rid of its own before the server has heard.
    const cut = new Promise((resolve) => accepted.once('close', resolve));
    socket.destroy();
    await cut;
    signals.emit('go');
    await ended;
    // Not `app.close()` before this: it ends every open stream.
    expect(await restingGauges(app)).toMatchObject({ openStreams: 0, readers: 0, runsLive: 0 });
    await app.close();
  });

  it('do not keep the app from closing behind an answer of the host that never comes', async () => {
    class EndlessExecutor extends AgentExecutor {
      override async execute({ signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
        await emitter.working();
        working.emit('working');
        await once(signal, 'abort');
      }
    }

    @Controller('silent')
    class SilentController {
      @Get()
      silent(@Res() _response: object): void {}
    }

    const working = new EventEmitter();
    @Module({
      imports: [probeModule({ executor: EndlessExecutor, shutdownTimeoutSeconds: 0.1 })],
      controllers: [SilentController],
    })
    class AppModule {}
    const { app, url } = await start(adapter, AppModule);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const atWork = once(working, 'working');
    socket.write(`GET /silent HTTP/1.1\r\nHost: localhost\r\n\r\n${streamRequest()}`);
    await atWork;
    const cut = new Promise((resolve) => socket.once('close', resolve));
    await app.close();
    await cut;
    expect(app.get(A2ADiagnostics).gauges()).toMatchObject({ openStreams: 0, readers: 0, runsLive: 0 });
  });
});
