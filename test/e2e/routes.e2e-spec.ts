import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD_PATH, JSON_RPC_PATH, message, hurried, rest, REST_PATH, rpc } from '../support/a2a-calls.js';
import { at, send, textAt, type Call } from '../support/http-call.js';
import type { CallFor, Pair, ReadStream } from '../support/parity.js';
import { ProbeExecutor } from '../probe-agent/probe.executor.js';
import { nextMillisecond } from '../support/next-millisecond.js';
import { probePair } from '../support/probe-pair.js';
import { untilGauges } from '../support/resting-gauges.js';

const A2A_TYPE = 'application/a2a+json';

/** The streams of the tasks that are held, which go on when both are read. */
async function streamOfHeld(pair: Pair, subscribe: CallFor): Promise<ReadStream> {
  const stream = pair.stream(subscribe);
  await pair.each(async (side) => {
    await untilGauges(side.running.app, ({ readers }) => readers === 1);
    ProbeExecutor.gates.emit(side.note('held'));
  });
  return stream;
}

describe('JSON-RPC methods', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await probePair();
    await pair.note('done', 'result.task.id', rpc('SendMessage', message('echo hi')));
    await pair.note('waiting', 'result.task.id', rpc('SendMessage', message('pause what?')));
  });
  afterAll(() => pair.close());

  it('SendMessage answers with the finished task, and with a direct message', async () => {
    const task = await pair.call(rpc('SendMessage', message('echo hi')));
    expect(task.status).toBe(200);
    expect(task.headers['content-type']).toBe('application/json');
    expect(task.body).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: {
        task: {
          status: { state: 'TASK_STATE_COMPLETED' },
          artifacts: [{ parts: [{ text: 'hi' }] }],
          history: [{ role: 'ROLE_USER', parts: [{ text: 'echo hi' }] }],
        },
      },
    });
    const direct = await pair.call(rpc('SendMessage', message('message hello', { contextId: 'c-1' })));
    expect(direct.body).toMatchObject({
      result: { message: { role: 'ROLE_AGENT', contextId: 'c-1', parts: [{ text: 'hello' }] } },
    });
  });

  it('SendStreamingMessage answers with a stream of results', async () => {
    const { status, headers, frames, clean } = await pair.stream(rpc('SendStreamingMessage', message('echo hi')));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/event-stream');
    expect(clean).toBe(true);
    expect(frames.map(({ data }) => Object.keys(Object(at(data, 'result'))))).toEqual([
      ['task'],
      ['statusUpdate'],
      ['artifactUpdate'],
      ['statusUpdate'],
    ]);
    expect(frames.every(({ data }) => at(data, 'id') === 1 && at(data, 'jsonrpc') === '2.0')).toBe(true);
  });

  it('GetTask gives the bare task, with as much history as was asked for', async () => {
    const all = await pair.call((side) => rpc('GetTask', { id: side.note('done') }));
    expect(at(all.body, 'result.status.state')).toBe('TASK_STATE_COMPLETED');
    expect(at(all.body, 'result.history')).toHaveLength(1);
    const none = await pair.call((side) => rpc('GetTask', { id: side.note('done'), historyLength: 0 }));
    expect(at(none.body, 'result.history')).toBeUndefined();
    const last = await pair.call((side) => rpc('GetTask', { id: side.note('done'), history_length: '1' }));
    expect(at(last.body, 'result.history')).toHaveLength(1);
  });

  it('ListTasks gives the four fields, filters, and pages', async () => {
    const contextId = 'listed';
    for (const text of ['echo 1', 'echo 2', 'pause 3']) {
      await pair.call(rpc('SendMessage', message(text, { contextId })));
      // Tasks of the same millisecond are in the order of their ids.
      await nextMillisecond();
    }
    const all = await pair.call(rpc('ListTasks', { contextId }));
    expect(all.body).toMatchObject({ result: { nextPageToken: '', pageSize: 50, totalSize: 3 } });
    expect(at(all.body, 'result.tasks')).toHaveLength(3);
    expect(at(all.body, 'result.tasks.0.artifacts')).toBeUndefined();
    const waiting = await pair.call(rpc('ListTasks', { contextId, status: 'TASK_STATE_INPUT_REQUIRED' }));
    expect(at(waiting.body, 'result.totalSize')).toBe(1);
    const full = await pair.call(rpc('ListTasks', { contextId, includeArtifacts: true, status: 3 }));
    expect(at(full.body, 'result.tasks.0.artifacts')).toHaveLength(1);
    const first = await pair.note('page', 'result.nextPageToken', rpc('ListTasks', { contextId, pageSize: 2 }));
    expect(at(first.body, 'result.tasks')).toHaveLength(2);
    const second = await pair.call((side) =>
      rpc('ListTasks', { contextId, pageSize: 2, pageToken: side.note('page') }),
    );
    expect(second.body).toMatchObject({ result: { nextPageToken: '', totalSize: 3 } });
    expect(at(second.body, 'result.tasks')).toHaveLength(1);
  });

  it('CancelTask cancels once and again', async () => {
    await pair.note('cancelled', 'result.task.id', rpc('SendMessage', message('pause well?')));
    for (let time = 1; time <= 2; time++) {
      const answer = await pair.call((side) => rpc('CancelTask', { id: side.note('cancelled') }));
      expect(at(answer.body, 'result.status.state')).toBe('TASK_STATE_CANCELED');
    }
  });

  it('SubscribeToTask begins with the task and ends with it', async () => {
    await pair.note('held', 'result.task.id', rpc('SendMessage', hurried('held 3 1')));
    const { frames } = await streamOfHeld(pair, (side) => rpc('SubscribeToTask', { id: side.note('held') }));
    expect(at(frames[0]?.data, 'result.task.status.state')).toBe('TASK_STATE_WORKING');
    expect(at(frames.at(-1)?.data, 'result.statusUpdate.status.state')).toBe('TASK_STATE_COMPLETED');
  });

  it('GetExtendedAgentCard needs no params', async () => {
    const answer = await pair.call(rpc('GetExtendedAgentCard'));
    expect(at(answer.body, 'error.code')).toBe(-32004);
  });

  it.each(['/', '//'])('is found with %s at its end', async (slashes) => {
    const call = rpc('GetTask', { id: 'none' });
    const answers = await pair.each((side) => send(side.url, { ...call, path: JSON_RPC_PATH + slashes }));
    if (slashes === '/') expect(answers.map(({ body }) => at(body, 'error.code'))).toEqual([-32001, -32001]);
    else expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('repeats whatever id the caller chose', async () => {
    for (const id of ['a', '', 0, -7, null]) {
      const answer = await pair.call({
        path: JSON_RPC_PATH,
        body: { jsonrpc: '2.0', id, method: 'ListTasks', params: {} },
      });
      expect(at(answer.body, 'id')).toBe(id);
      expect(at(answer.body, 'result.pageSize')).toBe(50);
    }
    const without = await pair.call({ path: JSON_RPC_PATH, body: { jsonrpc: '2.0', method: 'ListTasks', params: {} } });
    expect(at(without.body, 'id')).toBeNull();
  });
});

describe('REST routes', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await probePair();
    await pair.note('done', 'task.id', rest('POST', '/message:send', message('echo hi')));
  });
  afterAll(() => pair.close());

  it('POST message:send', async () => {
    const answer = await pair.call(rest('POST', '/message:send', message('echo hi')));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(A2A_TYPE);
    expect(answer.body).toMatchObject({ task: { artifacts: [{ parts: [{ text: 'hi' }] }] } });
  });

  it('POST message:stream', async () => {
    const { frames, headers } = await pair.stream(rest('POST', '/message:stream', message('echo hi')));
    expect(headers['cache-control']).toBe('no-cache, no-transform');
    expect(frames.flatMap(({ data }) => Object.keys(Object(data)))).toEqual([
      'task',
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
  });

  it('GET tasks/{id}, with its query', async () => {
    const task = await pair.call((side) => rest('GET', `/tasks/${side.note('done')}`));
    expect(at(task.body, 'history')).toHaveLength(1);
    const bare = await pair.call((side) => rest('GET', `/tasks/${side.note('done')}?historyLength=0`));
    expect(at(bare.body, 'history')).toBeUndefined();
  });

  it('GET tasks, with its query', async () => {
    const contextId = 'rest list';
    await pair.call(rest('POST', '/message:send', message('echo 1', { contextId })));
    const list = await pair.call(
      rest('GET', `/tasks?contextId=${encodeURIComponent(contextId)}&pageSize=1&includeArtifacts=true`),
    );
    expect(list.body).toMatchObject({ pageSize: 1, totalSize: 1, nextPageToken: '' });
    expect(at(list.body, 'tasks.0.artifacts')).toHaveLength(1);
  });

  it('HEAD is as good as GET, without a body', async () => {
    const head = await pair.call((side) => rest('HEAD', `/tasks/${side.note('done')}`));
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-type']).toBe(A2A_TYPE);
  });

  it.each([undefined, {}, { metadata: { why: 'tests' } }])('POST tasks/{id}:cancel with the body %j', async (body) => {
    await pair.note('waiting', 'task.id', rest('POST', '/message:send', message('pause well?')));
    const answer = await pair.call((side) => rest('POST', `/tasks/${side.note('waiting')}:cancel`, body));
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'status.state')).toBe('TASK_STATE_CANCELED');
  });

  it.each(['GET', 'POST'])('%s tasks/{id}:subscribe', async (verb) => {
    await pair.note('held', 'task.id', rest('POST', '/message:send', hurried('held 2 1')));
    const { frames } = await streamOfHeld(pair, (side) => rest(verb, `/tasks/${side.note('held')}:subscribe`));
    expect(at(frames[0]?.data, 'task.id')).toBe(pair.sides[0].note('held'));
    expect(at(frames.at(-1)?.data, 'statusUpdate.status.state')).toBe('TASK_STATE_COMPLETED');
  });

  it('GET extendedAgentCard', async () => {
    const answer = await pair.call(rest('GET', '/extendedAgentCard'));
    expect(at(answer.body, 'error.details.0.reason')).toBe('UNSUPPORTED_OPERATION');
  });

  it.each([
    ['POST', '/message:send/', message('echo hi'), 200],
    ['GET', '/tasks/', undefined, 200],
    ['GET', '/tasks/none/', undefined, 404],
    ['POST', '/tasks/none:cancel/', {}, 404],
    ['GET', '/tasks/none/pushNotificationConfigs/', undefined, 404],
    ['GET', '/extendedAgentCard/', undefined, 400],
  ])('%s %s is found with its slash', async (verb, path, body, status) => {
    const answer = await pair.call(rest(verb, path, body));
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe(A2A_TYPE);
  });

  it.each([
    ['a colon', 'urn:task:7', 'urn:task:7'],
    ['an escaped colon', 'a%3Asubscribe', 'a:subscribe'],
    ['an escaped slash', 'a%2Fb', 'a/b'],
    ['an escaped escape', 'a%253A', 'a%3A'],
    ['a word that is a verb', 'cancel', 'cancel'],
    ['other letters', 'gr%C3%BC%C3%9Fe', 'grüße'],
  ])('takes %s for part of an id', async (_what, segment, taskId) => {
    const answer = await pair.call(rest('GET', `/tasks/${segment}`));
    expect(answer.status).toBe(404);
    expect(at(answer.body, 'error.details.0')).toMatchObject({ reason: 'TASK_NOT_FOUND', metadata: { taskId } });
  });

  it('takes what stands behind the last colon for the verb', async () => {
    const answer = await pair.call(rest('POST', '/tasks/urn:task:7:cancel'));
    expect(at(answer.body, 'error.details.0.metadata.taskId')).toBe('urn:task:7');
  });

  it.each([
    ['POST', '/tasks/urn:task:7', 'an unknown verb'],
    ['POST', '/message:nothing', 'an unknown message verb'],
    ['POST', '/message:', 'no verb'],
    ['GET', '/message:constructor', 'what every object inherits'],
    ['POST', '/tasks/x:toString', 'what every object inherits'],
    ['GET', '/tasks/%FF', 'an escape that is no UTF-8'],
    ['GET', '/nothing', 'another word'],
  ])('%s %s is not found: %s', async (verb, path) => {
    const answers = await pair.each((side) => send(side.url, rest(verb, path, verb === 'POST' ? {} : undefined)));
    expect(answers.map(({ status }) => status === 404 || (status === 400 && path.includes('%FF')))).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    ['GET', '/message:send', 'POST'],
    ['PUT', '/message:stream', 'POST'],
    ['POST', '/tasks', 'HEAD, GET'],
    ['DELETE', '/tasks/x', 'HEAD, GET'],
    ['POST', '/tasks/x', 'HEAD, GET'],
    ['GET', '/tasks/x:cancel', 'POST'],
    ['DELETE', '/tasks/x:subscribe', 'GET, POST'],
    ['DELETE', '/tasks/x/pushNotificationConfigs', 'HEAD, GET, POST'],
    ['POST', '/tasks/x/pushNotificationConfigs/y', 'HEAD, GET, DELETE'],
    ['POST', '/extendedAgentCard', 'HEAD, GET'],
  ])('%s %s is answered 405', async (verb, path, allow) => {
    const answer = await pair.call(rest(verb, path, ['GET', 'DELETE'].includes(verb) ? undefined : {}));
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.body).toMatchObject({ error: { code: 405, details: [{ reason: 'METHOD_NOT_ALLOWED' }] } });
  });

  it.each([
    [undefined, A2A_TYPE],
    ['*/*', A2A_TYPE],
    ['application/*', A2A_TYPE],
    ['application/json', 'application/json'],
    ['application/json, application/a2a+json', A2A_TYPE],
    ['text/html', A2A_TYPE],
  ])('answers who accepts %s with %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const answer = await pair.call(rest('GET', '/tasks', undefined, headers));
    expect(answer.headers['content-type']).toBe(type);
    const failure = await pair.call(rest('GET', '/tasks/none', undefined, headers));
    expect(failure.headers['content-type']).toBe(type);
    const refusal = await pair.call(rest('DELETE', '/tasks', undefined, headers));
    expect([refusal.status, refusal.headers['content-type']]).toEqual([405, type]);
  });

  it.each([A2A_TYPE, 'application/json; charset=utf-8', 'APPLICATION/A2A+JSON'])(
    'takes a body of type %s',
    async (type) => {
      const answer = await pair.call(rest('POST', '/message:send', message('echo hi'), { 'content-type': type }));
      expect(answer.status).toBe(200);
    },
  );
});

describe('slash aliases', () => {
  const aliases: readonly [string, Call][] = [
    ['send', rest('POST', '/message/send', message('echo hi'))],
    ['cancel', rest('POST', '/tasks/none/cancel', {})],
    ['subscribe', rest('GET', '/tasks/none/subscribe')],
  ];

  it('are there when asked for', async () => {
    const pair = await probePair({ slashActionAliasesEnabled: true });
    try {
      const sent = await pair.note('waiting', 'task.id', rest('POST', '/message/send', message('pause ok?')));
      expect(sent.status).toBe(200);
      const { frames } = await pair.stream(rest('POST', '/message/stream', message('echo hi')));
      expect(frames).toHaveLength(4);
      const canceled = await pair.call((side) => rest('POST', `/tasks/${side.note('waiting')}/cancel`));
      expect(at(canceled.body, 'status.state')).toBe('TASK_STATE_CANCELED');
      for (const verb of ['GET', 'POST']) {
        const ended = await pair.call((side) => rest(verb, `/tasks/${side.note('waiting')}/subscribe`));
        expect(at(ended.body, 'error.details.0.reason')).toBe('UNSUPPORTED_OPERATION');
      }
      const wrongVerb = await pair.call(rest('GET', '/message/send'));
      expect([wrongVerb.status, wrongVerb.headers.allow]).toEqual([405, 'POST']);
      const unknown = await pair.call(rest('POST', '/tasks/none/other', {}));
      expect(unknown.status).toBe(404);
      // The other paths below a task are still there.
      const push = await pair.call(rest('GET', '/tasks/none/pushNotificationConfigs'));
      expect(at(push.body, 'error.details.0.reason')).toBe('TASK_NOT_FOUND');
      const colon = await pair.call(rest('POST', '/message:send', message('echo hi')));
      expect(colon.status).toBe(200);
    } finally {
      await pair.close();
    }
  });

  it('are not there by default', async () => {
    const pair = await probePair();
    try {
      for (const [, call] of aliases) {
        const answers = await pair.each((side) => send(side.url, call));
        expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      }
    } finally {
      await pair.close();
    }
  });
});

describe('tenant routes', () => {
  const whoami = (tenant: string): Call => rest('POST', `/${tenant}/message:send`, message('whoami'));

  it('carry the tenant in the path', async () => {
    const pair = await probePair({ tenantRoutes: true });
    try {
      for (const [segment, tenant] of [
        ['acme', 'acme'],
        ['a%2Fb', 'a/b'],
        ['gr%C3%BCn', 'grün'],
        ['a%3Ab', 'a:b'],
      ] as const) {
        const answer = await pair.call(whoami(segment));
        expect(at(answer.body, 'task.artifacts.0.parts.0.data.tenant')).toBe(tenant);
        const list = await pair.call(rest('GET', `/${segment}/tasks`));
        expect(at(list.body, 'totalSize')).toBe(1);
      }
      const { frames } = await pair.stream(rest('POST', '/acme/message:stream', message('echo hi')));
      expect(frames).toHaveLength(4);
      const none = await pair.call(rest('GET', '/tasks'));
      expect(at(none.body, 'totalSize')).toBe(0);
    } finally {
      await pair.close();
    }
  });

  it('leave a tenant of the name of a route what the plain routes do not know', async () => {
    const pair = await probePair({ tenantRoutes: true });
    try {
      await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause ok?', {}, { tenant: 'tasks' })));
      const found = await pair.call((side) => rest('GET', `/tasks/tasks/${side.note('id')}`));
      expect(found.status).toBe(200);
      // A task's name, to the plain routes.
      const task = await pair.call(rest('GET', '/tasks/tasks'));
      expect(at(task.body, 'error.details.0.metadata.taskId')).toBe('tasks');
      const sent = await pair.call(rest('POST', '/tasks/message:send', message('whoami')));
      expect(sent.status).toBe(404);
    } finally {
      await pair.close();
    }
  });

  it('keep the tasks of tenants apart, in the path and in the body', async () => {
    const pair = await probePair({ tenantRoutes: true });
    try {
      await pair.note('id', 'task.id', rest('POST', '/acme/message:send', message('pause ok?')));
      const found = await pair.call((side) => rest('GET', `/acme/tasks/${side.note('id')}`));
      expect(found.status).toBe(200);
      const byQuery = await pair.call((side) => rest('GET', `/tasks/${side.note('id')}?tenant=acme`));
      expect(byQuery.status).toBe(200);
      const byParams = await pair.call((side) => rpc('GetTask', { id: side.note('id'), tenant: 'acme' }));
      expect(at(byParams.body, 'result.id')).toBe(pair.sides[0].note('id'));
      for (const path of ['/other/tasks/', '/tasks/']) {
        const foreign = await pair.call((side) => rest('GET', path + side.note('id')));
        expect(foreign.status).toBe(404);
      }
      const cancelled = await pair.call((side) => rest('POST', `/acme/tasks/${side.note('id')}:cancel`));
      expect(at(cancelled.body, 'status.state')).toBe('TASK_STATE_CANCELED');
    } finally {
      await pair.close();
    }
  });

  it('refuse a body that names another tenant', async () => {
    const pair = await probePair({ tenantRoutes: true });
    try {
      const answer = await pair.call(rest('POST', '/acme/message:send', message('whoami', {}, { tenant: 'other' })));
      expect(answer.status).toBe(400);
      expect(at(answer.body, 'error.details.1.fieldViolations.0.field')).toBe('tenant');
      const same = await pair.call(rest('POST', '/acme/message:send', message('whoami', {}, { tenant: 'acme' })));
      expect(same.status).toBe(200);
    } finally {
      await pair.close();
    }
  });

  it('also come with slashes', async () => {
    const pair = await probePair({ tenantRoutes: true, slashActionAliasesEnabled: true });
    try {
      const answer = await pair.call(rest('POST', '/acme/message/send', message('whoami')));
      expect(at(answer.body, 'task.artifacts.0.parts.0.data.tenant')).toBe('acme');
      const task = await pair.call(rest('POST', '/acme/tasks/none/cancel'));
      expect(at(task.body, 'error.details.0.reason')).toBe('TASK_NOT_FOUND');
      // What the plain routes know is theirs.
      const plain = await pair.call(rest('POST', '/message/send', message('whoami')));
      expect(at(plain.body, 'task.artifacts.0.parts.0.data.tenant')).toBe('');
    } finally {
      await pair.close();
    }
  });

  it('are not there by default', async () => {
    const pair = await probePair();
    try {
      const answers = await pair.each((side) => send(side.url, whoami('acme')));
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    } finally {
      await pair.close();
    }
  });
});

describe('the card', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await probePair();
  });
  afterAll(() => pair.close());

  it('is served with what caches need', async () => {
    const answer = await pair.call({ path: CARD_PATH });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['cache-control']).toBe('public, max-age=3600');
    const { url } = pair.sides[0];
    expect(answer.body).toMatchObject({
      name: 'Probe',
      capabilities: { streaming: true, pushNotifications: true },
      supportedInterfaces: [
        { url: url + JSON_RPC_PATH, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: url + REST_PATH, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
    });
    // No capability that is not there.
    expect(at(answer.body, 'capabilities.extendedAgentCard')).not.toBe(true);
  });

  it('answers HEAD with the same head', async () => {
    const got = await pair.call({ path: CARD_PATH });
    const head = await pair.call({ path: CARD_PATH, method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    for (const name of ['etag', 'last-modified', 'content-length', 'content-type']) {
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    }
  });

  it('answers 304 to who has it already', async () => {
    const tags = await pair.each(async ({ url }) => textAt((await send(url, { path: CARD_PATH })).headers, 'etag'));
    const times = await pair.each(async ({ url }) =>
      textAt((await send(url, { path: CARD_PATH })).headers, 'last-modified'),
    );
    const index = (adapter: string): number => (adapter === 'express' ? 0 : 1);
    for (const method of ['GET', 'HEAD']) {
      for (const header of [
        (side: string) => ({ 'if-none-match': tags[index(side)] ?? '' }),
        (side: string) => ({ 'if-none-match': `"other", W/${tags[index(side)]}` }),
        (side: string) => ({ 'if-modified-since': times[index(side)] ?? '' }),
      ]) {
        const answer = await pair.call((side) => ({ path: CARD_PATH, method, headers: header(side.adapter) }));
        expect(answer).toMatchObject({ status: 304, text: '' });
      }
    }
    const changed = await pair.call({ path: CARD_PATH, headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('answers %s with 405', async (method) => {
    const answer = await pair.call({ path: CARD_PATH, method, ...(method === 'DELETE' ? {} : { body: {} }) });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('is found with a slash at its end', async () => {
    const answer = await pair.call({ path: `${CARD_PATH}/` });
    expect(at(answer.body, 'name')).toBe('Probe');
  });

  it.each<Call>([
    { path: '/.well-known/agent.json' },
    { path: '/tasks/send', body: {} },
    { path: '/message:send', body: {} },
    { path: '/', body: {} },
  ])('names what it does not serve as not found: $path', async (call) => {
    const answers = await pair.each((side) => send(side.url, call));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('paths of the host’s choice', () => {
  it.each([
    ['/', '/rest', '/', '/rest'],
    ['/deep/er/rpc', '/deep/er', '/deep/er/rpc', '/deep/er'],
  ])('JSON-RPC at %s, REST at %s', async (jsonRpcPath, pathPrefix, rpcPath, restPath) => {
    const pair = await probePair({ jsonRpcPath, pathPrefix });
    try {
      const viaRpc = await pair.call(rpc('SendMessage', message('echo hi'), {}, rpcPath));
      expect(at(viaRpc.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
      const viaRest = await pair.call({ path: `${restPath}/message:send`, body: message('echo hi') });
      expect(at(viaRest.body, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
      const { body } = await pair.call({ path: CARD_PATH });
      const { url } = pair.sides[0];
      expect(at(body, 'supportedInterfaces.0.url')).toBe(url + rpcPath);
      expect(at(body, 'supportedInterfaces.1.url')).toBe(url + restPath);
    } finally {
      await pair.close();
    }
  });
});
