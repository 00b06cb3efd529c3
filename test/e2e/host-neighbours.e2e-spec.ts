import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpException,
  Module,
  Param,
  Post,
  type DynamicModule,
  type Type,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import { CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { at, send, type Answer, type Call } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { HOST_MANNERS } from '../support/host-manners.js';

class Order {
  @IsString() name!: string;
}

@Controller()
class HostController {
  @Post('orders')
  @HttpCode(200)
  order(@Body() order: Order): object {
    return { order };
  }

  @Get('orders/:id')
  one(@Param('id') id: string): object {
    if (id === 'none') throw new HttpException('no such order', 404);
    if (id === 'bug') throw new Error('a bug of the host');
    return { id };
  }

  /** Below the agent's path, and no path of the agent. */
  @Post('a2a/other')
  other(@Body() body: object): object {
    return { body };
  }
}

function hostApp(imports: DynamicModule[]): Type {
  @Module({
    imports,
    controllers: [HostController],
    providers: [...HOST_MANNERS],
  })
  class AppModule {}
  return AppModule;
}

describe('a host with an envelope, a filter and a pipe of its own', () => {
  let withAgent: Pair;
  let without: Pair;
  let plain: Pair;
  beforeAll(async () => {
    const setup = {
      setup: (app: { enableCors(options: object): void }) => app.enableCors({ origin: 'https://web.example' }),
    };
    withAgent = await Pair.start(() => hostApp([probeModule()]), setup);
    without = await Pair.start(() => hostApp([]), setup);
    plain = await Pair.start(() => probeModule());
  });
  afterAll(async () => {
    await withAgent.close();
    await without.close();
    await plain.close();
  });

  it.each<[string, Call]>([
    ['a good body', { path: '/orders', body: { name: 'tea' } }],
    ['a body with more than the pipe lets pass', { path: '/orders', body: { name: 'tea', more: 1 } }],
    ['a body that lacks something', { path: '/orders', body: {} }],
    ['malformed JSON', { path: '/orders', body: '{"name":' }],
    ['a form', { path: '/orders', body: 'name=tea', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['plain text', { path: '/orders', body: 'tea', headers: { 'content-type': 'text/plain' } }],
    [
      'the protocol’s media type',
      { path: '/orders', body: '{"name":"tea"}', headers: { 'content-type': 'application/a2a+json' } },
    ],
    ['no body', { path: '/orders', method: 'POST' }],
    ['a large body', { path: '/orders', body: { name: 'x'.repeat(200_000) } }],
    ['an order', { path: '/orders/1' }],
    ['HEAD', { path: '/orders/1', method: 'HEAD' }],
    ['an order that is not there', { path: '/orders/none' }],
    ['a bug', { path: '/orders/bug' }],
    ['a slash at the end', { path: '/orders/1/' }],
    ['a path that is not there', { path: '/nothing' }],
    ['a wrong verb', { path: '/orders/1', method: 'PUT', body: {} }],
    [
      'a preflight',
      {
        path: '/orders',
        method: 'OPTIONS',
        headers: { origin: 'https://web.example', 'access-control-request-method': 'POST' },
      },
    ],
    ['a path below the agent’s', { path: '/a2a/other', body: { a: 1 } }],
    ['a path below REST’s', { path: '/a2a/json/nothing', body: { a: 1 } }],
    ['a broken escape', { path: '/orders/%zz' }],
  ])('answers %s as it does without the module', async (_what, call) => {
    const [here, there] = await Promise.all(
      [withAgent, without].map((pair) => pair.each(({ url }) => send(url, call))),
    );
    expect(here?.map(whole)).toEqual(there?.map(whole));
  });

  it.each<[string, Call]>([
    ['a result', rpc('SendMessage', message('echo hi'))],
    ['a direct message', rpc('SendMessage', message('message hi'))],
    ['a list', rest('GET', '/tasks')],
    ['a REST result', rest('POST', '/message:send', message('echo hi'))],
    ['a JSON-RPC error', rpc('GetTask', { id: 'none' })],
    ['a REST error', rest('GET', '/tasks/none')],
    ['a parse error', rest('POST', '/message:send', '{"')],
    ['a wrong media type', rest('POST', '/message:send', '{}', { 'content-type': 'text/plain' })],
    ['unknown fields', rest('POST', '/message:send', message('echo hi', {}, { more: 1 }))],
    ['a wrong verb', rest('DELETE', '/tasks')],
    ['an empty body', { path: '/a2a/jsonrpc', method: 'POST' }],
    ['a large body', rest('POST', '/message:send', message('x'.repeat(1_100_000)))],
    ['the card', { path: CARD_PATH }],
  ])('does not deform %s', async (_what, call) => {
    const here = await withAgent.call(call);
    const there = await plain.call(call);
    expect(here.status).toBe(there.status);
    expect(here.headers['content-type']).toBe(there.headers['content-type']);
    expect(Object.keys(Object(here.body)).sort()).toEqual(Object.keys(Object(there.body)).sort());
    expect(at(here.body, 'success')).toBeUndefined();
  });

  it('does not deform a stream', async () => {
    const { frames } = await withAgent.stream(rpc('SendStreamingMessage', message('echo hi')));
    expect(frames).toHaveLength(4);
    expect(at(frames[0]?.data, 'result.task.status.state')).toBe('TASK_STATE_SUBMITTED');
  });

  it('lends its CORS to the agent', async () => {
    const origin = { origin: 'https://web.example' };
    for (const call of [
      rpc('SendMessage', message('echo hi'), origin),
      rest('GET', '/tasks/none', undefined, origin),
      rest('DELETE', '/tasks', undefined, origin),
      { path: CARD_PATH, headers: origin },
    ]) {
      const answer = await withAgent.call(call);
      expect(answer.headers['access-control-allow-origin']).toBe('https://web.example');
    }
    const { headers } = await withAgent.stream(rpc('SendStreamingMessage', message('echo hi'), origin));
    expect(headers['access-control-allow-origin']).toBe('https://web.example');
  });
});

function whole({ status, headers, text }: Answer): object {
  const { date, ...more } = headers;
  expect(date).toBeDefined();
  return { status, headers: more, text };
}
