import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, UseGuards, type CanActivate, type Type } from '@nestjs/common';
import {
  A2AAgentCardController,
  A2AJsonRpcController,
  A2ARestController,
  A2ASlashAliasController,
  A2ATenantController,
} from 'nestjs-a2a';
import { asUser, message, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

function hostApp(): Type {
  @Controller('my/rpc')
  @UseGuards(BelievingGuard)
  class MyJsonRpcController extends A2AJsonRpcController {}

  @Controller('my/rest')
  @UseGuards(ClosedGuard)
  class MyRestController extends A2ARestController {
    @Get('about')
    about(): object {
      return { about: 'the host' };
    }
  }

  @Controller('my/rest')
  @UseGuards(BelievingGuard)
  class MyAliasController extends A2ASlashAliasController {}

  @Controller('my/rest')
  @UseGuards(BelievingGuard)
  class MyTenantController extends A2ATenantController {}

  @Controller('.well-known')
  class MyCardController extends A2AAgentCardController {}

  @Module({
    imports: [probeModule({ controllers: false, guards: [ClosedGuard] })],
    controllers: [MyCardController, MyJsonRpcController, MyRestController, MyAliasController, MyTenantController],
  })
  class AppModule {}
  return AppModule;
}

describe('controllers of the host’s own', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(hostApp);
  });
  afterAll(() => pair.close());

  it('serve JSON-RPC at their path and behind their guards', async () => {
    const answer = await pair.call(rpc('SendMessage', message('whoami'), asUser('ann'), '/my/rpc'));
    expect(at(answer.body, 'result.task.artifacts.0.parts.0.data.user')).toBe('ann');
    const { frames } = await pair.stream(rpc('SendStreamingMessage', message('echo hi'), {}, '/my/rpc'));
    expect(frames).toHaveLength(4);
    const refused = await pair.call(rpc('ListTasks', {}, { authorization: 'nobody' }, '/my/rpc'));
    expect([refused.status, at(refused.body, 'error.code'), at(refused.body, 'id')]).toEqual([401, -32090, null]);
  });

  it('serve REST behind guards of their own', async () => {
    const refused = await pair.call({ path: '/my/rest/message:send', body: message('echo hi') });
    expect([refused.status, at(refused.body, 'error.details.0.reason')]).toEqual([403, 'PERMISSION_DENIED']);
    const wrong = await pair.call({ path: '/my/rest/message:send', method: 'PUT', body: {} });
    expect(wrong.status).toBe(405);
  });

  it('may have further routes', async () => {
    const answers = await pair.each(({ url }) => send(url, { path: '/my/rest/about' }));
    // The host's own route, so the host's own form of an error.
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  it('serve slash aliases and tenants', async () => {
    const alias = await pair.call({ path: '/my/rest/message/send', body: message('echo hi') });
    expect(alias.status).toBe(200);
    const tenant = await pair.call({ path: '/my/rest/acme/message:send', body: message('whoami') });
    expect(at(tenant.body, 'task.artifacts.0.parts.0.data.tenant')).toBe('acme');
  });

  it('are what the card names', async () => {
    const card = await pair.call({ path: '/.well-known/agent-card.json' });
    const { url } = pair.sides[0];
    expect(at(card.body, 'supportedInterfaces')).toEqual([
      { url: `${url}/my/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/my/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]);
  });

  it('stand in the place of ours', async () => {
    for (const path of ['/a2a/jsonrpc', '/a2a/json/message:send']) {
      const answers = await pair.each(({ url }) => send(url, { path, body: {} }));
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
  });
});

describe('one controller of the host’s own', () => {
  it('is the only interface that the card names', async () => {
    const app = (): Type => {
      @Controller('only')
      class OnlyController extends A2ARestController {}
      @Controller('.well-known')
      class CardController extends A2AAgentCardController {}
      @Module({ imports: [probeModule({ controllers: false })], controllers: [CardController, OnlyController] })
      class AppModule {}
      return AppModule;
    };
    const pair = await Pair.start(app);
    try {
      const card = await pair.call({ path: '/.well-known/agent-card.json' });
      expect(at(card.body, 'supportedInterfaces')).toEqual([
        { url: `${pair.sides[0].url}/only`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ]);
      const answer = await pair.call({ path: '/only/message:send', body: message('echo hi') });
      expect(at(answer.body, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
    } finally {
      await pair.close();
    }
  });
});
