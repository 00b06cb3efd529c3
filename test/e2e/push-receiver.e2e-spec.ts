import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import {
  Body,
  Controller,
  Get,
  Inject,
  Module,
  Post,
  ServiceUnavailableException,
  type DynamicModule,
  type LoggerService,
} from '@nestjs/common';
import {
  A2APushReceiver,
  A2APushReceiverModule,
  ReceivedPush,
  ReceivedPushNotification,
  type A2APushReceiverOptions,
} from 'nestjs-a2a';
import { TaskState, type StreamResponse } from 'nestjs-a2a/protocol';
import { signWebhook } from '../../src/push/webhook-signature.js';
import { message, rpc } from '../support/a2a-calls.js';
import { send, textAt, type Call } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const TOKEN = 'tok-1';
const UPDATE = {
  statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: TaskState.COMPLETED } },
} satisfies StreamResponse;

/** What the handler does with a notification, and what it was given. */
class Inbox {
  readonly got: ReceivedPushNotification[] = [];
  act: (notification: ReceivedPushNotification) => Promise<unknown> = async () => undefined;
}

@Controller('hooks')
class HooksController {
  constructor(@Inject(Inbox) private readonly inbox: Inbox) {}

  @Post('a2a')
  @A2APushReceiver()
  async notified(@ReceivedPush() notification: ReceivedPushNotification): Promise<unknown> {
    this.inbox.got.push(notification);
    return this.inbox.act(notification);
  }

  @Get('a2a')
  ready(): unknown {
    return { ready: true };
  }

  @Post('plain')
  plain(@Body() body: unknown): unknown {
    return { body };
  }
}

class HooksModule {}
class AgentModule {}

const logger = { log: jest.fn(), warn: jest.fn<LoggerService['warn']>(), error: jest.fn() };

function hooks(options: A2APushReceiverOptions, inbox: Inbox): DynamicModule {
  return {
    module: HooksModule,
    imports: [A2APushReceiverModule.register(options)],
    controllers: [HooksController],
    providers: [{ provide: Inbox, useValue: inbox }],
  };
}

let serial = 0;

function call(headers: Record<string, string> = {}, body: unknown = UPDATE): Call {
  serial += 1;
  const own = { 'content-type': 'application/a2a+json', 'x-a2a-notification-id': `t1/c%2F1/${serial}` };
  return { method: 'POST', path: '/hooks/a2a', headers: { ...own, ...headers }, body };
}

function signed(body: string, at = Date.now(), secret = SECRET, id = `t1/c1/${(serial += 1)}`): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signature = `v1a,AAAA ${signWebhook(OTHER_SECRET, id, seconds, '')} ${signWebhook(secret, id, seconds, body)}`;
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
}

describe.each(ADAPTERS)('A2APushReceiver on %s', (adapter) => {
  const inbox = new Inbox();
  let running: RunningApp;

  const started = async (options: A2APushReceiverOptions, use: (url: string) => Promise<void>): Promise<void> => {
    const other = await start(adapter, hooks(options, inbox), { logger });
    try {
      await use(other.url);
    } finally {
      await other.close();
    }
  };
  const statusOf = async (url: string, one: Call): Promise<number> => (await send(url, one)).status;

  beforeAll(async () => {
    running = await start(adapter, hooks({ token: TOKEN, maxBytes: 4096 }, inbox), {
      logger,
      setup: (app) => app.setGlobalPrefix('api', { exclude: ['hooks/a2a', 'hooks/plain'] }),
    });
  });

  beforeEach(() => {
    inbox.got.length = 0;
    inbox.act = async () => undefined;
    logger.warn.mockClear();
  });

  afterAll(() => running.close());

  it.each(['application/a2a+json', 'application/json', 'Application/JSON; charset=utf-8'])('takes %s', async (type) => {
    const { status, text } = await send(running.url, call({ 'x-a2a-notification-token': TOKEN, 'content-type': type }));
    expect([status, text]).toEqual([204, '']);
    expect(inbox.got).toEqual([
      { id: `t1/c%2F1/${serial}`, taskId: 't1', configId: 'c/1', sequence: serial, event: UPDATE },
    ]);
  });

  it.each<[string, number, Record<string, string>, unknown]>([
    ['no token', 401, {}, UPDATE],
    ['another token', 401, { 'x-a2a-notification-token': 'tok-2' }, UPDATE],
    ['no token and no event', 401, {}, 'nonsense'],
    ['another media type', 415, { 'x-a2a-notification-token': TOKEN, 'content-type': 'text/plain' }, UPDATE],
    ['no media type', 415, { 'x-a2a-notification-token': TOKEN, 'content-type': '' }, UPDATE],
    [
      'another charset',
      415,
      { 'x-a2a-notification-token': TOKEN, 'content-type': 'application/json; charset=utf-16' },
      UPDATE,
    ],
    ['an encoding nobody knows', 415, { 'x-a2a-notification-token': TOKEN, 'content-encoding': 'zstd' }, UPDATE],
    ['no body', 400, { 'x-a2a-notification-token': TOKEN }, ''],
    ['no JSON', 400, { 'x-a2a-notification-token': TOKEN }, '{"statusUpdate":'],
    ['no UTF-8', 400, { 'x-a2a-notification-token': TOKEN }, Buffer.from([0x22, 0xff, 0x22])],
    ['no event', 400, { 'x-a2a-notification-token': TOKEN }, { hello: 'world' }],
    ['two events', 400, { 'x-a2a-notification-token': TOKEN }, { ...UPDATE, task: {} }],
    ['too many bytes', 413, { 'x-a2a-notification-token': TOKEN }, ' '.repeat(5000)],
    [
      'too many bytes when unpacked',
      413,
      { 'x-a2a-notification-token': TOKEN, 'content-encoding': 'gzip' },
      gzipSync(' '.repeat(5000)),
    ],
  ])('refuses %s: %i', async (_case, status, headers, body) => {
    const answer = await send(running.url, call(headers, body));
    expect([answer.status, inbox.got]).toEqual([status, []]);
    const logged = JSON.stringify(logger.warn.mock.calls);
    expect(logged.includes('A push notification was refused')).toBe(status === 401);
    expect(answer.text + logged).not.toContain('tok-');
  });

  it('leaves the rest of the app its parsers', async () => {
    const { body } = await send(running.url, { path: '/hooks/plain', body: { a: 1 } });
    expect(body).toEqual({ body: { a: 1 } });
  });

  it('handles a notification once', async () => {
    const one = call({ 'x-a2a-notification-token': TOKEN });
    expect([await statusOf(running.url, one), await statusOf(running.url, one)]).toEqual([204, 204]);
    expect(inbox.got).toHaveLength(1);
    await statusOf(running.url, call({ 'x-a2a-notification-token': TOKEN }));
    expect(inbox.got).toHaveLength(2);
  });

  it('hands a notification that comes several times at once to the handler once', async () => {
    const one = call({ 'x-a2a-notification-token': TOKEN });
    let end = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      inbox.act = () => {
        resolve();
        return new Promise<void>((done) => (end = done));
      };
    });
    const attempts = [1, 2, 3].map(() => statusOf(running.url, one));
    await begun;
    const late = statusOf(running.url, one);
    end();
    expect(await Promise.all([...attempts, late])).toEqual([204, 204, 204, 204]);
    expect(inbox.got).toHaveLength(1);
  });

  it('does not let the sender of one task use up the ids of another', async () => {
    const one = call({ 'x-a2a-notification-token': TOKEN });
    const other = { ...one, body: { statusUpdate: { ...UPDATE.statusUpdate, taskId: 't2' } } };
    for (const each of [other, one, other, one]) expect(await statusOf(running.url, each)).toBe(204);
    expect(inbox.got.map(({ taskId }) => taskId)).toEqual(['t2', 't1']);
  });

  it('leaves the host what it has on the same path', async () => {
    const { body } = await send(running.url, { method: 'GET', path: '/hooks/a2a' });
    expect(body).toEqual({ ready: true });
    const { status } = await send(running.url, { method: 'PUT', path: '/hooks/a2a', body: {} });
    expect(status).toBe(404);
    expect(await statusOf(running.url, call({ 'x-a2a-notification-token': TOKEN }))).toBe(204);
  });

  it('lets a notification be tried again that could not be handled', async () => {
    const one = call({ 'x-a2a-notification-token': TOKEN });
    inbox.act = () => Promise.reject(new ServiceUnavailableException());
    expect(await statusOf(running.url, one)).toBe(503);
    inbox.act = async () => undefined;
    expect([await statusOf(running.url, one), await statusOf(running.url, one)]).toEqual([204, 204]);
    expect(inbox.got).toHaveLength(2);
  });

  it('handles each of those that have no id', async () => {
    const one = call({ 'x-a2a-notification-token': TOKEN, 'x-a2a-notification-id': '' });
    await statusOf(running.url, one);
    await statusOf(running.url, one);
    expect(inbox.got.map(({ id, taskId, sequence }) => [id, taskId, sequence])).toEqual([
      [undefined, 't1', undefined],
      [undefined, 't1', undefined],
    ]);
  });

  it('remembers as many as it is told to', async () => {
    await started({ token: TOKEN, remember: 2 }, async (url) => {
      const [a, b, c] = [1, 2, 3].map(() => call({ 'x-a2a-notification-token': TOKEN }));
      for (const one of [a, b, a, c, a, b]) await statusOf(url, one ?? call());
      // `a` was seen lately when `c` came, `b` was not.
      expect(inbox.got).toHaveLength(4);
    });
  });

  it.each<[string, A2APushReceiverOptions, Record<string, string>, number]>([
    ['one of two tokens', { token: ['tok-1', 'tok-2'] }, { 'x-a2a-notification-token': 'tok-2' }, 204],
    ['Authorization', { authorization: 'Bearer s3cret' }, { authorization: 'bearer s3cret' }, 204],
    ['another Authorization', { authorization: 'Bearer s3cret' }, { authorization: 'Bearer S3cret' }, 401],
    ['no Authorization', { authorization: 'Bearer s3cret' }, {}, 401],
    ['one of two', { authorization: 'Bearer s3cret', token: TOKEN }, { authorization: 'Bearer s3cret' }, 401],
    ['anyone', { allowAnyone: true }, {}, 204],
    ['the token of the task', { token: ({ taskId }) => `of ${taskId}` }, { 'x-a2a-notification-token': 'of t1' }, 204],
    [
      'the token of another task',
      { token: ({ taskId }) => `of ${taskId}` },
      { 'x-a2a-notification-token': 'of t2' },
      401,
    ],
    ['no token of the task', { token: ({ taskId }) => `of ${taskId}` }, {}, 401],
    ['a task nobody knows', { token: async () => undefined }, { 'x-a2a-notification-token': 'undefined' }, 401],
  ])('%s', async (_case, options, headers, status) => {
    await started(options, async (url) => {
      expect(await statusOf(url, call(headers))).toBe(status);
      expect(inbox.got).toHaveLength(status === 204 ? 1 : 0);
    });
  });

  it('checks signatures', async () => {
    await started({ signingSecrets: [OTHER_SECRET, SECRET] }, async (url) => {
      const text = `${JSON.stringify(UPDATE, undefined, 2)}\n`;
      const now = Date.now();
      const good = signed(text, now, SECRET, 't1/c1/1000');
      const attempts: [Record<string, string>, string, number][] = [
        [good, text, 204],
        // The same one again, under another name that nobody has signed.
        [{ ...good, 'x-a2a-notification-id': 'x' }, text, 204],
        [good, `${text} `, 401],
        [{ ...good, 'webhook-id': 't1/c1/1001' }, text, 401],
        [{ ...good, 'webhook-timestamp': String(Math.floor(now / 1000) + 1) }, text, 401],
        [signed(text, now - 301_000), text, 401],
        [signed(text, now + 310_000), text, 401],
        [signed(text, now, `whsec_${Buffer.alloc(32, 8).toString('base64')}`), text, 401],
        [{ ...good, 'webhook-signature': '' }, text, 401],
        [{ ...good, 'webhook-timestamp': '1e9' }, text, 401],
        [{}, text, 401],
      ];
      for (const [headers, body, status] of attempts) {
        expect([headers, await statusOf(url, call(headers, body))]).toEqual([headers, status]);
      }
      expect(inbox.got).toMatchObject([{ id: 't1/c1/1000', sequence: 1000 }]);
    });
  });
});

describe.each(ADAPTERS)('an agent and a receiver on %s', (adapter) => {
  it('understand each other: signature, credentials, ids, another attempt', async () => {
    const inbox = new Inbox();
    const ended = new Promise<void>((resolve) => {
      inbox.act = async ({ sequence, event }) => {
        // The first time only: it comes again.
        if (inbox.got.filter((seen) => seen.sequence === sequence).length === 1)
          throw new ServiceUnavailableException();
        if ('statusUpdate' in event && event.statusUpdate.status.state === TaskState.COMPLETED) resolve();
      };
    });
    const agent = probeModule({
      push: {
        allow: { cidrs: ['127.0.0.1/32'], allowHttp: true },
        signing: { secret: [OTHER_SECRET, SECRET] },
        retryDelaysMs: [1],
      },
    });
    const receiver = hooks({ signingSecrets: [SECRET], authorization: 'Bearer s3cret', token: TOKEN }, inbox);
    const running = await start(adapter, { module: AgentModule, imports: [agent, receiver] }, { logger });
    const authentication = { scheme: 'Bearer', credentials: 's3cret' };
    const config = { id: 'c/1', url: `${running.url}/hooks/a2a`, token: TOKEN, authentication };
    const sending = message('echo hello', {}, { configuration: { taskPushNotificationConfig: config } });
    const { body } = await send(running.url, rpc('SendMessage', sending));
    await ended;
    await running.close();
    const taskId = textAt(body, 'result.task.id');
    const told = inbox.got.map((notification) => [notification.id, notification.taskId, notification.configId]);
    const numbers = [...new Set(inbox.got.map(({ sequence }) => sequence))];
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
    // Each of them twice, the second time taken.
    expect(told).toEqual(numbers.flatMap((n) => [n, n]).map((n) => [`${taskId}/c%2F1/${n}`, taskId, 'c/1']));
  });
});

describe('A2APushReceiverModule', () => {
  it('can be told later, by a factory', async () => {
    const inbox = new Inbox();
    const module = {
      ...hooks({ token: TOKEN }, inbox),
      imports: [A2APushReceiverModule.registerAsync({ useFactory: async () => ({ token: TOKEN }) })],
    };
    const running = await start('express', module);
    expect((await send(running.url, call({ 'x-a2a-notification-token': TOKEN }))).status).toBe(204);
    await running.close();
  });

  it('is missed', async () => {
    @Module({ controllers: [HooksController], providers: [Inbox] })
    class Alone {}
    await expect(start('express', Alone)).rejects.toThrow(
      '@A2APushReceiver() needs A2APushReceiverModule.register({ token: … }) among the imports of its module',
    );
  });

  it.each<[object, string]>([
    [{}, 'A2APushReceiverModule token: is needed, or authorization, or signingSecrets; with allowAnyone'],
    [{ token: '' }, 'A2APushReceiverModule token: must be a text that is not empty'],
    [{ token: [] }, 'A2APushReceiverModule token: must be'],
    [{ authorization: [7] }, 'A2APushReceiverModule authorization: must be the whole value'],
    [{ signingSecrets: ['hunter2'] }, 'A2APushReceiverModule signingSecrets: must be an array of secrets'],
    [{ signingSecrets: [] }, 'A2APushReceiverModule signingSecrets: must be'],
    [{ token: 'a', remember: 0 }, 'A2APushReceiverModule remember: must be'],
    [{ token: 'a', maxBytes: Number.NaN }, 'A2APushReceiverModule maxBytes: must be'],
    [{ token: 'a', toleranceSeconds: '5' }, 'A2APushReceiverModule toleranceSeconds: must be'],
  ])('%#: refuses %j', async (options, message) => {
    const started = start('express', hooks(options, new Inbox()));
    await expect(started).rejects.toThrow(message);
    await expect(started).rejects.not.toThrow('hunter2');
  });
});
