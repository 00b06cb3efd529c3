import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD_PATH, JSON_RPC_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, type Call } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { probeCard } from '../probe-agent/probe.options.js';

const REQUIRED = 'https://example.com/ext/needed/v1';

/** The faults of a call, in the order in which the gate is to find them. */
const FAULTS = [
  'path',
  'authentication',
  'media type',
  'size',
  'parse',
  'envelope',
  'method',
  'version',
  'params',
  'extension',
  'capability',
  'fields',
] as const;
type Fault = (typeof FAULTS)[number];

const big = 'x'.repeat(3_000);

/** A JSON-RPC call with just these faults. */
function faultyRpc(faults: ReadonlySet<Fault>): Call {
  const params = faults.has('params') ? [] : message('echo hi', faults.has('fields') ? { role: 'ROLE_NOBODY' } : {});
  const envelope = {
    jsonrpc: faults.has('envelope') ? '1.0' : '2.0',
    id: 7,
    // Streaming is off: that is the capability which lacks.
    method: faults.has('method') ? 'Nothing' : faults.has('capability') ? 'SendStreamingMessage' : 'SendMessage',
    params,
  };
  const padded = JSON.stringify({ ...envelope, ...(faults.has('size') && { padding: big }) });
  return {
    method: faults.has('path') ? 'PUT' : 'POST',
    path: JSON_RPC_PATH,
    headers: headersOf(faults),
    body: faults.has('parse') ? padded.slice(0, -1) : padded,
  };
}

/** A REST call with just these faults; it has no envelope, and its method is its path. */
function faultyRest(faults: ReadonlySet<Fault>): Call {
  const fields = faults.has('params') ? [] : message('echo hi', faults.has('fields') ? { role: 'ROLE_NOBODY' } : {});
  const padded = JSON.stringify(faults.has('size') ? [fields, big] : fields);
  const path = faults.has('capability') ? '/message:stream' : '/message:send';
  return rest(
    faults.has('path') ? 'PUT' : 'POST',
    path,
    faults.has('parse') ? padded.slice(0, -1) : padded,
    headersOf(faults),
  );
}

function headersOf(faults: ReadonlySet<Fault>): Record<string, string> {
  return {
    'content-type': faults.has('media type') ? 'text/plain' : 'application/json',
    authorization: faults.has('authentication') ? 'nobody' : 'Bearer user:ann',
    'a2a-version': faults.has('version') ? '0.9' : '1.0',
    ...(!faults.has('extension') && { 'a2a-extensions': REQUIRED }),
  };
}

const RPC_ANSWERS: Readonly<Record<Fault, readonly [number, string, number | null]>> = {
  path: [405, 'INVALID_REQUEST', null],
  authentication: [401, 'UNAUTHENTICATED', null],
  'media type': [200, 'CONTENT_TYPE_NOT_SUPPORTED', null],
  size: [413, 'PAYLOAD_TOO_LARGE', null],
  parse: [200, 'JSON_PARSE', null],
  envelope: [200, 'INVALID_REQUEST', null],
  method: [200, 'METHOD_NOT_FOUND', 7],
  version: [200, 'VERSION_NOT_SUPPORTED', 7],
  params: [200, 'INVALID_PARAMS', 7],
  extension: [200, 'EXTENSION_SUPPORT_REQUIRED', 7],
  capability: [200, 'UNSUPPORTED_OPERATION', 7],
  fields: [200, 'INVALID_PARAMS', 7],
};

const REST_ANSWERS: Readonly<Partial<Record<Fault, readonly [number, string]>>> = {
  path: [405, 'METHOD_NOT_ALLOWED'],
  authentication: [401, 'UNAUTHENTICATED'],
  'media type': [400, 'CONTENT_TYPE_NOT_SUPPORTED'],
  size: [413, 'PAYLOAD_TOO_LARGE'],
  parse: [400, 'JSON_PARSE'],
  version: [400, 'VERSION_NOT_SUPPORTED'],
  params: [400, 'INVALID_PARAMS'],
  extension: [400, 'EXTENSION_SUPPORT_REQUIRED'],
  capability: [400, 'UNSUPPORTED_OPERATION'],
  fields: [400, 'INVALID_PARAMS'],
};

describe('the gate', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() =>
      probeModule({
        agentCard: probeCard({ streaming: false, requiredExtension: REQUIRED }),
        guards: [BelievingGuard],
        maxRequestBytes: 2_000,
      }),
    );
  });
  afterAll(() => pair.close());

  it.each(FAULTS)('over JSON-RPC finds a fault in the %s before all later ones, and alone', async (fault) => {
    const [status, reason, id] = RPC_ANSWERS[fault];
    for (const faults of [FAULTS.slice(FAULTS.indexOf(fault)), [fault]]) {
      // Params that are no object have no fields.
      const { status: got, body } = await pair.call(faultyRpc(new Set(faults)));
      expect([faults, got, at(body, 'error.data.0.reason'), at(body, 'id')]).toEqual([faults, status, reason, id]);
    }
  });

  it.each(FAULTS.filter((fault) => fault in REST_ANSWERS))(
    'over REST finds a fault in the %s before all later ones, and alone',
    async (fault) => {
      for (const faults of [FAULTS.slice(FAULTS.indexOf(fault)), [fault]]) {
        const { status, body } = await pair.call(faultyRest(new Set(faults)));
        expect([faults, status, at(body, 'error.details.0.reason')]).toEqual([faults, ...(REST_ANSWERS[fault] ?? [])]);
      }
    },
  );

  it('lets a call without a fault through', async () => {
    const viaRpc = await pair.call(faultyRpc(new Set()));
    expect(at(viaRpc.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
    const viaRest = await pair.call(faultyRest(new Set()));
    expect(at(viaRest.body, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
  });

  it.each([
    ['an unknown path', rest('POST', '/message:nothing', {}, { authorization: 'nobody' }), 404],
    ['a task’s unknown verb', rest('POST', '/tasks/x:nothing', {}, { authorization: 'nobody' }), 404],
    ['a wrong verb', rest('DELETE', '/tasks', undefined, { authorization: 'nobody' }), 405],
    ['the card', { path: CARD_PATH, headers: { authorization: 'nobody' } }, 200],
    ['a verb that the card has not', { path: CARD_PATH, method: 'DELETE', headers: { authorization: 'nobody' } }, 405],
  ])('answers %s before anyone is authenticated', async (_what, call, status) => {
    const answer = await pair.call(call);
    expect(answer.status).toBe(status);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('asks for extensions only where a message is sent', async () => {
    const viaRpc = await pair.call(rpc('ListTasks', {}));
    expect(at(viaRpc.body, 'result.totalSize')).toBe(0);
    const viaRest = await pair.call(rest('GET', '/tasks/none'));
    expect(at(viaRest.body, 'error.details.0.reason')).toBe('TASK_NOT_FOUND');
    const cancel = await pair.call(rpc('CancelTask', { id: 'none' }));
    expect(at(cancel.body, 'error.code')).toBe(-32001);
  });

  it('looks at a REST query only behind the version', async () => {
    const headers = { 'a2a-version': '0.9' };
    const answer = await pair.call(rest('GET', '/tasks?pageSize=x', undefined, headers));
    expect(at(answer.body, 'error.details.0.reason')).toBe('VERSION_NOT_SUPPORTED');
  });

  it('looks for the task only when all else is right', async () => {
    const answer = await pair.call(
      rpc('SendMessage', message('x', { taskId: 'none', parts: [] }), { 'a2a-extensions': REQUIRED }),
    );
    expect(at(answer.body, 'error.code')).toBe(-32602);
  });
});

describe('a body without a length', () => {
  it('is refused with 413 as soon as it is too large', async () => {
    const pair = await Pair.start(() => probeModule({ maxRequestBytes: 2_000 }));
    try {
      const call: Call = {
        ...rpc('SendMessage', message(big)),
        headers: { 'content-length': '', 'transfer-encoding': 'chunked' },
      };
      const answer = await pair.call(call);
      expect(answer.status).toBe(413);
      expect(at(answer.body, 'error.code')).toBe(-32600);
      const fits = await pair.call({ ...rpc('SendMessage', message('echo hi')), headers: call.headers ?? {} });
      expect(fits.status).toBe(200);
    } finally {
      await pair.close();
    }
  });
});
