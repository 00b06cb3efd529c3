import { describe, expect, it } from '@jest/globals';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { caught } from '../../../../test/support/caught.js';
import {
  type HttpScript,
  type ScriptedAnswer,
  ScriptedClientHttp,
} from '../../../../test/support/scripted-client-http.js';
import type { CredentialRequest } from './credential.js';
import { OAuth2ClientCredentials } from './oauth2-client.credential.js';
import type { OAuth2ClientCredentialsOptions } from './oauth2-options.js';

const AGENT = 'https://a.example';
const TOKEN_URL = 'https://id.example/token';
const METADATA_URL = 'https://id.example/metadata';
const SECRET = 'open sesame';

const flows = (tokenUrl: string): SecurityScheme => ({
  oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl, scopes: {} } } },
});
const metadataAt = (oauth2MetadataUrl: string): SecurityScheme => ({
  oauth2SecurityScheme: { flows: { implicit: {} }, oauth2MetadataUrl },
});
const openIdAt = (openIdConnectUrl: string): SecurityScheme => ({
  openIdConnectSecurityScheme: { openIdConnectUrl },
});
const bearer: SecurityScheme = { httpAuthSecurityScheme: { scheme: 'bearer' } };

function setUp(script: HttpScript, options: Partial<OAuth2ClientCredentialsOptions> = { tokenUrl: TOKEN_URL }) {
  let time = 0;
  const http = new ScriptedClientHttp(script);
  const credential = new OAuth2ClientCredentials({
    clientId: 'my client',
    clientSecret: SECRET,
    now: () => time,
    ...options,
  });
  const ask = async (more: Partial<CredentialRequest> = {}): Promise<string | undefined> => {
    const { headers } = await credential.headersFor({ origin: AGENT, http, scopes: [], ...more });
    return headers['authorization'];
  };
  return { http, credential, ask, pass: (seconds: number): void => void (time += seconds * 1000) };
}

/** Tokens in turn: t1, t2, … */
function tokens(more: object = { expires_in: 600 }): HttpScript {
  let count = 0;
  return () => ({ body: { access_token: `t${(count += 1)}`, token_type: 'Bearer', ...more } });
}

function formOf(body: string | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}

describe('OAuth2ClientCredentials', () => {
  it('asks for a token as RFC 6749 says', async () => {
    const { ask, http } = setUp(tokens(), {
      tokenUrl: TOKEN_URL,
      scopes: ['write', 'read', 'write'],
      audience: 'agents',
      resource: AGENT,
    });
    expect(await ask({ scopes: ['other'] })).toBe('Bearer t1');
    const [request] = http.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: TOKEN_URL,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from('my+client:open+sesame').toString('base64')}`,
      },
    });
    expect(formOf(request?.body)).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'agents',
      resource: AGENT,
    });
    expect(http.limits[0]).toEqual({ totalTimeoutMs: 10_000, maxAnswerBytes: 65_536 });
  });

  it('shows the secret in the body when told so', async () => {
    const { ask, http } = setUp(tokens(), { tokenUrl: TOKEN_URL, authMethod: 'client_secret_post' });
    await ask({ scopes: ['read'] });
    expect(http.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(formOf(http.requests[0]?.body)).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      client_id: 'my client',
      client_secret: SECRET,
    });
  });

  it.each<readonly [what: string, more: object, keptSeconds: number]>([
    ['half a minute before its end', { expires_in: 600 }, 570],
    ['as a text', { expires_in: '600' }, 570],
    ['in its last tenth when it is short', { expires_in: 10 }, 9],
  ])('fetches another token %s', async (_what, more, keptSeconds) => {
    const { ask, pass } = setUp(tokens(more));
    await ask();
    pass(keptSeconds - 0.001);
    expect(await ask()).toBe('Bearer t1');
    pass(0.001);
    expect(await ask()).toBe('Bearer t2');
  });

  it.each([[{}], [{ expires_in: 'soon' }], [{ expires_in: null }]])(
    'keeps a token until it is refused when its end is not known: %j',
    async (more) => {
      const { ask, pass } = setUp(tokens(more));
      await ask();
      pass(1e9);
      expect(await ask()).toBe('Bearer t1');
    },
  );

  it('fetches another token when the last one is refused, and not for an older one', async () => {
    const { ask, credential, http } = setUp(tokens());
    await ask();
    expect(credential.rejected({ headers: { authorization: 'Bearer t1' } })).toBe(true);
    expect(await ask()).toBe('Bearer t2');
    expect(credential.rejected({ headers: { authorization: 'Bearer t1' } })).toBe(true);
    expect(await ask()).toBe('Bearer t2');
    expect(http.requests).toHaveLength(2);
  });

  it('keeps one for each set of scopes, and 64 at most', async () => {
    const { ask, http } = setUp(tokens());
    await ask({ scopes: ['a', 'b'] });
    expect(await ask({ scopes: ['b', 'a'] })).toBe('Bearer t1');
    for (let index = 0; index < 64; index += 1) await ask({ scopes: [String(index)] });
    expect(await ask({ scopes: ['63'] })).toBe('Bearer t65');
    expect(await ask({ scopes: ['a', 'b'] })).toBe('Bearer t66');
    expect(http.requests).toHaveLength(66);
  });

  it('asks once for many at the same time, though one of them leaves', async () => {
    const { ask, http } = setUp(tokens());
    const controller = new AbortController();
    const all = Array.from({ length: 10 }, () => ask());
    const leaving = ask({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(leaving).rejects.toThrow('enough');
    expect(new Set(await Promise.all(all))).toEqual(new Set(['Bearer t1']));
    expect(http.requests).toHaveLength(1);
  });

  it.each<readonly [answer: ScriptedAnswer, reason: string]>([
    [
      { status: 400, body: { error: 'invalid_client', error_description: SECRET } },
      'the answer is 400 (invalid_client)',
    ],
    [{ status: 401, body: { error: `<b>${SECRET}</b>` } }, 'the answer is 401'],
    [{ status: 503, headers: { 'retry-after': '7' }, body: SECRET }, 'the answer is 503'],
    [{ status: 302 }, 'the answer is 302'],
    [{ body: SECRET }, 'the answer has no access_token'],
    [{ body: { access_token: 7 } }, 'the answer has no access_token'],
    [{ body: { access_token: 't', token_type: 'mac' } }, 'the token is no bearer token'],
  ])('fails with %j', async (answer, reason) => {
    const { ask } = setUp(() => answer);
    const error = await caught(ask());
    expect(error).toMatchObject({
      code: 'TOKEN_REQUEST_FAILED',
      message: `No token from https://id.example: ${reason}`,
      ...(answer.status === 503 && { retryAfterSeconds: 7 }),
    });
  });

  it('takes no token of two lines', async () => {
    const { ask } = setUp(() => ({ body: { access_token: 'a\r\nx: y' } }));
    await expect(ask()).rejects.toMatchObject({ code: 'CREDENTIAL_INVALID' });
  });
});

describe('OAuth2ClientCredentials, where tokens come from', () => {
  const issuer = 'https://id.example/tenant';
  const metadata = { issuer, token_endpoint: TOKEN_URL };
  const pages = (found: Record<string, unknown>): HttpScript => {
    const token = tokens();
    return (request) => {
      if (request.method === 'POST') return token(request);
      return found[request.url] === undefined ? { status: 404 } : { body: found[request.url] };
    };
  };

  it.each<
    readonly [
      what: string,
      options: Partial<OAuth2ClientCredentialsOptions>,
      scheme: SecurityScheme | undefined,
      found: Record<string, unknown>,
      url: string,
    ]
  >([
    ['its own setting, whatever the card says', { tokenUrl: TOKEN_URL }, flows(`${AGENT}/token`), {}, TOKEN_URL],
    ['its own metadata', { metadataUrl: METADATA_URL }, bearer, { [METADATA_URL]: metadata }, TOKEN_URL],
    [
      'its issuer',
      { issuer },
      undefined,
      { 'https://id.example/.well-known/oauth-authorization-server/tenant': metadata },
      TOKEN_URL,
    ],
    [
      'its issuer, by OpenID Connect',
      { issuer },
      undefined,
      { 'https://id.example/tenant/.well-known/openid-configuration': metadata },
      TOKEN_URL,
    ],
    ["the card, on the agent's origin", {}, flows(`${AGENT}/token`), {}, `${AGENT}/token`],
    ['the card, on an allowed origin', { tokenOrigins: ['https://id.example'] }, flows(TOKEN_URL), {}, TOKEN_URL],
    [
      'metadata that the card names',
      {},
      metadataAt(`${AGENT}/m`),
      { [`${AGENT}/m`]: { token_endpoint: `${AGENT}/token` } },
      `${AGENT}/token`,
    ],
    [
      'OpenID Connect that the card names',
      { tokenOrigins: ['https://id.example'] },
      openIdAt(METADATA_URL),
      { [METADATA_URL]: metadata },
      TOKEN_URL,
    ],
  ])('asks %s', async (_what, options, scheme, found, url) => {
    const { ask, http, credential } = setUp(pages(found), options);
    expect(await ask({ scheme })).toBe('Bearer t1');
    expect(http.requests.at(-1)?.url).toBe(url);
    if (scheme) expect(credential.fits(scheme)).toBe(true);
    // Metadata carry no secret, and are kept.
    const asked = http.requests.length;
    credential.rejected({ headers: { authorization: 'Bearer t1' } });
    await ask({ scheme });
    expect(http.requests.slice(0, asked - 1).every(({ headers }) => headers['authorization'] === undefined)).toBe(true);
  });

  it.each<
    readonly [
      what: string,
      options: Partial<OAuth2ClientCredentialsOptions>,
      scheme: SecurityScheme | undefined,
      found: Record<string, unknown>,
      code: string,
    ]
  >([
    ['nobody says', {}, undefined, {}, 'TOKEN_ENDPOINT_UNKNOWN'],
    ['the card says, elsewhere', {}, flows('https://evil.example/token'), {}, 'TOKEN_ENDPOINT_NOT_ALLOWED'],
    ['the card says by HTTP', {}, flows('http://a.example/token'), {}, 'TOKEN_ENDPOINT_NOT_ALLOWED'],
    ['the card says, and it is no URL', {}, flows('token'), {}, 'TOKEN_ENDPOINT_NOT_ALLOWED'],
    [
      'metadata elsewhere say',
      {},
      metadataAt(METADATA_URL),
      { [METADATA_URL]: metadata },
      'TOKEN_ENDPOINT_NOT_ALLOWED',
    ],
    [
      'metadata of the agent say, elsewhere',
      {},
      metadataAt(`${AGENT}/m`),
      { [`${AGENT}/m`]: metadata },
      'TOKEN_ENDPOINT_NOT_ALLOWED',
    ],
    ['metadata do not say', { metadataUrl: METADATA_URL }, undefined, { [METADATA_URL]: {} }, 'TOKEN_ENDPOINT_UNKNOWN'],
    [
      'another issuer says',
      { issuer },
      undefined,
      {
        'https://id.example/.well-known/oauth-authorization-server/tenant': {
          ...metadata,
          issuer: 'https://evil.example',
        },
      },
      'TOKEN_ENDPOINT_UNKNOWN',
    ],
    ['there are no metadata', { issuer }, undefined, {}, 'HTTP_ERROR'],
  ])('sends no secret where %s', async (_what, options, scheme, found, code) => {
    const { ask, http } = setUp(pages(found), options);
    await expect(ask({ scheme })).rejects.toMatchObject({ code });
    expect(http.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('shows the secret as the metadata want it', async () => {
    const found = { [METADATA_URL]: { ...metadata, token_endpoint_auth_methods_supported: ['client_secret_post', 7] } };
    const { ask, http } = setUp(pages(found), { metadataUrl: METADATA_URL });
    await ask();
    expect(formOf(http.requests.at(-1)?.body)).toMatchObject({ client_secret: SECRET });
  });

  it.each<readonly [fits: boolean, options: Partial<OAuth2ClientCredentialsOptions>, scheme: SecurityScheme]>([
    [true, { tokenUrl: TOKEN_URL }, bearer],
    [false, {}, bearer],
    [true, {}, flows(TOKEN_URL)],
    [false, {}, { oauth2SecurityScheme: { flows: { implicit: {} } } }],
    [true, { issuer }, { oauth2SecurityScheme: { flows: { implicit: {} } } }],
    [false, { issuer }, { httpAuthSecurityScheme: { scheme: 'basic' } }],
    [false, { issuer }, { apiKeySecurityScheme: { location: 'header', name: 'X' } }],
  ])('fits: %p %j %j', (fits, options, scheme) => {
    expect(setUp(tokens(), options).credential.fits(scheme)).toBe(fits);
  });
});
