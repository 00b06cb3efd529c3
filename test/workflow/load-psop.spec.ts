import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HttpAuthProvider,
  HttpConnectionException,
  HttpResponseException,
  HttpServiceException,
  LoadPsop,
  type LoadPsopOptions,
  TimeoutException,
  TlsPolicy,
  WorkflowArgumentError,
} from 'nestjs-a2a/workflow';
import { caught } from '../support/caught.js';
import { halfAnswer, JsonService, type ServiceScript } from '../support/workflow/json-service.js';

const SECRET = 'hunter2';
const service = new JsonService();
beforeAll(() => service.start());
beforeEach(() => service.reset());
afterAll(() => service.close());

const envelope = (data: unknown): object => ({ code: 200, message: 'ok', status: 'success', data });
const psop = {
  id: 'p1',
  name: '割接',
  description: 'd',
  user_intent: 'u',
  related_preflow: '',
  created_at: '2026-01-01',
  tags: ['a'],
  steps: [{ name: 'A', subtasks: [{ agent: 'X', description: 'x', status: 'pending' }], next: [], type: 'AllSuccess' }],
};
const FOUND = {
  workflow_id: 'w',
  workflow_type: 'psop',
  name: 'n',
  description: 'd',
  tags: ['a'],
  created_at: 'c',
  score: 0.5,
  user_intent: 'u',
  related_preflow: 'r',
  tasks_summary: 't',
};
const found = {
  workflowId: 'w',
  workflowType: 'psop',
  name: 'n',
  description: 'd',
  tags: ['a'],
  createdAt: 'c',
  score: 0.5,
  userIntent: 'u',
  relatedPreflow: 'r',
  tasksSummary: 't',
};
const EMPTY = {
  workflowId: '',
  workflowType: '',
  name: '',
  description: null,
  tags: [],
  createdAt: '',
  score: 1,
  userIntent: '',
  relatedPreflow: '',
  tasksSummary: '',
};

describe('LoadPsop.load', () => {
  it.each<readonly [what: string, body: object]>([
    ['the data of an envelope', envelope(psop)],
    ['the whole answer where there is none', psop],
  ])('gives the workflow in %s', async (_what, body) => {
    service.script = () => [200, body];
    expect(await LoadPsop.load(`${service.url}//`, 'p1')).toMatchObject({
      id: 'p1',
      name: '割接',
      steps: [{ name: 'A', subtasks: [{ agent: 'X', description: 'x' }] }],
    });
    expect(service.lines).toEqual(['GET /api/v1/orchestrate/psop/p1']);
    expect(service.authorizations).toEqual([undefined]);
  });

  it('asks for any id there, and for nothing else', async () => {
    service.script = () => [200, psop];
    await LoadPsop.load(service.url, '../a b/中?x#y');
    expect(service.lines).toEqual(['GET /api/v1/orchestrate/psop/..%2Fa%20b%2F%E4%B8%AD%3Fx%23y']);
  });

  it.each([
    ['', 'psopId must not be blank'],
    [' ', 'psopId must not be blank'],
    ['\ud800', 'psopId must be well-formed text'],
    ['.', "psopId must not be '.'"],
    ['..', "psopId must not be '..'"],
  ])('does not ask for %p', async (psopId, message) => {
    expect(await caught(LoadPsop.load(service.url, psopId))).toEqual(new WorkflowArgumentError(message));
  });

  it.each<readonly [what: string, body: unknown]>([
    ['no data', envelope(null)],
    ['text', envelope('x')],
    ['a list', []],
    ['no steps', envelope({ id: 'p' })],
    ['steps of another form', envelope({ steps: [1] })],
    ['steps of another type', envelope({ steps: [{ name: 'A', type: SECRET }] })],
  ])('refuses what is no workflow: %s', async (_what, body) => {
    service.script = () => [200, body];
    const error = await caught(LoadPsop.load(service.url, 'p'));
    expect(error).toEqual(new HttpResponseException('Orchestration center', 200, 'the answer is no workflow'));
    expect(error.cause).toBeUndefined();
  });
});

describe('LoadPsop.search', () => {
  it('gives what was found, with a default for what is missing', async () => {
    const { workflow_id: id, ...rest } = FOUND;
    service.script = () => [
      200,
      envelope([FOUND, { ...rest, id }, {}, { id: 7, tags: 'x', score: 'x', description: null }]),
    ];
    expect(await LoadPsop.search(service.url, '割接 intent')).toEqual([
      found,
      found,
      EMPTY,
      { ...EMPTY, workflowId: '7' },
    ]);
    expect(service.asked).toMatchObject([
      { line: 'POST /api/v1/orchestrate/search', body: { intent: '割接 intent', top_n: 5 } },
    ]);
    expect(service.asked[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('asks for so many', async () => {
    service.script = () => [200, envelope([])];
    expect(await LoadPsop.search(service.url, 'x', 20)).toEqual([]);
    expect(service.asked[0]?.body).toEqual({ intent: 'x', top_n: 20 });
  });

  it.each<readonly [intent: string, topN: number, message: string]>([
    [' ', 5, 'intent must not be blank'],
    ['x', 0, 'topN must be a positive whole number'],
    ['x', 1.5, 'topN must be a positive whole number'],
  ])('does not ask for %p, %p', async (intent, topN, message) => {
    expect(await caught(LoadPsop.search(service.url, intent, topN))).toEqual(new WorkflowArgumentError(message));
  });

  it.each<readonly [what: string, body: unknown]>([
    ['no data', envelope(null)],
    ['an object', envelope({})],
    ['text in it', envelope(['x'])],
  ])('refuses what is no list of workflows: %s', async (_what, body) => {
    service.script = () => [200, body];
    expect(await caught(LoadPsop.search(service.url, 'x'))).toEqual(
      new HttpResponseException('Orchestration center', 200, 'the answer is no list of workflows'),
    );
  });
});

type Call = (options?: LoadPsopOptions) => Promise<unknown>;
const calls: readonly (readonly [name: string, call: Call])[] = [
  ['load', (options) => LoadPsop.load(service.url, 'p', options)],
  ['search', (options) => LoadPsop.search(service.url, 'x', undefined, options)],
];

describe.each(calls)('a center that fails: %s', (name, call) => {
  const good: ServiceScript = () => [200, envelope(name === 'load' ? psop : [])];

  it.each([301, 302, 308, 400, 401, 403, 404, 422, 500, 503])('is told by its status alone: %d', async (status) => {
    service.script = (_request, response) => {
      response.setHeader('location', `${service.url}/elsewhere`);
      return [status, { code: status, message: SECRET, status: 'error', data: null }];
    };
    const error = await caught(call());
    expect(error).toEqual(new HttpServiceException('Orchestration center', status));
    expect(error.message).toBe(`Orchestration center returned ${status}`);
    expect(service.asked).toHaveLength(1);
  });

  it.each<readonly [what: string, script: ServiceScript]>([
    ['no JSON', () => [200, SECRET]],
    ['nothing', () => [204]],
    ['too much', () => [200, envelope('x'.repeat(200))]],
  ])('is told without what it says: %s', async (_what, script) => {
    service.script = script;
    const error = await caught(call({ maxAnswerBytes: 100 }));
    expect(error).toBeInstanceOf(HttpResponseException);
    expect([error.message.includes(SECRET), error.cause]).toEqual([false, undefined]);
  });

  it.each<readonly [what: string, script: ServiceScript]>([
    ['headers', () => undefined],
    ['the rest of a body', halfAnswer],
  ])('is waited for as long as the read timeout: %s', async (_what, script) => {
    service.script = script;
    const error = await caught(call({ timeouts: new LoadPsop.Timeouts(5_000, 30) }));
    expect(error).toEqual(new TimeoutException('Orchestration center did not answer in time'));
  });

  it('is not waited for any longer by a body that comes bit by bit', async () => {
    let dripping: NodeJS.Timeout | undefined;
    service.script = (request, response) => {
      halfAnswer(request, response);
      dripping = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(dripping));
    };
    const error = await caught(call({ timeouts: new LoadPsop.Timeouts(40, 40) }));
    expect(error).toBeInstanceOf(TimeoutException);
  });

  it('is left when the caller leaves', async () => {
    const reason = new Error('left');
    const leaving = new AbortController();
    service.script = (request, response) => {
      halfAnswer(request, response);
      leaving.abort(reason);
    };
    expect(await caught(call({ signal: leaving.signal }))).toBe(reason);
    expect(await caught(call({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(service.asked).toHaveLength(1);
  });

  it('may not be reached', async () => {
    expect(await caught(call({ network: {} }))).toBeInstanceOf(HttpConnectionException);
    expect(service.asked).toEqual([]);
  });

  class Rotating extends HttpAuthProvider {
    readonly rejected: (readonly [uri: string, headers: object])[] = [];
    count = 0;
    constructor(private readonly answer: boolean) {
      super();
    }
    headersFor(): Record<string, string> {
      return { Authorization: `t${(this.count += 1)}` };
    }
    override onUnauthorized(uri: URL, headers: object): boolean {
      this.rejected.push([uri.href, headers]);
      return this.answer;
    }
  }

  it.each<readonly [what: string, statuses: readonly number[], answer: boolean, sent: readonly string[], last: number]>(
    [
      ['401, then others that fit', [401, 200], true, ['t1', 't2'], 200],
      ['401 twice', [401, 401, 200], true, ['t1', 't2'], 401],
      ['401 without others', [401, 200], false, ['t1'], 401],
      ['401, then a failure', [401, 503, 200], true, ['t1', 't2'], 503],
      ['403', [403, 200], true, ['t1'], 403],
      ['503', [503, 200], true, ['t1'], 503],
    ],
  )('with credentials that are refused: %s', async (_what, statuses, answer, sent, last) => {
    const left = [...statuses];
    service.script = (request, response) => {
      const status = left.shift() ?? 500;
      return status === 200 ? good(request, response) : [status, {}];
    };
    const auth = new Rotating(answer);
    if (last === 200) await call({ auth });
    else expect(await caught(call({ auth }))).toEqual(new HttpServiceException('Orchestration center', last));
    expect(service.authorizations).toEqual(sent);
    const line = service.lines[0]?.split(' ')[1] ?? '';
    const once = [[`${service.url}${line}`, { Authorization: 't1' }]];
    expect(auth.rejected).toEqual(statuses[0] === 401 ? once : []);
    expect(new Set(service.lines).size).toBe(1);
  });

  it('has no others by itself', async () => {
    service.script = () => [401];
    await caught(call({ auth: HttpAuthProvider.bearer(() => 't') }));
    expect(service.authorizations).toEqual(['Bearer t']);
  });
});

describe('credentials by position', () => {
  const auth = HttpAuthProvider.bearer(() => 'b');
  const times = new LoadPsop.Timeouts();
  const strict = TlsPolicy.strict();
  it.each<readonly [what: string, call: (url: string) => Promise<unknown>, authorization: string | undefined]>([
    ['load: token, true', (url) => LoadPsop.load(url, 'p', 'a', true), 'Bearer a'],
    ['load: token, false', (url) => LoadPsop.load(url, 'p', 'a', false, times), 'Bearer a'],
    ['load: no token', (url) => LoadPsop.load(url, 'p', null, true), undefined],
    ['load: a blank token', (url) => LoadPsop.load(url, 'p', ' ', true), undefined],
    ['load: auth, tls', (url) => LoadPsop.load(url, 'p', auth, strict), 'Bearer b'],
    ['load: auth, tls, timeouts', (url) => LoadPsop.load(url, 'p', auth, strict, times), 'Bearer b'],
    ['load: no auth, tls', (url) => LoadPsop.load(url, 'p', null, strict), undefined],
    ['search: token, true', (url) => LoadPsop.search(url, 'x', 5, 'a', true), 'Bearer a'],
    ['search: token, false', (url) => LoadPsop.search(url, 'x', 5, 'a', false, times), 'Bearer a'],
    ['search: no token', (url) => LoadPsop.search(url, 'x', 5, null, true), undefined],
    ['search: auth, tls', (url) => LoadPsop.search(url, 'x', 5, auth, strict), 'Bearer b'],
    ['search: auth, tls, timeouts', (url) => LoadPsop.search(url, 'x', 5, auth, strict, times), 'Bearer b'],
  ])('are sent as a header and never in the URL: %s', async (what, call, authorization) => {
    service.script = () => [200, envelope(what.startsWith('load') ? psop : [])];
    await call(service.url);
    expect(service.authorizations).toEqual([authorization]);
    expect(service.lines[0]).not.toContain('?');
  });

  it('have timeouts as well', async () => {
    service.script = () => undefined;
    const short = new LoadPsop.Timeouts(5_000, 20);
    const calls = [
      LoadPsop.load(service.url, 'p', 'a', true, short),
      LoadPsop.load(service.url, 'p', auth, strict, short),
      LoadPsop.search(service.url, 'x', 5, 'a', true, short),
      LoadPsop.search(service.url, 'x', 5, auth, strict, short),
    ];
    for (const error of await Promise.all(calls.map(caught))) expect(error).toBeInstanceOf(TimeoutException);
  });
});
