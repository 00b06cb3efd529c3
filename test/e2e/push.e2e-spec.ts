import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { A2ADiagnostics } from 'nestjs-a2a';
import { hurried, message, rest, rpc } from '../support/a2a-calls.js';
import { Hook, type HookAnswer, type HookCall } from '../support/hook.js';
import { at, listAt, send, textAt } from '../support/http-call.js';
import type { Pair, Side } from '../support/parity.js';
import { probePair } from '../support/probe-pair.js';

const WORKING = 'TASK_STATE_WORKING';
const COMPLETED = 'TASK_STATE_COMPLETED';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CREATE = 'CreateTaskPushNotificationConfig';
const GET = 'GetTaskPushNotificationConfig';
const LIST = 'ListTaskPushNotificationConfigs';
const DELETE = 'DeleteTaskPushNotificationConfig';

let pair: Pair;
let hooks: Hook[] = [];

beforeAll(async () => {
  pair = await probePair({
    pushUrlValidator: () => true,
    push: { retryDelaysMs: [1], jitter: 0, timeoutMs: 2_000, drainSeconds: 0, signing: { secret: SECRET } },
  });
});

afterEach(async () => {
  await Promise.all(hooks.map((hook) => hook.close()));
  hooks = [];
});

afterAll(async () => {
  await pair.close();
});

async function hook(answer?: (n: number, call: HookCall) => HookAnswer): Promise<Hook> {
  const opened = await Hook.open(answer);
  hooks.push(opened);
  return opened;
}

/** A hook of its own for each side. */
async function hookOfEach(answer?: (n: number, call: HookCall) => HookAnswer): Promise<(side: Side) => Hook> {
  const [express, fastify] = [await hook(answer), await hook(answer)];
  return (side) => (side.adapter === 'express' ? express : fastify);
}

function inline(config: object, more: object = {}): Readonly<Record<string, unknown>> {
  return { configuration: { taskPushNotificationConfig: config, ...more } };
}

/** A task that waits for an answer, on both sides. */
async function pausedTask(): Promise<void> {
  await pair.note('task', 'result.task.id', rpc('SendMessage', message('pause q')));
}

function errorFields(body: unknown): unknown[] {
  return listAt(body, 'error.data').flatMap((detail) => {
    const violations = at(detail, 'fieldViolations');
    return Array.isArray(violations) ? violations.map((violation) => at(violation, 'field')) : [];
  });
}

describe('a config that comes with a message', () => {
  it.each([
    ['SendMessage', 'rpc'],
    ['SendStreamingMessage', 'rpc'],
    ['/message:send', 'rest'],
    ['/message:stream', 'rest'],
  ] as const)('gets every event of %s over %s, in order, with both headers, to the end', async (what, binding) => {
    const of = await hookOfEach();
    await pair.each(async (side) => {
      const { url } = of(side);
      const config = { url, token: 'tok', authentication: { scheme: 'Bearer', credentials: 'cred' } };
      const params = message('slow 2 1', {}, inline(config));
      await send(side.url, binding === 'rpc' ? rpc(what, params) : rest('POST', what, params));
      await of(side).untilWord(COMPLETED);
      const { calls, words, ids } = of(side);
      expect(words).toEqual(['task TASK_STATE_SUBMITTED', WORKING, 'c1 ', 'c2 ', COMPLETED]);
      const taskId = textAt(calls[0]?.body, 'task.id');
      expect(ids).toEqual([1, 2, 3, 4, 5].map((n) => `${taskId}/${taskId}/${n}`));
      for (const { method, path, headers, body } of calls) {
        expect([method, path]).toEqual(['POST', '/hook']);
        expect(headers).toMatchObject({
          'content-type': 'application/a2a+json',
          authorization: 'Bearer cred',
          'x-a2a-notification-token': 'tok',
          'webhook-signature': expect.stringMatching(/^v1,/),
        });
        expect(headers['webhook-id']).toBe(headers['x-a2a-notification-id']);
        expect(Object.keys(Object(body))).toHaveLength(1);
      }
    });
  });

  it('is stored before the run begins, so that the task is there at once', async () => {
    const of = await hookOfEach();
    await pair.each(async (side) => {
      const answer = await send(
        side.url,
        rpc('SendMessage', message('message hello', {}, inline({ url: of(side).url }))),
      );
      expect(at(answer.body, 'result.task.status.state')).toBe(COMPLETED);
      await of(side).untilWord(COMPLETED);
      expect(of(side).words).toEqual(['task TASK_STATE_SUBMITTED', COMPLETED]);
    });
  });

  it('is taken over by the next message of the task, without an id of its own', async () => {
    const [first, second] = [await hookOfEach(), await hookOfEach()];
    await pair.each(async (side) => {
      const paused = await send(side.url, rpc('SendMessage', message('pause q', {}, inline({ url: first(side).url }))));
      const taskId = textAt(paused.body, 'result.task.id');
      await first(side).untilWord('TASK_STATE_INPUT_REQUIRED');
      const before = first(side).calls.length;
      await send(side.url, rpc('SendMessage', message('x', { taskId }, inline({ url: second(side).url }))));
      await second(side).untilWord(COMPLETED);
      expect(second(side).words[0]).toBe(`task ${WORKING}`);
      expect(first(side).calls).toHaveLength(before);
      const list = await send(side.url, rpc(LIST, { taskId }));
      expect(listAt(list.body, 'result.configs')).toEqual([{ id: taskId, taskId, url: second(side).url }]);
    });
  });

  it('is put back when the message is refused', async () => {
    await pausedTask();
    await pair.each((side) => send(side.url, rpc('CancelTask', { id: side.note('task') })));
    const params = (side: Side) => message('x', { taskId: side.note('task') }, inline({ url: 'http://127.0.0.1:1' }));
    const refused = await pair.call((side) => rpc('SendMessage', params(side)));
    expect(at(refused.body, 'error.code')).toBe(-32004);
    const list = await pair.call((side) => rpc(LIST, { taskId: side.note('task') }));
    expect(at(list.body, 'result')).toEqual({ configs: [], nextPageToken: '' });
  });

  it.each([
    ['a URL that is none', { url: 'not a url' }, 'url'],
    ['another task', { url: 'http://127.0.0.1:1', taskId: 'other' }, 'taskId'],
    ['a token that no header can hold', { url: 'http://127.0.0.1:1', token: 'a\nb' }, 'token'],
  ])('is refused with %s before anything is made', async (_what, config, field) => {
    const before = await pair.call(rpc('ListTasks', {}));
    const answer = await pair.call(rpc('SendMessage', message('echo', {}, inline(config))));
    expect(at(answer.body, 'error.code')).toBe(-32602);
    expect(errorFields(answer.body)).toEqual([`configuration.taskPushNotificationConfig.${field}`]);
    const after = await pair.call(rpc('ListTasks', {}));
    expect(at(after.body, 'result.totalSize')).toBe(at(before.body, 'result.totalSize'));
  });
});

describe('configs', () => {
  it('are made, shown, listed and deleted over JSON-RPC, without their secrets', async () => {
    await pausedTask();
    const of = (side: Side) => side.note('task');
    const authentication = { scheme: 'Bearer', credentials: 'cred-secret' };
    const created = await pair.note('config', 'result.id', (side) =>
      rpc(CREATE, { taskId: of(side), url: 'http://127.0.0.1:1/h?k=v', token: 'tok-secret', authentication }),
    );
    const got = await pair.call((side) => rpc(GET, { taskId: of(side), id: side.note('config') }));
    const listed = await pair.call((side) => rpc(LIST, { taskId: of(side) }));
    for (const config of [at(created.body, 'result'), at(got.body, 'result'), at(listed.body, 'result.configs.0')]) {
      expect(config).toEqual({
        id: expect.any(String),
        taskId: expect.any(String),
        url: 'http://127.0.0.1:1/h?k=v',
        authentication: { scheme: 'Bearer' },
      });
    }
    for (let time = 0; time < 2; time++) {
      const deleted = await pair.call((side) => rpc(DELETE, { taskId: of(side), id: side.note('config') }));
      expect(at(deleted.body, 'error')).toBeUndefined();
    }
    const gone = await pair.call((side) => rpc(GET, { taskId: of(side), id: side.note('config') }));
    expect(at(gone.body, 'error.code')).toBe(-32001);
  });

  it('are made, shown, listed and deleted over REST, where the path names the task', async () => {
    await pausedTask();
    const path = (side: Side) => `/tasks/${side.note('task')}/pushNotificationConfigs`;
    const created = await pair.note('config', 'id', (side) =>
      rest('POST', path(side), { url: 'http://127.0.0.1:1/h', taskId: 'another' }),
    );
    expect(created.status).toBe(200);
    const got = await pair.call((side) => rest('GET', `${path(side)}/${side.note('config')}`));
    expect(got.body).toMatchObject({ url: 'http://127.0.0.1:1/h', taskId: expect.any(String) });
    const listed = await pair.call((side) => rest('GET', path(side)));
    expect(listAt(listed.body, 'configs')).toHaveLength(1);
    for (let time = 0; time < 2; time++) {
      const deleted = await pair.call((side) => rest('DELETE', `${path(side)}/${side.note('config')}`));
      expect([deleted.status, deleted.text]).toEqual([204, '']);
    }
    const gone = await pair.call((side) => rest('GET', `${path(side)}/${side.note('config')}`));
    expect(gone.status).toBe(404);
  });

  it('are listed page by page', async () => {
    await pausedTask();
    for (const id of ['b', 'c', 'a']) {
      await pair.call((side) => rpc(CREATE, { taskId: side.note('task'), id, url: 'http://127.0.0.1:1' }));
    }
    const first = await pair.note('token', 'result.nextPageToken', (side) =>
      rpc(LIST, { taskId: side.note('task'), pageSize: 2 }),
    );
    const second = await pair.call((side) => rpc(LIST, { taskId: side.note('task'), pageToken: side.note('token') }));
    const ids = [first, second].flatMap(({ body }) => listAt(body, 'result.configs').map((config) => at(config, 'id')));
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(at(second.body, 'result.nextPageToken')).toBe('');
    const wrong = await pair.call((side) => rpc(LIST, { taskId: side.note('task'), pageToken: 'AAAA' }));
    expect(at(wrong.body, 'error.code')).toBe(-32602);
  });

  it('are at most 32 a task; replacing one is possible always', async () => {
    await pausedTask();
    const create = (id: string, url = 'http://127.0.0.1:1') =>
      pair.call((side) => rpc(CREATE, { taskId: side.note('task'), id, url }));
    for (let n = 0; n < 32; n++) expect(at((await create(`c${n}`)).body, 'result.id')).toBe(`c${n}`);
    expect(at((await create('c32')).body, 'error.code')).toBe(-32602);
    expect(at((await create('c3', 'http://127.0.0.1:1/b')).body, 'result.url')).toBe('http://127.0.0.1:1/b');
  });

  it.each([
    ['no task', { taskId: '' }, -32602, 'taskId'],
    ['a task that is not there', { taskId: 'none' }, -32001, undefined],
    ['no url', { url: '' }, -32602, 'url'],
    ['a relative url', { url: '/hook' }, -32602, 'url'],
    ['a url of another scheme', { url: 'ftp://a.example' }, -32602, 'url'],
    ['a url with a line end', { url: 'http://127.0.0.1:1/\n' }, -32602, 'url'],
    ['a url that is too long', { url: `http://127.0.0.1:1/${'x'.repeat(2048)}` }, -32602, 'url'],
    ['an id that is too long', { id: 'x'.repeat(257) }, -32602, 'id'],
    ['a token with a NUL', { token: 'a\0' }, -32602, 'token'],
    ['a token outside of Latin-1', { token: 'ŧ' }, -32602, 'token'],
    ['no scheme', { authentication: { credentials: 'c' } }, -32602, 'authentication.scheme'],
    ['a scheme of two words', { authentication: { scheme: 'a b' } }, -32602, 'authentication.scheme'],
    [
      'credentials that add a header',
      { authentication: { scheme: 'Bearer', credentials: 'a\r\nX-Evil: 1' } },
      -32602,
      'authentication.credentials',
    ],
  ])('are refused with %s', async (_what, fields, code, field) => {
    await pausedTask();
    const answer = await pair.call((side) =>
      rpc(CREATE, { taskId: side.note('task'), url: 'http://127.0.0.1:1', ...fields }),
    );
    expect(at(answer.body, 'error.code')).toBe(code);
    if (field !== undefined) expect(errorFields(answer.body)).toContain(field);
    expect(answer.text).not.toContain('X-Evil');
  });
});

describe('a config that is made later', () => {
  it('gets the task as it is, then what follows', async () => {
    const of = await hookOfEach();
    await pausedTask();
    await pair.each(async (side) => {
      const taskId = side.note('task');
      await send(side.url, rpc(CREATE, { taskId, id: 'my/cönfig', url: of(side).url }));
      await of(side).untilWord('task TASK_STATE_INPUT_REQUIRED');
      await send(side.url, rpc('SendMessage', message('x', { taskId })));
      await of(side).untilWord(COMPLETED);
      expect(of(side).words).toEqual(['task TASK_STATE_INPUT_REQUIRED', WORKING, 'got: x', COMPLETED]);
      expect(of(side).ids[0]).toBe(`${taskId}/my%2Fc%C3%B6nfig/2`);
    });
  });

  it('gets the task also when that has ended', async () => {
    const of = await hookOfEach();
    await pair.note('task', 'result.task.id', rpc('SendMessage', message('echo hi')));
    await pair.each(async (side) => {
      await send(side.url, rpc(CREATE, { taskId: side.note('task'), url: of(side).url }));
      await of(side).untilWord(`task ${COMPLETED}`);
      expect(at(of(side).calls[0]?.body, 'task.artifacts.0.parts.0.text')).toBe('hi');
    });
  });

  it('gets nothing after it was deleted or replaced', async () => {
    const [first, second] = [await hookOfEach(), await hookOfEach()];
    await pausedTask();
    await pair.each(async (side) => {
      const taskId = side.note('task');
      const create = (id: string, url: string) => send(side.url, rpc(CREATE, { taskId, id, url }));
      await create('deleted', first(side).url);
      await create('replaced', first(side).url);
      await first(side).until((calls) => calls.length === 2);
      await send(side.url, rpc(DELETE, { taskId, id: 'deleted' }));
      await create('replaced', second(side).url);
      await send(side.url, rpc('SendMessage', message('x', { taskId })));
      await second(side).untilWord(COMPLETED);
      expect(first(side).calls).toHaveLength(2);
    });
  });
});

describe('delivery', () => {
  it.each([408, 425, 429, 500, 503])('tries again after %d, and loses nothing', async (status) => {
    const of = await hookOfEach((n) => (n % 2 === 1 ? status : 200));
    await pair.each(async (side) => {
      await send(side.url, rpc('SendMessage', message('slow 2 1', {}, inline({ url: of(side).url }))));
      await of(side).until((calls) => calls.length === 10);
      const { words, ids } = of(side);
      expect(words.filter((_word, index) => index % 2 === 1)).toEqual([
        'task TASK_STATE_SUBMITTED',
        WORKING,
        'c1 ',
        'c2 ',
        COMPLETED,
      ]);
      expect(new Set(ids).size).toBe(5);
    });
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 410])(
    'does not try again after %d, and follows nothing',
    async (status) => {
      const of = await hookOfEach((n) => (n === 1 ? { status, headers: { location: '/elsewhere' } } : 200));
      await pair.each(async (side) => {
        await send(side.url, rpc('SendMessage', message('slow 1 1', {}, inline({ url: of(side).url }))));
        await of(side).untilWord(COMPLETED);
        expect(of(side).words).toEqual(['task TASK_STATE_SUBMITTED', WORKING, 'c1 ', COMPLETED]);
        expect(of(side).calls.every(({ path }) => path === '/hook')).toBe(true);
      });
    },
  );

  it('does not hold up the task when a receiver hangs, and hangs up when its config is deleted', async () => {
    const of = await hookOfEach(() => 'hang');
    await pair.each(async (side) => {
      const diagnostics = side.running.app.get(A2ADiagnostics, { strict: false });
      const params = message('slow 2 1', {}, inline({ url: of(side).url }));
      const answer = await send(side.url, rpc('SendMessage', params));
      expect(at(answer.body, 'result.task.status.state')).toBe(COMPLETED);
      const taskId = textAt(answer.body, 'result.task.id');
      await of(side).until(() => of(side).hanging === 1);
      expect(diagnostics.gauges().pushQueued).toBeGreaterThanOrEqual(5);
      await send(side.url, rpc(DELETE, { taskId, id: taskId }));
      await of(side).until(() => of(side).hanging === 0);
      expect(of(side).calls).toHaveLength(1);
    });
  });

  it('goes on when the sender has long hung up', async () => {
    const of = await hookOfEach();
    await pair.each(async (side) => {
      const params = Object.assign(hurried('slow 3 1'), inline({ url: of(side).url }, { returnImmediately: true }));
      const answer = await send(side.url, rpc('SendMessage', params));
      expect(at(answer.body, 'result.task.status.state')).not.toBe(COMPLETED);
      await of(side).untilWord(COMPLETED);
    });
  });
});
