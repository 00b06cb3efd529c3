import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HttpResponseException,
  HttpServiceException,
  LoadPsop,
  OrchestrationAccountAuth,
  TimeoutException,
  type Timeouts,
  TlsPolicy,
  WorkflowArgumentError,
} from 'nestjs-a2a/workflow';
import { caught } from '../support/caught.js';
import { halfAnswer, JsonService, type ServiceScript } from '../support/workflow/json-service.js';

const SECRET = 'hunter2';
const LOGIN = 'POST /api/v1/auth/token';
const service = new JsonService();
beforeAll(() => service.start());
beforeEach(() => service.reset());
afterAll(() => service.close());

/** A center whose newest token is the only one that it takes. */
class Center {
  logins = 0;
  newest = '';
  expiresIn: unknown = 60;

  readonly script: ServiceScript = ({ line, headers }) => {
    if (line === LOGIN) {
      this.newest = `t${(this.logins += 1)}`;
      return [200, { access_token: this.newest, token_type: 'Bearer', expires_in: this.expiresIn }];
    }
    return headers.authorization === `Bearer ${this.newest}` ? [200, { data: [] }] : [401, { message: SECRET }];
  };
}

let now = 0;
const accountOf = (timeouts?: Timeouts) =>
  new OrchestrationAccountAuth(`${service.url}/`, 'u', SECRET, TlsPolicy.strict(), timeouts, { now: () => now });
const search = (auth: OrchestrationAccountAuth) => LoadPsop.search(service.url, 'x', 5, auth, TlsPolicy.strict());
const uriOf = (path: string): URL => new URL(path, service.url);
const OWN = '/api/v1/orchestrate/psop/p';

describe('an account', () => {
  beforeEach(() => {
    now = 0;
  });

  it('logs in when it is first needed, and is kept', async () => {
    service.script = new Center().script;
    const auth = accountOf();
    expect(service.asked).toEqual([]);
    await search(auth);
    await search(auth);
    expect(service.lines).toEqual([LOGIN, ...Array(2).fill('POST /api/v1/orchestrate/search')]);
    expect(service.asked[0]).toMatchObject({ body: { username: 'u', password: SECRET } });
    expect(service.authorizations).toEqual([undefined, 'Bearer t1', 'Bearer t1']);
  });

  it('logs in again when its token has run out, counted from before the login', async () => {
    const center = new Center();
    service.script = (request, response) => {
      if (request.line === LOGIN) now += 10_000;
      return center.script(request, response);
    };
    const auth = accountOf();
    const tokens: (string | undefined)[] = [];
    for (const time of [0, 59_999, 60_000]) {
      now = time;
      tokens.push((await auth.headersFor(uriOf(OWN)))['Authorization']);
    }
    expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('logs in once for all who ask at the same time, also when one of them leaves', async () => {
    service.script = new Center().script;
    const auth = accountOf();
    const reason = new Error('left');
    const leaving = new AbortController();
    const left = caught(auth.headersFor(uriOf(OWN), leaving.signal));
    const others = Promise.all([search(auth), search(auth)]);
    leaving.abort(reason);
    expect(await left).toBe(reason);
    await others;
    expect(service.lines.filter((line) => line === LOGIN)).toHaveLength(1);
  });

  it('logs in once more when its token is refused', async () => {
    const center = new Center();
    service.script = center.script;
    const auth = accountOf();
    await search(auth);
    center.newest = 'revoked';
    await search(auth);
    expect(service.authorizations.filter((sent) => sent)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('does not go on when the new one is refused as well', async () => {
    const center = new Center();
    service.script = (request, response) => (request.line === LOGIN ? center.script(request, response) : [401]);
    expect(await caught(search(accountOf()))).toEqual(new HttpServiceException('Orchestration center', 401));
    expect(center.logins).toBe(2);
  });

  it('keeps a newer session than the one that was refused', async () => {
    const center = new Center();
    service.script = center.script;
    const auth = accountOf();
    const first = await auth.headersFor(uriOf(OWN));
    expect(auth.onUnauthorized(uriOf(OWN), first)).toBe(true);
    await auth.headersFor(uriOf(OWN));
    expect(auth.onUnauthorized(uriOf(OWN), first)).toBe(true);
    expect(await auth.headersFor(uriOf(OWN))).toEqual({ Authorization: 'Bearer t2' });
  });

  it.each([
    'https://other.example/api/v1/orchestrate/psop/p',
    'http://127.0.0.1:1/api/v1/orchestrate/psop/p',
    '/api/v1/orchestrate',
    '/api/v1/orchestrate/../auth/x',
    '/rest/v1/registry-center/agent-cards',
    '/x/api/v1/orchestrate/psop/p',
  ])('gives nothing to %s', async (path) => {
    const auth = accountOf();
    expect(await auth.headersFor(uriOf(path))).toEqual({});
    expect(auth.onUnauthorized(uriOf(path), {})).toBe(false);
    expect(service.asked).toEqual([]);
  });

  it('takes the token from an envelope as well', async () => {
    service.script = () => [
      200,
      { code: 200, data: { access_token: 'T', token_type: 'bearer', expires_in: 1 }, access_token: 'x' },
    ];
    expect(await accountOf().headersFor(uriOf(OWN))).toEqual({ Authorization: 'Bearer T' });
  });

  const good = { access_token: 'T', token_type: 'Bearer', expires_in: 60 };
  const noToken = 'there is no access_token in the answer';
  const noExpiry = 'expires_in is no positive whole number';
  it.each<readonly [problem: string, body: unknown]>([
    [noToken, { ...good, access_token: '' }],
    [noToken, { ...good, access_token: 1 }],
    [noToken, { ...good, access_token: 'a\nb' }],
    [noToken, { token: SECRET }],
    [noToken, []],
    [noToken, { data: { token: SECRET } }],
    ['the token_type is not Bearer', { ...good, token_type: 'mac' }],
    ['the token_type is not Bearer', { ...good, token_type: undefined }],
    ...[0, -1, 1.5, '60', null, undefined].map((expires_in): [string, unknown] => [noExpiry, { ...good, expires_in }]),
    ['the answer cannot be read', `{"${SECRET}`],
    ['the answer has more than 65536 bytes', { ...good, filling: 'x'.repeat(65_536) }],
  ])('is not logged in by an answer where %s: %j', async (problem, body) => {
    service.script = () => [200, body];
    const error = await caught(search(accountOf()));
    expect(error).toEqual(new HttpResponseException('Login to the orchestration center', 200, problem));
    expect([error.message.includes(SECRET), error.cause]).toEqual([false, undefined]);
    expect(service.lines).toEqual([LOGIN]);
  });

  it.each([302, 400, 401, 403, 500])('is told of by the status alone: %d', async (status) => {
    service.script = (_request, response) => {
      response.setHeader('location', `${service.url}/elsewhere`);
      return [status, { error: SECRET }];
    };
    const error = await caught(search(accountOf()));
    expect(error).toEqual(new HttpServiceException('Login to the orchestration center', status));
    expect(service.lines).toEqual([LOGIN]);
  });

  it('tries again after a login that failed', async () => {
    service.script = () => [503];
    const auth = accountOf();
    await caught(search(auth));
    service.script = new Center().script;
    expect(await search(auth)).toEqual([]);
  });

  it('does not wait for longer than its timeouts', async () => {
    service.script = halfAnswer;
    expect(await caught(search(accountOf(new LoadPsop.Timeouts(5_000, 30))))).toEqual(
      new TimeoutException('Login to the orchestration center did not answer in time'),
    );
  });

  it('shows its password nowhere', async () => {
    expect(JSON.stringify(accountOf())).not.toContain(SECRET);
  });

  it.each<readonly [message: string, url: string, username: string, password: string]>([
    ['baseUrl must be an absolute URL', 'x', 'u', 'p'],
    ['username must not be blank', 'http://a', ' ', 'p'],
    ['password must not be blank', 'http://a', 'u', ''],
  ])('must be whole: %s', (message, url, username, password) => {
    expect(() => new OrchestrationAccountAuth(url, username, password, TlsPolicy.strict())).toThrow(
      new WorkflowArgumentError(message),
    );
  });
});
