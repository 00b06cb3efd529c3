import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { AgentCard, SecurityScheme } from 'nestjs-a2a/protocol';
import { bareCard } from '../../../../test/support/bare-card.js';
import { ScriptedClientHttp } from '../../../../test/support/scripted-client-http.js';
import { caught } from '../../../../test/support/caught.js';
import { ApiKeyCredential } from './api-key.credential.js';
import { BasicCredential } from './basic.credential.js';
import { BearerCredential } from './bearer.credential.js';
import type { CredentialList } from './card-credentials.js';
import { Credential } from './credential.js';
import { type ClientCredentials, credentialSourceOf } from './credential-setting.js';
import { OAuth2ClientCredentials } from './oauth2-client.credential.js';

const apiKey = (location: string, name: string): SecurityScheme => ({ apiKeySecurityScheme: { location, name } });
const http = (scheme: string): SecurityScheme => ({ httpAuthSecurityScheme: { scheme } });
const SCHEMES: Record<string, SecurityScheme> = {
  header: apiKey('header', 'X-Key'),
  query: apiKey('query', 'api key'),
  cookie: apiKey('Cookie', 'session'),
  palm: apiKey('palm', 'left'),
  taken: apiKey('header', 'Content-Type'),
  broken: apiKey('header', 'X-Key: 1\r\nX-Evil'),
  bearer: http('Bearer'),
  basic: http('basic'),
  digest: http('Digest'),
  openId: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://i.example' } },
  oauth: { oauth2SecurityScheme: { flows: { implicit: {} } } },
  mtls: { mtlsSecurityScheme: {} },
};

const key = new ApiKeyCredential('word');
const bearer = new BearerCredential('token');
const basic = new BasicCredential('Ali', 'sesame');

function cardOf(requirements: readonly (readonly string[])[] | undefined, schemes = SCHEMES): AgentCard {
  return bareCard({
    securitySchemes: schemes,
    securityRequirements: requirements?.map((names) => ({
      schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])),
    })),
  });
}

async function given(
  credentials: ClientCredentials | undefined,
  card: AgentCard | undefined,
  hasClientCertificate = false,
) {
  const context = { origin: 'https://a.example', http: new ScriptedClientHttp(() => ({})) };
  return credentialSourceOf(credentials, { hasClientCertificate }).headersFor(card, undefined, context);
}

const none = { headers: {}, query: {}, cookies: {} };
const authorization = (value: string) => ({ ...none, headers: { authorization: value } });
const BASIC = `Basic ${Buffer.from('Ali:sesame').toString('base64')}`;

describe('CardCredentials', () => {
  it.each<
    readonly [what: string, credentials: ClientCredentials, asked: readonly (readonly string[])[], carries: object]
  >([
    ['a key in a header', key, [['header']], { ...none, headers: { 'x-key': 'word' } }],
    ['a key in the query', key, [['query']], { ...none, query: { 'api key': 'word' } }],
    ['a key in a cookie', key, [['cookie']], { ...none, cookies: { session: 'word' } }],
    ['a key as text', 'word', [['header']], { ...none, headers: { 'x-key': 'word' } }],
    ['a key as a bearer token', 'word', [['bearer']], authorization('Bearer word')],
    ['a bearer token', bearer, [['bearer']], authorization('Bearer token')],
    ['a bearer token for OAuth', bearer, [['oauth']], authorization('Bearer token')],
    ['a bearer token for OpenID Connect', bearer, [['openId']], authorization('Bearer token')],
    ['user name and password', basic, [['basic']], authorization(BASIC)],
    [
      'the first alternative that can be fulfilled',
      [bearer, key],
      [['basic'], ['header'], ['bearer']],
      {
        ...none,
        headers: { 'x-key': 'word' },
      },
    ],
    [
      'all of one alternative',
      [key, bearer],
      [
        ['header', 'basic'],
        ['bearer', 'query'],
      ],
      {
        headers: { authorization: 'Bearer token' },
        query: { 'api key': 'word' },
        cookies: {},
      },
    ],
    ['the first credential that fits', [bearer, key], [['bearer']], authorization('Bearer token')],
    [
      'what is named',
      { header: new ApiKeyCredential('one'), query: new ApiKeyCredential('two') },
      [['header', 'query']],
      {
        headers: { 'x-key': 'one' },
        query: { 'api key': 'two' },
        cookies: {},
      },
    ],
    ['something though nothing would do', key, [[], ['header']], { ...none, headers: { 'x-key': 'word' } }],
    ['nothing where nothing will do', bearer, [['header'], []], none],
    ['nothing when told so', false, [['header']], { headers: {} }],
  ])('gives %s', async (_what, credentials, asked, carries) => {
    expect(await given(credentials, cardOf(asked))).toEqual(carries);
  });
});

class DigestCredential extends Credential {
  readonly kind = 'digest';

  fits(scheme: SecurityScheme): boolean {
    return 'httpAuthSecurityScheme' in scheme && scheme.httpAuthSecurityScheme.scheme === 'Digest';
  }

  headersFor() {
    return { headers: { Authorization: 'Digest x' } };
  }
}

describe('CardCredentials, further', () => {
  it("takes a credential of somebody's own", async () => {
    expect(await given([key, new DigestCredential()], cardOf([['digest']]))).toEqual(authorization('Digest x'));
  });

  it('counts a client certificate, which TLS shows', async () => {
    expect(await given(undefined, cardOf([['mtls']]), true)).toEqual(none);
    expect(await given({ header: key }, cardOf([['mtls', 'header']]), true)).toMatchObject({
      headers: { 'x-key': 'word' },
    });
    await expect(given(key, cardOf([['mtls']]))).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
  });

  it.each<
    readonly [what: string, credentials: ClientCredentials | undefined, card: AgentCard | undefined, carries: object]
  >([
    ['nothing', undefined, cardOf(undefined), none],
    ['a key where the card has a place for one', key, cardOf(undefined), { ...none, headers: { 'x-key': 'word' } }],
    ['a key in the usual header', key, cardOf(undefined, {}), { ...none, headers: { 'x-api-key': 'word' } }],
    [
      'a key in its own place',
      new ApiKeyCredential('word', { location: 'query', name: 'k' }),
      cardOf([], {}),
      {
        ...none,
        query: { k: 'word' },
      },
    ],
    ['a bearer token', bearer, cardOf([], {}), authorization('Bearer token')],
    ['the first of several', [basic, key], cardOf([], {}), authorization(BASIC)],
    ['a key, before there is a card', 'word', undefined, { ...none, headers: { 'x-api-key': 'word' } }],
  ])('a card that asks for nothing gets %s', async (_what, credentials, card, carries) => {
    expect(await given(credentials, card)).toEqual(carries);
  });

  it.each<readonly [credentials: CredentialList | undefined, asked: readonly (readonly string[])[], message: string]>([
    [undefined, [['bearer']], "The agent asks for 'bearer' (HTTP Bearer). Configured: nothing."],
    [
      [key],
      [['basic'], ['header', 'openId']],
      "The agent asks for 'basic' (HTTP basic), or 'header' (API key in header X-Key) and 'openId' (OpenID Connect). " +
        'Configured: API key.',
    ],
    [[key], [['missing']], "'missing' (which its card does not describe in a way known here)"],
    [[key], [['constructor']], "'constructor' (which its card does not describe"],
    [[key], [['palm']], "'palm' (API key in palm left)"],
    [[bearer], [['mtls', 'bearer']], "'mtls' (client certificate) and 'bearer'"],
    [{ other: key }, [['header']], "'header'"],
    [{ header: bearer }, [['header']], 'Configured: bearer token.'],
    [[new ApiKeyCredential('word', { location: 'header', name: 'X-Other' })], [['header'], ['bearer']], "'header'"],
  ])('says what is missing: %#', async (credentials, asked, message) => {
    const error = await caught(given(credentials, cardOf(asked)));
    expect(error).toMatchObject({ code: 'CREDENTIALS_MISSING' });
    expect(error.message).toContain(message);
    expect(error.message).not.toMatch(/word|token'/);
  });

  it.each<readonly [what: string, credentials: ClientCredentials, asked: readonly string[], code: string]>([
    ['two of the same header', [bearer, basic], ['bearer', 'basic'], 'CREDENTIALS_CONFLICT'],
    ['a header that is taken', key, ['taken'], 'CREDENTIAL_INVALID'],
    ['a header that is two', key, ['broken'], 'CREDENTIAL_INVALID'],
    ['a key that no cookie can hold', new ApiKeyCredential('a;b'), ['cookie'], 'CREDENTIAL_INVALID'],
  ])('cannot give %s', async (_what, credentials, asked, code) => {
    await expect(given(credentials, cardOf([asked]))).rejects.toMatchObject({ code });
  });
});

describe('a credential', () => {
  it.each<readonly [what: string, make: () => unknown]>([
    ['an empty key', () => new ApiKeyCredential('')],
    ['a key of two lines', () => new ApiKeyCredential('sesame\r\nX-Evil: 1')],
    ['a key with white space around', () => new ApiKeyCredential(' sesame')],
    ['a token beyond Latin-1', () => new BearerCredential('sesame…')],
    ['a user name with a colon', () => new BasicCredential('sesame:b', 'c')],
    ['a password of two lines', () => new BasicCredential('a', 'sesame\n')],
    ['no client id', () => new OAuth2ClientCredentials({ clientId: '', clientSecret: 'sesame' })],
    ['no token URL', () => new OAuth2ClientCredentials({ clientId: 'a', clientSecret: 'sesame', tokenUrl: '/token' })],
  ])('cannot be made of %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'CREDENTIAL_INVALID' }));
    expect(make).not.toThrow(/sesame/);
  });

  it.each<readonly [kind: string, credential: Credential]>([
    ['API key', new ApiKeyCredential('sesame')],
    ['bearer token', new BearerCredential('sesame')],
    ['user name and password', new BasicCredential('a', 'sesame')],
    ['OAuth 2.0 client credentials', new OAuth2ClientCredentials({ clientId: 'a', clientSecret: 'sesame' })],
  ])('does not show its secret: %s', (kind, credential) => {
    expect(credential.kind).toBe(kind);
    const secret = Buffer.from('a:sesame').toString('base64');
    for (const text of [inspect(credential, { showHidden: true, depth: 9 }), JSON.stringify(credential)]) {
      expect(text).not.toContain('sesame');
      expect(text).not.toContain(secret);
    }
  });

  it('holds a password in any script', () => {
    const [, encoded = ''] =
      new BasicCredential('Zoë', 'пароль').headersFor().headers['authorization']?.split(' ') ?? [];
    expect(Buffer.from(encoded, 'base64').toString()).toBe('Zoë:пароль');
  });
});
