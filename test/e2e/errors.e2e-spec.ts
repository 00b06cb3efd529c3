import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_CATALOG, type SpecRevision } from 'nestjs-a2a/protocol';
import { AgentCardProvider, TaskAuthorizationProvider, type AgentCardInput } from 'nestjs-a2a';
import { asUser, hurried, JSON_RPC_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, listAt, textAt, type Answer, type Call } from '../support/http-call.js';
import { Pair, type CallFor, type Side } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { probeCard } from '../probe-agent/probe.options.js';

const REQUIRED_EXTENSION = 'https://example.com/ext/needed/v1';
const WITH_EXTENSION = { 'a2a-extensions': REQUIRED_EXTENSION };

class CardWithoutExtended extends AgentCardProvider {
  override getCard(): AgentCardInput {
    return probeCard({ requiredExtension: REQUIRED_EXTENSION });
  }

  override getExtendedCard(): undefined {
    return undefined;
  }
}

/** Breaks on a task of a certain name, and lets everything else pass. */
class BreakingAuthorization extends TaskAuthorizationProvider {
  override checkCreate(): boolean {
    return true;
  }

  override checkRead(_call: unknown, taskId: string): boolean {
    if (taskId !== '') throw new Error('secret of the database');
    return true;
  }

  override checkWrite(): boolean {
    return true;
  }

  override isTaskRecorded(): boolean {
    return true;
  }

  override recordOwnership(): void {}
}

interface Case {
  readonly reason: string;
  /** Without it the error has no form on this binding. */
  readonly rpc?: CallFor;
  readonly rest?: CallFor;
  /** HTTP status of the JSON-RPC answer, where it is not 200. */
  readonly rpcStatus?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: readonly string[];
}

const big = JSON.stringify(message('x'.repeat(5_000)));
const id = (name: string) => (side: Side) => side.note(name);

const cases: readonly Case[] = [
  { reason: 'TASK_NOT_FOUND', rpc: rpc('GetTask', { id: 'none' }), rest: rest('GET', '/tasks/none') },
  {
    reason: 'TASK_NOT_CANCELABLE',
    rpc: (side) => rpc('CancelTask', { id: id('done')(side) }),
    rest: (side) => rest('POST', `/tasks/${id('done')(side)}:cancel`),
  },
  {
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    rpc: rpc('ListTaskPushNotificationConfigs', { taskId: 'none' }),
    rest: rest('GET', '/tasks/none/pushNotificationConfigs'),
  },
  {
    reason: 'UNSUPPORTED_OPERATION',
    rpc: (side) => rpc('SubscribeToTask', { id: id('done')(side) }),
    rest: (side) => rest('GET', `/tasks/${id('done')(side)}:subscribe`),
  },
  {
    reason: 'UNSUPPORTED_OPERATION',
    rpc: (side) => rpc('SendMessage', message('more', { taskId: id('done')(side) }), WITH_EXTENSION),
    rest: (side) => rest('POST', '/message:send', message('more', { taskId: id('done')(side) }), WITH_EXTENSION),
  },
  {
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    rpc: { path: JSON_RPC_PATH, body: '{}', headers: { 'content-type': 'text/plain' } },
    rest: rest('POST', '/message:send', '{}', { 'content-type': 'text/plain' }),
  },
  {
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    rpc: rpc('SendMessage', message('x', { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] }), WITH_EXTENSION),
    rest: rest(
      'POST',
      '/message:send',
      message('x', { parts: [{ raw: 'aGk=', mediaType: 'image/png' }] }),
      WITH_EXTENSION,
    ),
  },
  {
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    rpc: rpc('GetExtendedAgentCard', {}, asUser('ann')),
    rest: rest('GET', '/extendedAgentCard', undefined, asUser('ann')),
  },
  {
    reason: 'EXTENSION_SUPPORT_REQUIRED',
    rpc: rpc('SendMessage', message('echo hi')),
    rest: rest('POST', '/message:send', message('echo hi')),
  },
  {
    reason: 'VERSION_NOT_SUPPORTED',
    rpc: rpc('GetTask', { id: 'none' }, { 'a2a-version': '2.0' }),
    rest: rest('GET', '/tasks/none', undefined, { 'a2a-version': '2.0' }),
  },
  {
    reason: 'JSON_PARSE',
    rpc: { path: JSON_RPC_PATH, body: '{"jsonrpc":' },
    rest: rest('POST', '/message:send', '{"message":'),
  },
  { reason: 'JSON_PARSE', rpc: { path: JSON_RPC_PATH, body: '' }, rest: rest('POST', '/message:send', '') },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: { jsonrpc: '1.0', id: 1, method: 'GetTask' } } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: [] } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: [{ jsonrpc: '2.0', id: 1, method: 'ListTasks' }] } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: 'null' } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: { jsonrpc: '2.0', id: {}, method: 'ListTasks' } } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: { jsonrpc: '2.0', id: 1.5, method: 'ListTasks' } } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: { jsonrpc: '2.0', id: 1, method: '' } } },
  { reason: 'INVALID_REQUEST', rpc: { path: JSON_RPC_PATH, body: { jsonrpc: '2.0', id: 1 } } },
  { reason: 'METHOD_NOT_FOUND', rpc: rpc('Nothing'), rest: rest('POST', '/message:nothing', {}) },
  {
    reason: 'INVALID_PARAMS',
    rpc: rpc('SendMessage', { message: { role: 'ROLE_USER', parts: [] } }, WITH_EXTENSION),
    rest: rest('POST', '/message:send', { message: { role: 'ROLE_USER', parts: [] } }, WITH_EXTENSION),
    fields: ['message.messageId', 'message.parts'],
  },
  {
    reason: 'INVALID_PARAMS',
    rpc: rpc('SendMessage', message('x', { parts: [{ text: 'a', url: 'b' }, {}] }), WITH_EXTENSION),
    rest: rest('POST', '/message:send', message('x', { parts: [{ text: 'a', url: 'b' }, {}] }), WITH_EXTENSION),
    fields: ['message.parts[0]', 'message.parts[1]'],
  },
  {
    reason: 'INVALID_PARAMS',
    rpc: (side) =>
      rpc('SendMessage', message('x', { taskId: id('waiting')(side), contextId: 'other' }), WITH_EXTENSION),
    rest: (side) =>
      rest('POST', '/message:send', message('x', { taskId: id('waiting')(side), contextId: 'other' }), WITH_EXTENSION),
    fields: ['message.contextId'],
  },
  {
    reason: 'INVALID_PARAMS',
    rpc: rpc('ListTasks', { pageSize: 0, historyLength: -1 }),
    rest: rest('GET', '/tasks?pageSize=0&historyLength=-1'),
    fields: ['historyLength', 'pageSize'],
  },
  {
    reason: 'INVALID_PARAMS',
    rpc: rpc('ListTasks', { pageToken: 'rubbish' }),
    rest: rest('GET', '/tasks?pageToken=rubbish'),
    fields: ['pageToken'],
  },
  { reason: 'INVALID_PARAMS', rpc: rpc('GetTask', {}), fields: ['id'] },
  { reason: 'INVALID_PARAMS', rpc: rpc('ListTasks', []), fields: ['params'] },
  { reason: 'INVALID_PARAMS', rpc: rpc('ListTasks', 'x'), fields: ['params'] },
  { reason: 'INVALID_PARAMS', rpc: rpc('SendMessage'), fields: ['params'] },
  { reason: 'INVALID_PARAMS', rest: rest('POST', '/message:send', []), fields: ['params'] },
  {
    reason: 'UNAUTHENTICATED',
    rpc: rpc('GetExtendedAgentCard', {}),
    rest: rest('GET', '/extendedAgentCard'),
    rpcStatus: 401,
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    reason: 'PERMISSION_DENIED',
    rpc: rpc('ListTasks', {}, { authorization: 'forbidden' }),
    rest: rest('GET', '/tasks', undefined, { authorization: 'forbidden' }),
    rpcStatus: 403,
  },
  {
    reason: 'RESOURCE_EXHAUSTED',
    rpc: (side) => rpc('SubscribeToTask', { id: id('watched')(side) }),
    rest: (side) => rest('GET', `/tasks/${id('watched')(side)}:subscribe`),
    rpcStatus: 429,
    headers: { 'retry-after': '1' },
  },
  {
    reason: 'UNAVAILABLE',
    rpc: rpc('SendMessage', message('echo hi'), WITH_EXTENSION),
    rest: rest('POST', '/message:send', message('echo hi'), WITH_EXTENSION),
    rpcStatus: 503,
    headers: { 'retry-after': '1' },
  },
  {
    reason: 'UNAVAILABLE',
    rpc: rpc('SendStreamingMessage', message('echo hi'), WITH_EXTENSION),
    rest: rest('POST', '/message:stream', message('echo hi'), WITH_EXTENSION),
    rpcStatus: 503,
    headers: { 'retry-after': '1' },
  },
  {
    reason: 'PAYLOAD_TOO_LARGE',
    rpc: { path: JSON_RPC_PATH, body: big },
    rest: rest('POST', '/message:send', big),
    rpcStatus: 413,
    headers: { connection: 'close' },
  },
];

describe.each<SpecRevision>(['1.0.1', '1.0.0'])('errors in revision %s', (specRevision) => {
  let pair: Pair;
  let watchers: { close(): Promise<void> };
  const restType = specRevision === '1.0.0' ? 'application/json' : 'application/a2a+json';

  beforeAll(async () => {
    pair = await Pair.start(() =>
      probeModule({
        agentCard: undefined,
        push: false,
        providers: [{ provide: AgentCardProvider, useClass: CardWithoutExtended }],
        guards: [BelievingGuard],
        specRevision,
        maxRequestBytes: 4_000,
        maxSubscribersPerTask: 1,
        executorMaxSize: 1,
        executorQueueCapacity: 1,
        shutdownTimeoutSeconds: 0,
      }),
    );
    const sent = (text: string): Call => rpc('SendMessage', message(text), WITH_EXTENSION);
    await pair.note('done', 'result.task.id', sent('echo hi'));
    await pair.note('waiting', 'result.task.id', sent('pause well?'));
    await pair.note('watched', 'result.task.id', sent('pause well?'));
    watchers = await watch(pair, 'watched');
    // One runs, one waits: the next one finds no place.
    for (let place = 0; place < 2; place++) await pair.call(rpc('SendMessage', hurried('quiet 60000'), WITH_EXTENSION));
  });
  afterAll(async () => {
    await watchers.close();
    await pair.close();
  });

  it.each(cases.flatMap((one) => (one.rpc ? [{ ...one, call: one.rpc }] : [])))(
    '$reason over JSON-RPC',
    async ({ reason, call, rpcStatus = 200, headers = {}, fields }) => {
      const answer = await pair.call(call);
      const row = ERROR_CATALOG.find((entry) => entry.reason === reason);
      expect(answer.status).toBe(rpcStatus);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json', ...headers });
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: row?.jsonRpcCode } });
      expect(Object.keys(Object(at(answer.body, 'error')))).toEqual(['code', 'message', 'data']);
      expectDetails(answer, 'error.data', reason, fields);
    },
  );

  it.each(cases.flatMap((one) => (one.rest ? [{ ...one, call: one.rest }] : [])))(
    '$reason over REST',
    async ({ reason, call, headers = {}, fields }) => {
      const answer = await pair.call(call);
      const surface = ERROR_CATALOG.find((entry) => entry.reason === reason)?.surface[specRevision];
      expect(answer.status).toBe(surface?.http);
      expect(answer.headers).toMatchObject({ 'content-type': restType, ...headers });
      expect(answer.body).toMatchObject({ error: { code: surface?.http, status: surface?.status } });
      expect(Object.keys(Object(at(answer.body, 'error')))).toEqual(['code', 'status', 'message', 'details']);
      expectDetails(answer, 'error.details', reason, fields);
    },
  );

  it('creates nothing when there is no room', async () => {
    const contextId = 'full';
    await pair.call(rpc('SendMessage', message('echo hi', { contextId }), WITH_EXTENSION));
    await pair.call(rest('POST', '/message:stream', message('echo hi', { contextId }), WITH_EXTENSION));
    const list = await pair.call(rpc('ListTasks', { contextId }));
    expect(at(list.body, 'result.totalSize')).toBe(0);
  });

  it('leaves a waiting task as it is when there is no room for its answer', async () => {
    const call: CallFor = (side) =>
      rpc('SendMessage', message('more', { taskId: side.note('waiting') }), WITH_EXTENSION);
    expect(at((await pair.call(call)).body, 'error.code')).toBe(-32093);
    const task = await pair.call((side) => rpc('GetTask', { id: side.note('waiting') }));
    expect(at(task.body, 'result.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(at(task.body, 'result.history')).toHaveLength(1);
  });

  it('answers the paths and verbs that are no operation alike', async () => {
    const wrong = await pair.call(rest('PUT', '/tasks', {}));
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'HEAD, GET']);
    expect(wrong.headers['content-type']).toBe(restType);
    const rpcWrong = await pair.call({ path: JSON_RPC_PATH });
    expect([rpcWrong.status, rpcWrong.headers.allow]).toEqual([405, 'POST']);
    expect(rpcWrong.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });
});

describe('masked errors', () => {
  it('tell a correlation id and nothing else', async () => {
    const pair = await Pair.start(() =>
      probeModule({ providers: [{ provide: TaskAuthorizationProvider, useClass: BreakingAuthorization }] }),
    );
    try {
      await pair.note('task', 'result.task.id', rpc('SendMessage', message('echo hi')));
      const viaRpc = await pair.call((side) => rpc('GetTask', { id: side.note('task') }));
      expect(viaRpc.status).toBe(200);
      expect(viaRpc.body).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
      expect(textAt(viaRpc.body, 'error.data.0.metadata.correlationId')).toMatch(/^[0-9a-f-]{36}$/);
      const viaRest = await pair.call((side) => rest('GET', `/tasks/${side.note('task')}`));
      expect(viaRest.status).toBe(500);
      expect(viaRest.body).toMatchObject({ error: { code: 500, status: 'INTERNAL', message: 'Internal error' } });
      expect(viaRpc.text + viaRest.text).not.toContain('secret');
    } finally {
      await pair.close();
    }
  });
});

function expectDetails({ body }: Answer, path: string, reason: string, fields: readonly string[] | undefined): void {
  const [info, badRequest, ...more] = listAt(body, path);
  expect(info).toMatchObject({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'a2a-protocol.org',
  });
  expect(more).toEqual([]);
  if (fields === undefined) {
    expect(badRequest).toBeUndefined();
    return;
  }
  expect(at(badRequest, '@type')).toBe('type.googleapis.com/google.rpc.BadRequest');
  const violations = listAt(badRequest, 'fieldViolations');
  expect(violations.map((violation) => at(violation, 'field')).sort()).toEqual([...fields].sort());
  expect(violations.every((violation) => textAt(violation, 'description').length > 0)).toBe(true);
}

/** Opens one stream of a task on both apps. */
async function watch(pair: Pair, name: string): Promise<{ close(): Promise<void> }> {
  const clients = await pair.each((side) =>
    EventClient.open(side.url, rpc('SubscribeToTask', { id: side.note(name) })),
  );
  await Promise.all(clients.map((client) => client.frameCount(1)));
  return {
    close: async () => {
      for (const client of clients) client.leave();
      await Promise.all(clients.map((client) => client.ended));
    },
  };
}

// Kept here so that a row that is added to the table is not forgotten.
it('covers every row of the table that this server can answer with', () => {
  const never = ['INVALID_AGENT_RESPONSE', 'INTERNAL_ERROR'];
  const covered = new Set([...cases.map(({ reason }) => reason), ...never]);
  expect(ERROR_CATALOG.map(({ reason }) => reason).filter((reason) => !covered.has(reason))).toEqual([]);
});
