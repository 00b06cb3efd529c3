import { describe, expect, it, jest } from '@jest/globals';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, type JWTVerifyGetKey } from 'jose';
import { UnavailableError } from 'nestjs-a2a/protocol';
import { RemoteKeys } from './remote-keys.js';

const jwk = async (kid: string): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair('ES256')).publicKey)),
  kid,
  alg: 'ES256',
});
const ONE = createLocalJWKSet({ keys: [await jwk('one')] });
const TWO = createLocalJWKSet({ keys: [await jwk('one'), await jwk('two')] });
const JWS = { payload: '', signature: '' };

interface Pending {
  resolve(keys: JWTVerifyGetKey): void;
  reject(error: Error): void;
}

/** An issuer whose every answer the test gives, and a clock that it moves. */
class Issuer {
  readonly pending: Pending[] = [];
  readonly warn = jest.fn();
  now = 0;
  fetches = 0;
  readonly keys = new RemoteKeys({
    fetch: () => {
      this.fetches++;
      return new Promise((resolve, reject) => this.pending.push({ resolve, reject }));
    },
    close: async () => undefined,
    cacheMs: 600_000,
    cooldownMs: 30_000,
    staleMs: 3_600_000,
    logger: { warn: this.warn },
    now: () => this.now,
  });

  find(kid: string): Promise<string> {
    return Promise.resolve(this.keys.find({ alg: 'ES256', kid }, JWS)).then(
      () => 'found',
      (error: unknown) => (error instanceof Error ? error.name : 'other'),
    );
  }

  answer(keys: JWTVerifyGetKey | Error): void {
    const pending = this.pending.shift();
    if (pending === undefined) throw new Error('Nobody asks');
    if (keys instanceof Error) pending.reject(keys);
    else pending.resolve(keys);
  }

  /** Fetches the first keys. */
  async begin(): Promise<void> {
    const found = this.find('one');
    this.answer(ONE);
    expect(await found).toBe('found');
  }
}

describe('RemoteKeys', () => {
  it('fetch once for all who wait, and then not for a while', async () => {
    const issuer = new Issuer();
    const found = [issuer.find('one'), issuer.find('one'), issuer.find('one')];
    issuer.answer(ONE);
    expect(await Promise.all(found)).toEqual(['found', 'found', 'found']);
    issuer.now = 599_000;
    expect(await issuer.find('one')).toBe('found');
    expect(issuer.fetches).toBe(1);
  });

  it('fetch anew for a key that is not there, but only after the cooldown', async () => {
    const issuer = new Issuer();
    await issuer.begin();
    issuer.now = 29_000;
    expect(await issuer.find('two')).toBe('JWKSNoMatchingKey');
    expect(issuer.fetches).toBe(1);
    issuer.now = 31_000;
    const found = [issuer.find('two'), issuer.find('two')];
    await Promise.resolve();
    while (issuer.pending.length === 0) await new Promise((resolve) => setImmediate(resolve));
    issuer.answer(TWO);
    expect(await Promise.all(found)).toEqual(['found', 'found']);
    expect(issuer.fetches).toBe(2);
    expect(await issuer.find('three')).toBe('JWKSNoMatchingKey');
    expect(issuer.fetches).toBe(2);
  });

  it('go on with what they have while old keys are fetched anew, and when that fails', async () => {
    const issuer = new Issuer();
    await issuer.begin();
    issuer.now = 700_000;
    expect(await issuer.find('one')).toBe('found');
    expect(issuer.fetches).toBe(2);
    issuer.answer(new Error('down'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(issuer.warn.mock.calls).toEqual([['The keys of a token issuer could not be fetched: down']]);
    expect(await issuer.find('one')).toBe('found');
    expect(issuer.fetches).toBe(2);
    issuer.now = 731_000;
    expect(await issuer.find('one')).toBe('found');
    issuer.answer(TWO);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await issuer.find('two')).toBe('found');
  });

  it('cannot decide when there is nothing, or nothing that is young enough', async () => {
    const issuer = new Issuer();
    const first = issuer.keys.find({ alg: 'ES256', kid: 'one' }, JWS);
    issuer.answer(new Error('down'));
    const error: unknown = await Promise.resolve(first).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ retryAfterSeconds: 30 });
    issuer.now = 10_000;
    await expect(issuer.keys.find({ alg: 'ES256', kid: 'one' }, JWS)).rejects.toMatchObject({ retryAfterSeconds: 20 });
    expect(issuer.fetches).toBe(1);
    issuer.now = 40_000;
    await issuer.begin();
    issuer.now = 40_000 + 600_000 + 3_600_001;
    const late = issuer.find('one');
    issuer.answer(new Error('down'));
    expect(await late).toBe('UnavailableError');
  });
});
