import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { UnauthenticatedError } from 'nestjs-a2a/protocol';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';
import type { A2AUser } from '../authorization/a2a-user.js';
import { JwtScheme } from './jwt.scheme.js';
import type { JwtSchemeOptions } from './jwt-scheme.options.js';
import { refusalReasonOf } from './refused-credentials.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://agent.example';
const SECRET = 'a shared secret of more than 32 bytes';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const rsa = await generateKeyPair('RS256');
const stranger = await generateKeyPair('ES256');
const PUBLIC = { ...(await exportJWK(publicKey)), kid: 'ec', alg: 'ES256' };
const RSA_PUBLIC = { ...(await exportJWK(rsa.publicKey)), kid: 'rsa' };
const SPKI = await exportSPKI(rsa.publicKey);
/** Keys that no issuer should publish, and that callers may name. */
const UNUSABLE = [
  { kty: 'RSA', kid: 'weak', alg: 'RS256', n: 'AQAB', e: 'AQAB' },
  { kty: 'EC', crv: 'P-256', kid: 'broken', alg: 'ES256', x: 'AA', y: 'AA' },
];
const NOW = Math.floor(Date.now() / 1000);

/** All that Jest would fake besides the date. */
const REAL = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

// The tokens are made for this second, however long the tests before have taken.
beforeEach(() => {
  jest.useFakeTimers({ now: NOW * 1000, doNotFake: [...REAL] });
});
afterEach(() => void jest.useRealTimers());

const scheme = (options: Partial<JwtSchemeOptions> = {}): JwtScheme =>
  new JwtScheme({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [PUBLIC, RSA_PUBLIC] }, ...options });

interface Made {
  readonly claims?: JWTPayload;
  readonly header?: { readonly alg?: string; readonly kid?: string; readonly typ?: string };
  readonly key?: Parameters<SignJWT['sign']>[0];
}

function jwt({ claims, header, key = privateKey }: Made = {}): Promise<string> {
  const payload = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', exp: NOW + 300, iat: NOW, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header }).sign(key);
}

const login = (made: JwtScheme, token: string): Promise<A2AUser | undefined> =>
  made.authenticate({ headers: { authorization: `Bearer ${token}` }, url: '/', request: {} });

async function refusal(made: JwtScheme, token: string): Promise<string> {
  const error: unknown = await login(made, token).catch((thrown: unknown) => thrown);
  if (!(error instanceof UnauthenticatedError)) throw new Error(`Not refused: ${String(error)}`);
  expect(error.challenge).toBe('Bearer realm="a2a", error="invalid_token"');
  return refusalReasonOf(error);
}

describe('JwtScheme takes', () => {
  it.each<[string, Partial<JwtSchemeOptions>, Made]>([
    ['a token', {}, {}],
    ['one signed with RSA', {}, { header: { alg: 'RS256', kid: 'rsa' }, key: rsa.privateKey }],
    ['one of several audiences', {}, { claims: { aud: ['x', AUDIENCE] } }],
    ['one that expired within the skew', {}, { claims: { exp: NOW - 20 } }],
    ['one that begins within the skew', {}, { claims: { nbf: NOW + 20 } }],
    ['a type that is asked for', { tokenType: 'at+jwt' }, { header: { typ: 'at+jwt' } }],
  ])('%s', async (_what, options, made) => {
    const user = await login(scheme(options), await jwt(made));
    expect(user).toMatchObject({ id: 'ann', authenticated: true, claims: { sub: 'ann' } });
  });

  it('a token without kid, whichever key it was signed with', async () => {
    const other = await generateKeyPair('ES256');
    const jwks = { keys: [PUBLIC, { ...(await exportJWK(other.publicKey)), kid: 'other', alg: 'ES256' }] };
    for (const key of [privateKey, other.privateKey]) {
      expect(await login(scheme({ jwks }), await jwt({ header: { kid: undefined }, key }))).toMatchObject({
        id: 'ann',
      });
    }
    const token = await jwt({ header: { kid: undefined }, key: stranger.privateKey });
    expect(await refusal(scheme({ jwks }), token)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    const late = await jwt({ header: { kid: undefined }, claims: { exp: 1 } });
    expect(await refusal(scheme({ jwks }), late)).toBe('ERR_JWT_EXPIRED');
  });

  it('a token without kid beside keys that cannot be used', async () => {
    const made = scheme({ jwks: { keys: [...UNUSABLE, RSA_PUBLIC, { ...RSA_PUBLIC, kid: 'again' }] } });
    const token = await jwt({ header: { alg: 'RS256', kid: undefined }, key: rsa.privateKey });
    expect(await login(made, token)).toMatchObject({ id: 'ann' });
  });

  it('a shared secret instead of public keys', async () => {
    const made = new JwtScheme({ issuer: ISSUER, audience: AUDIENCE, secret: SECRET });
    const token = await jwt({ header: { alg: 'HS256' }, key: new TextEncoder().encode(SECRET) });
    expect(await login(made, token)).toMatchObject({ id: 'ann' });
    expect(await refusal(made, await jwt())).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
  });

  it.each<[string, JWTPayload, string[] | undefined]>([
    ['scope', { scope: 'read write' }, ['read', 'write']],
    ['scp', { scp: ['read', 7] }, ['read']],
    ['neither', {}, undefined],
  ])('the scopes of %s', async (_what, claims, scopes) => {
    expect((await login(scheme(), await jwt({ claims })))?.scopes).toEqual(scopes);
  });

  it('the caller from another claim, from several issuers, or from a function', async () => {
    const token = await jwt({ claims: { azp: 'client-7' } });
    expect(await login(scheme({ userClaim: 'azp' }), token)).toMatchObject({ id: 'client-7' });
    expect(await login(scheme({ issuer: ['https://x', ISSUER] }), token)).toMatchObject({ id: `${ISSUER}|ann` });
    const user = ({ sub }: JWTPayload): A2AUser => ({ id: `user ${sub}`, authenticated: true });
    expect(await login(scheme({ user }), token)).toEqual({ id: 'user ann', authenticated: true });
  });

  it('nothing of a request without a bearer token', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
      expect(await scheme().authenticate({ headers, url: '/', request: {} })).toBeUndefined();
    }
  });
});

const REFUSED: [string, Made, string, Partial<JwtSchemeOptions>?][] = [
  ['an expired token', { claims: { exp: NOW - 40 } }, 'ERR_JWT_EXPIRED'],
  ['one without an end', { claims: { exp: undefined } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (exp)'],
  ['one that is not valid yet', { claims: { nbf: NOW + 40 } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (nbf)'],
  ['one of another issuer', { claims: { iss: 'https://evil.example' } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (iss)'],
  ['one for another audience', { claims: { aud: 'https://b.example' } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (aud)'],
  ['one for nobody', { claims: { aud: undefined } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (aud)'],
  ['one of nobody', { claims: { sub: undefined } }, 'ERR_JWT_CLAIM_VALIDATION_FAILED (sub)'],
  ['one whose name is empty', { claims: { sub: '' } }, 'the claim sub names nobody'],
  ['a stranger’s signature', { key: stranger.privateKey }, 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
  ['an unknown key', { header: { kid: 'none' } }, 'ERR_JWKS_NO_MATCHING_KEY'],
  ['an algorithm that is not listed', {}, 'ERR_JOSE_ALG_NOT_ALLOWED', { algorithms: ['RS256'] }],
  ['one that is too old', { claims: { iat: NOW - 400 } }, 'ERR_JWT_EXPIRED', { maxTokenAgeSeconds: 60 }],
  ['another type', {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED (typ)', { tokenType: 'at+jwt' }],
  ['a missing claim', {}, 'ERR_JWT_CLAIM_VALIDATION_FAILED (tenant)', { requiredClaims: ['tenant'] }],
];

describe('JwtScheme refuses', () => {
  it.each(REFUSED.map(([what, made, reason, options = {}]) => ({ what, made, reason, options })))(
    '$what',
    async ({ made, reason, options }) => {
      expect(await refusal(scheme(options), await jwt(made))).toBe(reason);
    },
  );

  it('alg none', async () => {
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ann', exp: NOW + 300 };
    const token = new UnsecuredJWT(claims).encode();
    expect(await refusal(scheme(), token)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    const [head = '', body = ''] = token.split('.');
    expect(head).not.toBe('');
    const disguised = Buffer.from('{"alg":"None"}').toString('base64url');
    expect(await refusal(scheme(), `${disguised}.${body}.`)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
  });

  it.each(['weak', 'broken'])('a key that cannot be used (%s), as any other', async (kid) => {
    const made = scheme({ jwks: { keys: [...UNUSABLE, PUBLIC] } });
    const [, claims = '', signature = ''] = (await jwt()).split('.');
    const head = Buffer.from(JSON.stringify({ alg: kid === 'weak' ? 'RS256' : 'ES256', kid })).toString('base64url');
    expect(await refusal(made, `${head}.${claims}.${signature}`)).toBe('the key cannot be used');
  });

  it('claims of which a function makes nobody', async () => {
    expect(await refusal(scheme({ user: () => undefined }), await jwt())).toBe('the claims name nobody');
  });

  it('a public key used as a secret', async () => {
    const secrets = [await exportSPKI(rsa.publicKey), JSON.stringify(RSA_PUBLIC), JSON.stringify(PUBLIC)];
    for (const secret of secrets) {
      const key = new TextEncoder().encode(secret);
      const token = await jwt({ header: { alg: 'HS256', kid: 'rsa' }, key });
      expect(await refusal(scheme(), token)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    }
  });

  it.each(['', 'x', 'a.b', 'a.b.c', '..', `${'x'.repeat(5000)}.x.x`, 'a.b.c.d.e'])(
    'what is no token (%s)',
    async (token) => {
      expect(await refusal(scheme(), token)).toMatch(/^ERR_/);
    },
  );

  it('a signature that was cut, or whose claims were changed', async () => {
    const token = await jwt();
    const [head = '', , signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: 'eve', exp: NOW + 300 }));
    expect(await refusal(scheme(), token.slice(0, -4))).toMatch(/^ERR_JWS/);
    expect(await refusal(scheme(), `${head}.${forged.toString('base64url')}.${signature}`)).toMatch(/^ERR_JWS/);
  });
});

describe('JwtScheme', () => {
  it('is told in the card as bearer, or as OpenID Connect', () => {
    expect(scheme({ description: 'Ask Ann' }).definition).toEqual({
      httpAuthSecurityScheme: { description: 'Ask Ann', scheme: 'Bearer', bearerFormat: 'JWT' },
    });
    const openIdConnectUrl = `${ISSUER}/.well-known/openid-configuration`;
    expect(scheme({ jwks: undefined, openIdConnectUrl, obtainAt: ISSUER })).toMatchObject({
      name: 'jwt',
      obtainAt: ISSUER,
      definition: { openIdConnectSecurityScheme: { openIdConnectUrl } },
    });
  });

  it.each<[string, Partial<JwtSchemeOptions>, string]>([
    ['no audience', { audience: '' }, 'audience must be set'],
    ['an empty list of audiences', { audience: [] }, 'audience must be set'],
    ['no issuer', { issuer: '' }, 'issuer must be set'],
    ['no keys', { jwks: undefined }, 'exactly one of'],
    ['keys twice', { secret: SECRET }, 'exactly one of'],
    ['a public key for a secret', { jwks: undefined, secret: SPKI }, 'in PEM form'],
    ['a clock that is no number', { clockSkewSeconds: Number.NaN }, 'clockSkewSeconds must be a number'],
    ['clocks that may differ for ever', { clockSkewSeconds: Infinity }, 'clockSkewSeconds must be a number'],
    ['an age that is no number', { maxTokenAgeSeconds: Number.NaN }, 'maxTokenAgeSeconds must be a number'],
    [
      'a cooldown that is no number',
      { jwks: undefined, jwksUrl: 'https://issuer.example/jwks', jwksCooldownSeconds: Number.NaN },
      'jwksCooldownSeconds must be a number',
    ],
    ['an issuer that could be another one and a user', { issuer: ['i', 'i|x'] }, 'must not have a |'],
    ['a short secret', { jwks: undefined, secret: 'short' }, '32 bytes'],
    ['none as algorithm', { algorithms: ['none'] }, 'algorithms must be of'],
    ['no algorithm', { algorithms: [] }, 'algorithms must be of'],
    ['a secret’s algorithm with public keys', { algorithms: ['HS256'] }, 'algorithms must be of'],
    ['an algorithm of public keys with a secret', { jwks: undefined, secret: SECRET, algorithms: ['ES256'] }, 'HS256'],
    ['keys over plain http', { jwks: undefined, jwksUrl: 'http://issuer.example/jwks' }, 'jwksUrl cannot be used'],
    ['keys in a private network', { jwks: undefined, jwksUrl: 'https://10.0.0.1/jwks' }, 'jwksUrl cannot be used'],
    ['keys at no address', { jwks: undefined, jwksUrl: 'jwks.json' }, 'jwksUrl cannot be used'],
  ])('with %s is refused when it is made', (_what, options, text) => {
    expect(() => scheme(options)).toThrow(A2AConfigurationError);
    expect(() => scheme(options)).toThrow(text);
  });
});
