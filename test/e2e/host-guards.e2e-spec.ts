import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  HttpException,
  Injectable,
  Module,
  type CanActivate,
  type ExecutionContext,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PermissionDeniedError, ResourceExhaustedError, UnauthenticatedError } from 'nestjs-a2a/protocol';
import { CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

interface GuardedResponse {
  header(name: string, value: string): unknown;
}

/** Does what the header `x-guard` says: `<when> <what>`, and sets the headers that come with it. */
@Injectable()
class ObeyingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const order = String(at(http.getRequest<object>(), 'headers.x-guard') ?? '');
    const [when, what = ''] = order.split(' ');
    if (order === '') return true;
    const refuse = (): boolean => this.refuse(what, http.getResponse<GuardedResponse>());
    return when === 'later' ? delay(50).then(refuse) : refuse();
  }

  private refuse(what: string, response: GuardedResponse): boolean {
    switch (what) {
      case 'false':
        return false;
      case '401':
        throw new UnauthorizedException();
      case '401-challenge':
        response.header('WWW-Authenticate', 'Basic realm="host"');
        throw new UnauthorizedException();
      case '429':
        response.header('Retry-After', '17');
        response.header('X-RateLimit-Limit', '10');
        throw new HttpException('Slow down', 429);
      case 'a2a-401':
        throw new UnauthenticatedError('DPoP algs="ES256"');
      case 'a2a-403':
        throw new PermissionDeniedError('Not on Sundays');
      case 'a2a-429':
        throw new ResourceExhaustedError('Your plan is used up', 90.5);
      case 'error':
        throw new Error('secret of the guard');
      default:
        throw new HttpException(`made ${what}`, Number(what));
    }
  }
}

const apps: Readonly<Record<string, () => Type>> = {
  APP_GUARD: () => {
    @Module({ imports: [probeModule()], providers: [{ provide: APP_GUARD, useClass: ObeyingGuard }] })
    class AppModule {}
    return AppModule;
  },
  'forRoot({ guards })': () => {
    @Module({ imports: [probeModule({ guards: [ObeyingGuard] })] })
    class AppModule {}
    return AppModule;
  },
};

interface Refusal {
  readonly rpc: number;
  readonly rest: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  false: { rpc: 403, rest: 403, reason: 'PERMISSION_DENIED' },
  '401': { rpc: 401, rest: 401, reason: 'UNAUTHENTICATED', headers: { 'www-authenticate': 'Bearer' } },
  '401-challenge': {
    rpc: 401,
    rest: 401,
    reason: 'UNAUTHENTICATED',
    headers: { 'www-authenticate': 'Basic realm="host"' },
  },
  '403': { rpc: 403, rest: 403, reason: 'PERMISSION_DENIED' },
  '429': {
    rpc: 429,
    rest: 429,
    reason: 'RESOURCE_EXHAUSTED',
    headers: { 'retry-after': '17', 'x-ratelimit-limit': '10' },
  },
  '413': { rpc: 413, rest: 413, reason: 'PAYLOAD_TOO_LARGE' },
  '503': { rpc: 503, rest: 503, reason: 'UNAVAILABLE' },
  '400': { rpc: 200, rest: 400, reason: 'INVALID_REQUEST' },
  '404': { rpc: 200, rest: 400, reason: 'INVALID_REQUEST' },
  '418': { rpc: 200, rest: 400, reason: 'INVALID_REQUEST' },
  '500': { rpc: 200, rest: 500, reason: 'INTERNAL_ERROR' },
  '502': { rpc: 200, rest: 500, reason: 'INTERNAL_ERROR' },
  'a2a-401': { rpc: 401, rest: 401, reason: 'UNAUTHENTICATED', headers: { 'www-authenticate': 'DPoP algs="ES256"' } },
  'a2a-403': { rpc: 403, rest: 403, reason: 'PERMISSION_DENIED' },
  'a2a-429': { rpc: 429, rest: 429, reason: 'RESOURCE_EXHAUSTED', headers: { 'retry-after': '91' } },
  error: { rpc: 200, rest: 500, reason: 'INTERNAL_ERROR' },
};

describe.each(Object.keys(apps))('guards by %s', (how) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(apps[how] ?? Object);
  });
  afterAll(() => pair.close());

  const orders = ['now', 'later'].flatMap((when) => Object.keys(REFUSALS).map((what) => [when, what] as const));

  it.each(orders)('that refuse %s with %s are answered in the form of the binding', async (when, what) => {
    const refusal = REFUSALS[what];
    const guard = { 'x-guard': `${when} ${what}` };
    const overRpc = ['SendMessage', 'SendStreamingMessage'].map((method) => rpc(method, message('echo hi'), guard));
    const overRest = [
      rest('POST', '/message:send', message('echo hi'), guard),
      rest('POST', '/message:stream', message('echo hi'), guard),
      rest('GET', '/tasks', undefined, guard),
    ];
    const answers = await Promise.all([...overRpc, ...overRest].map((call) => pair.call(call)));
    for (const answer of answers.slice(0, overRpc.length)) {
      expect([answer.status, at(answer.body, 'error.data.0.reason')]).toEqual([refusal?.rpc, refusal?.reason]);
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null });
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json', ...refusal?.headers });
    }
    for (const answer of answers.slice(overRpc.length)) {
      expect([answer.status, at(answer.body, 'error.details.0.reason')]).toEqual([refusal?.rest, refusal?.reason]);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/a2a+json', ...refusal?.headers });
    }
    expect(JSON.stringify(answers)).not.toContain('secret');
  });

  it('that refuse let nothing be created', async () => {
    const contextId = 'refused';
    await pair.call(rpc('SendMessage', message('echo hi', { contextId }), { 'x-guard': 'later 401' }));
    expect(at((await pair.call(rpc('ListTasks', { contextId }))).body, 'result.totalSize')).toBe(0);
  });

  it('that refuse do so before the body is looked at', async () => {
    const headers = { 'x-guard': 'later 401', 'content-type': 'text/plain' };
    expect((await pair.call(rest('POST', '/message:send', '{"no', headers))).status).toBe(401);
    const large = 'x'.repeat(2 * 1024 * 1024);
    expect((await pair.call(rest('POST', '/message:send', large, headers))).status).toBe(401);
    const wrong = await pair.call(rest('PATCH', '/message:send', {}, headers));
    expect(wrong.status).toBe(405);
  });

  it('that let pass leave the body whole, however long they take', async () => {
    const text = 'x'.repeat(100_000);
    const answer = await pair.call(rpc('SendMessage', message(`echo ${text}`)));
    expect(at(answer.body, 'result.task.artifacts.0.parts.0.text')).toBe(text);
  });

  it(`stand ${how === 'APP_GUARD' ? '' : 'not '}before the card`, async () => {
    const answer = await pair.call({ path: CARD_PATH, headers: { 'x-guard': 'now 403' } });
    expect(answer.status).toBe(how === 'APP_GUARD' ? 403 : 200);
  });
});
