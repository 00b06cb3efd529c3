import { describe, expect, it } from '@jest/globals';
import { caught } from '../../../../test/support/caught.js';
import { ScriptedClientHttp } from '../../../../test/support/scripted-client-http.js';
import { BearerCredential, type TokenRequest } from './bearer.credential.js';
import type { CredentialRequest } from './credential.js';

const request = (signal?: AbortSignal): CredentialRequest => ({
  origin: 'https://a.example',
  http: new ScriptedClientHttp(() => ({})),
  scopes: ['read'],
  signal,
});

describe('BearerCredential with a provider', () => {
  it('asks for every request, and tells once what was refused', async () => {
    const asked: TokenRequest[] = [];
    const bearer = new BearerCredential((wanted) => {
      asked.push(wanted);
      return `token-${asked.length}`;
    });
    const first = await bearer.headersFor(request());
    expect(first).toEqual({ headers: { authorization: 'Bearer token-1' } });
    expect(bearer.rejected(first)).toBe(true);
    await bearer.headersFor(request());
    await bearer.headersFor(request());
    expect(asked.map(({ rejected }) => rejected)).toEqual([undefined, 'token-1', undefined]);
    expect(asked[0]).toMatchObject({ scopes: ['read'], origin: 'https://a.example' });
  });

  it('has nothing else when it is a text', async () => {
    const bearer = new BearerCredential('token');
    expect(bearer.rejected(await bearer.headersFor(request()))).toBe(false);
  });

  it.each<readonly [what: string, provider: () => string | Promise<string>]>([
    [
      'throws',
      () => {
        throw new Error('sesame');
      },
    ],
    ['rejects', () => Promise.reject(new Error('sesame'))],
    ['gives nothing', () => ''],
    ['gives two lines', () => 'sesame\n'],
  ])('fails when it %s', async (_what, provider) => {
    const error = await caught(new BearerCredential(provider).headersFor(request()));
    expect(error).toMatchObject({ code: 'CREDENTIAL_FAILED', message: 'The provider of the bearer token failed' });
  });

  it('waits no longer than the call', async () => {
    const controller = new AbortController();
    const slow = new BearerCredential(() => new Promise(() => undefined)).headersFor(request(controller.signal));
    controller.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
  });
});
