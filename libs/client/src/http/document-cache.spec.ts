import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { caught } from '../../../../test/support/caught.js';
import {
  type HttpScript,
  type ScriptedAnswer,
  ScriptedClientHttp,
} from '../../../../test/support/scripted-client-http.js';
import { DocumentCache } from './document-cache.js';

const URL_A = 'https://a.example/card.json';

function setUp(script: HttpScript, maxSize?: number) {
  let time = 1_000_000;
  const http = new ScriptedClientHttp(script);
  const cache = new DocumentCache(http, { defaultLifetimeMs: 300_000, maxSize, now: () => time });
  const pass = (seconds: number): void => void (time += seconds * 1000);
  return { http, cache, pass };
}

/** Answers in turn; the last one for ever. */
function inTurn(...answers: ScriptedAnswer[]): HttpScript {
  let turn = 0;
  return () => answers[Math.min(turn++, answers.length - 1)] ?? {};
}

describe('DocumentCache', () => {
  it('asks with the version of the protocol, and within limits', async () => {
    const { http, cache } = setUp(() => ({ body: { a: 1 } }));
    expect(await cache.get(URL_A)).toMatchObject({ url: URL_A, value: { a: 1 } });
    expect(http.requests[0]).toMatchObject({ headers: { accept: 'application/json', 'A2A-Version': '1.0' } });
    expect(http.limits[0]).toEqual({ maxAnswerBytes: 1_048_576, totalTimeoutMs: 10_000 });
  });

  it('asks again when the time is over, and not before', async () => {
    const { http, cache, pass } = setUp(() => ({ headers: { 'cache-control': 'max-age=60' }, body: {} }));
    await cache.get(URL_A);
    pass(59);
    await cache.get(URL_A);
    expect([http.requests.length, cache.isFresh(URL_A)]).toEqual([1, true]);
    pass(1);
    expect(cache.isFresh(URL_A)).toBe(false);
    await cache.get(URL_A);
    expect(http.requests).toHaveLength(2);
  });

  it('asks only whether it has changed, and believes a 304', async () => {
    const { http, cache, pass } = setUp(
      inTurn(
        {
          headers: { 'cache-control': 'max-age=60', age: '10', etag: 'W/"1"', 'last-modified': 'yesterday' },
          body: { version: 1 },
        },
        { status: 304, headers: { etag: 'W/"1"' } },
        { status: 304, headers: { 'cache-control': 'max-age=5' } },
        { headers: { etag: '"2"' }, body: { version: 2 } },
      ),
    );
    await cache.get(URL_A);
    pass(50);
    expect(await cache.get(URL_A)).toMatchObject({ value: { version: 1 }, checkedAt: 1_050_000 });
    expect(http.requests[1]?.headers).toMatchObject({ 'if-none-match': 'W/"1"', 'if-modified-since': 'yesterday' });
    // The whole minute now: the age was that of the earlier answer.
    pass(59);
    expect(cache.isFresh(URL_A)).toBe(true);
    pass(1);
    await cache.get(URL_A);
    pass(5);
    expect(await cache.get(URL_A)).toMatchObject({ value: { version: 2 } });
    expect(http.requests).toHaveLength(4);
  });

  it('asks for all of it when forced', async () => {
    const { http, cache } = setUp(inTurn({ headers: { etag: '"1"' }, body: 1 }, { body: 2 }));
    await cache.get(URL_A);
    expect(await cache.get(URL_A, { force: true })).toMatchObject({ value: 2 });
    expect(http.requests[1]?.headers).toMatchObject({ 'cache-control': 'no-cache' });
    expect(http.requests[1]?.headers).not.toHaveProperty('if-none-match');
    expect(await cache.get(URL_A)).toMatchObject({ value: 2 });
  });

  it('keeps nothing that must not be kept', async () => {
    const { http, cache } = setUp(() => ({ headers: { 'cache-control': 'no-store', etag: '"1"' }, body: {} }));
    await cache.get(URL_A);
    await cache.get(URL_A);
    expect(http.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  it.each<readonly [what: string, answer: ScriptedAnswer, error: object]>([
    [
      'an answer without a document',
      { status: 404, headers: { 'set-cookie': 'secret' } },
      { code: 'HTTP_ERROR', status: 404 },
    ],
    ['a redirect', { status: 302 }, { status: 302 }],
    ['a 304 that nobody asked for', { status: 304 }, { status: 304 }],
    ['what is not JSON', { body: '<html>secret</html>' }, { code: 'NOT_JSON' }],
  ])('fails with %s', async (_what, answer, error) => {
    const { cache } = setUp(() => answer);
    const fault = await caught(cache.get(URL_A));
    expect(fault).toMatchObject(error);
    expect([fault.message, fault.cause]).toEqual([expect.not.stringContaining('secret'), undefined]);
  });

  it.each([
    [404, false],
    [401, false],
    [503, true],
  ])('after %d it knows what it had: %p', async (status, known) => {
    const { http, cache, pass } = setUp(inTurn({ headers: { etag: '"1"' }, body: {} }, { status }, { body: {} }));
    await cache.get(URL_A);
    pass(300);
    await caught(cache.get(URL_A));
    await cache.get(URL_A);
    expect(http.requests[2]?.headers['if-none-match']).toBe(known ? '"1"' : undefined);
  });

  it('asks once for many at the same time, and again after a failure', async () => {
    const { http, cache } = setUp(inTurn({ status: 500 }, { body: 'null' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => cache.get(URL_A)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
    expect(http.requests).toHaveLength(1);
    expect(await cache.get(URL_A)).toMatchObject({ value: null });
  });

  it('lets one leave without stopping it for the others, and stops it for nobody', async () => {
    let release = (): void => undefined;
    const { http, cache } = setUp(async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { body: {} };
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const [one, other] = [first, second].map(({ signal }) => cache.get(URL_A, { signal }));
    first.abort(new Error('enough'));
    await expect(one).rejects.toThrow('enough');
    expect(http.requests[0]?.signal?.aborted).toBe(false);
    second.abort(new Error('me too'));
    await expect(other).rejects.toThrow('me too');
    expect(http.requests[0]?.signal?.aborted).toBe(true);
    expect(getEventListeners(first.signal, 'abort')).toEqual([]);
    release();
    // What nobody waits for any more does not stand in the way.
    const third = cache.get(URL_A);
    await new Promise(setImmediate);
    release();
    expect(await third).toMatchObject({ value: {} });
    expect(http.requests).toHaveLength(2);
  });

  it('keeps no more than it may, and what was used last', async () => {
    const { http, cache } = setUp(() => ({ body: { filling: 'x'.repeat(86) } }), 350);
    for (const name of ['a', 'b', 'c']) await cache.get(`https://${name}.example/`);
    await cache.get('https://a.example/');
    await cache.get('https://d.example/');
    const fresh = ['a', 'b', 'c', 'd'].filter((name) => cache.isFresh(`https://${name}.example/`));
    expect(fresh).toEqual(['a', 'c', 'd']);
    expect(http.requests).toHaveLength(4);
  });

  it('keeps no more than 256', async () => {
    const { cache } = setUp(() => ({ body: 1 }));
    const urls = Array.from({ length: 300 }, (_, index) => `https://a.example/${index}`);
    for (const url of urls) await cache.get(url);
    expect(urls.filter((url) => cache.isFresh(url))).toEqual(urls.slice(44));
  });
});
