import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  createA2ATransport,
  CredentialCrypto,
  SecurityException,
  WorkflowArgumentError,
  workflowEngineClientConfig,
  type WorkflowEngineClientOptions,
} from 'nestjs-a2a/workflow';
import { BusinessValues } from '../model/business-values.js';
import { type AgentCredentials, readCredentials } from './credentials-config.js';

const KEY = '0123456789abcdef'.repeat(4);
const LOGIN = { login_url: 'https://login.example/token' };
const encrypted = (text: string): string => CredentialCrypto.encrypt(text, KEY);
const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const NOTHING = { credentialsConfigPath: null, credentialsConfig: null, credentialEncryptionKey: null };

function read(config: object, key: string | null = null): AgentCredentials {
  const credentialsConfig = BusinessValues.map(config);
  const credentials = readCredentials({ ...NOTHING, credentialsConfig, credentialEncryptionKey: key });
  if (credentials === null) throw new Error('There are credentials');
  return credentials;
}

const schemeOf = (config: object, key?: string) =>
  read({ a: { s: { ...LOGIN, ...config } } }, key)
    .get('a')
    ?.get('s');

describe('credentials', () => {
  it('are none when nothing is configured', () => {
    expect(readCredentials(NOTHING)).toBeNull();
    expect(read({}).size).toBe(0);
  });

  it('have defaults', () => {
    expect(schemeOf({})).toEqual({
      loginUrl: 'https://login.example/token',
      method: 'POST',
      isForm: false,
      fields: undefined,
      tokenPaths: [['accessSession'], ['access_token'], ['token']],
      ttlMs: 3_600_000,
      header: undefined,
      prefix: undefined,
      accept: undefined,
    });
  });

  it.each<readonly [what: string, config: object, expected: object]>([
    ['method', { method: 'put' }, { method: 'PUT' }],
    ['content_type', { content_type: 'application/x-www-form-urlencoded' }, { isForm: true }],
    ['content_type with parameters', { content_type: 'Application/JSON; charset=utf-8' }, { isForm: false }],
    [
      'request_fields',
      { request_fields: { a: 'x', b: { c: 1 }, d: true } },
      { fields: { a: 'x', b: { c: 1 }, d: true } },
    ],
    ['request_fields before the account', { request_fields: {}, username: 'u', password: 'p' }, { fields: {} }],
    ['request_fields as older guides have them', { request_fields: { a: { value: 'x' } } }, { fields: { a: 'x' } }],
    ['username, password', { username: 'u', password: 'p' }, { fields: { username: 'u', password: 'p' } }],
    [
      'username_field, password_field',
      { username: 'u', password: 'p', username_field: 'user', password_field: 'value' },
      { fields: { user: 'u', value: 'p' } },
    ],
    ['token_field', { token_field: 'data.token' }, { tokenPaths: [['data', 'token']] }],
    ['token_ttl', { token_ttl: 90 }, { ttlMs: 90_000 }],
    ['token_ttl as text', { token_ttl: '90' }, { ttlMs: 90_000 }],
    ['auth_header', { auth_header: 'X-Auth' }, { header: 'X-Auth' }],
    ['auth_header_prefix', { auth_header_prefix: 'Token ' }, { prefix: 'Token ' }],
    ['an empty auth_header_prefix', { auth_header_prefix: '' }, { prefix: '' }],
    ['accept_header', { accept_header: 'application/json' }, { accept: 'application/json' }],
    ['null as nothing', { token_ttl: null, method: null, request_fields: null }, { method: 'POST', ttlMs: 3_600_000 }],
  ])('have %s', (_what, config, expected) => {
    expect(schemeOf(config)).toMatchObject(expected);
  });

  it('are decrypted', () => {
    const secret = encrypted('p@ss');
    expect(schemeOf({ username: 'u', password: secret }, KEY)).toMatchObject({ fields: { password: 'p@ss' } });
    expect(schemeOf({ request_fields: { a: { value: secret }, b: [secret] } }, KEY)).toMatchObject({
      fields: { a: 'p@ss', b: ['p@ss'] },
    });
  });

  it('may have profiles, with overrides for an agent', () => {
    const profiles = {
      shared: {
        s: { ...LOGIN, token_ttl: 60, request_fields: { user: 'shared', password: encrypted('p') } },
        t: LOGIN,
      },
    };
    const agents = {
      plain: { profile: 'shared' },
      own: { profile: 'shared', overrides: { s: { request_fields: { user: 'own' } }, u: { ...LOGIN, token_ttl: 5 } } },
    };
    const credentials = read({ profiles, agents }, KEY);
    expect([...(credentials.get('plain')?.keys() ?? [])]).toEqual(['s', 't']);
    expect(credentials.get('plain')?.get('s')).toMatchObject({ fields: { user: 'shared', password: 'p' } });
    expect(credentials.get('own')?.get('s')).toMatchObject({
      ttlMs: 60_000,
      fields: { user: 'own', password: 'p' },
    });
    expect(credentials.get('own')?.get('u')).toMatchObject({ ttlMs: 5_000 });
  });

  it.each<readonly [config: object, message: string]>([
    [{ a: 1 }, 'credentials.a must be an object'],
    [{ a: { s: 'x' } }, 'credentials.a.s must be an object'],
    [{ ' ': {} }, 'Credential agent name must not be blank'],
    [{ a: { '': LOGIN } }, 'Credential scheme name must not be blank'],
    [{ profiles: [] }, 'profiles must be an object'],
    [{ profiles: { p: 1 } }, 'profiles.p must be an object'],
    [{ profiles: { ' ': {} } }, 'Credential profile name must not be blank'],
    [{ profiles: { p: { s: 1 } } }, 'profiles.p.s must be an object'],
    [{ agents: 1 }, 'agents must be an object'],
    [{ agents: { a: 1 } }, 'agents.a must be an object'],
    [{ profiles: {}, agents: { a: { profile: 'p' } } }, "Unknown credential profile 'p' for agent a"],
    [{ agents: { a: { profile: 'toString' } } }, "Unknown credential profile 'toString' for agent a"],
    [{ agents: { a: {} } }, "Unknown credential profile '' for agent a"],
    [{ profiles: { p: {} }, agents: { a: { profile: 'p', overrides: 1 } } }, 'agents.a.overrides must be an object'],
    [
      { profiles: { p: {} }, agents: { a: { profile: 'p', overrides: { s: 1 } } } },
      'agents.a.overrides.s must be an object',
    ],
    [{ a: { s: {} } }, 'credentials.a.s.login_url is required'],
    [{ a: { s: { login_url: 'login' } } }, 'credentials.a.s.login_url must be an absolute http or https URL'],
    [{ a: { s: { login_url: 'file:///x' } } }, 'credentials.a.s.login_url must be an absolute http or https URL'],
    [
      { a: { s: { login_url: 'https://u:hunter2@a' } } },
      'credentials.a.s.login_url must hold no account: give username',
    ],
    [{ a: { s: { ...LOGIN, auth_header: '__proto__' } } }, 'credentials.a.s.auth_header is no name of a header'],
    [{ a: { s: { ...LOGIN, auth_header: 'X\r\nY' } } }, 'credentials.a.s.auth_header is no name of a header'],
    [{ a: { s: { ...LOGIN, method: 'HEAD' } } }, 'credentials.a.s.method must be one of POST, GET, PUT, PATCH, DELETE'],
    [{ a: { s: { ...LOGIN, content_type: 'text/xml' } } }, 'credentials.a.s.content_type must be application/json or'],
    [{ a: { s: { ...LOGIN, request_fields: 1 } } }, 'credentials.a.s.request_fields must be an object'],
    [{ a: { s: { ...LOGIN, username: 1 } } }, 'credentials.a.s.username must be a string'],
    [{ a: { s: { ...LOGIN, auth_header: 'a b' } } }, 'credentials.a.s.auth_header is no name of a header'],
    [
      { a: { s: { ...LOGIN, auth_header_prefix: 'x\r\nY: ' } } },
      'credentials.a.s.auth_header_prefix holds what no header',
    ],
    [{ a: { s: { ...LOGIN, auth_header_prefix: 7 } } }, 'credentials.a.s.auth_header_prefix must be a string'],
    [{ a: { s: { ...LOGIN, accept_header: 'a\nb' } } }, 'credentials.a.s.accept_header holds what no header may hold'],
    ...[0, -1, '1h', '', true].map((token_ttl): [object, string] => [
      { a: { s: { ...LOGIN, token_ttl } } },
      'credentials.a.s.token_ttl must be a positive number',
    ]),
    [
      {
        a: {
          s: { ...LOGIN, content_type: 'application/x-www-form-urlencoded', request_fields: { b: { c: 1 } } },
        },
      },
      'credentials.a.s.request_fields.b must be plain text',
    ],
  ])('must have their form: %j', (config, message) => {
    expect(() => read(config)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
    expect(() => read(config)).toThrow(WorkflowArgumentError);
  });

  it.each<readonly [what: string, key: string | null, message: string]>([
    ['another key', 'f'.repeat(64), 'Credential decryption failed; verify A2AT_CRED_KEY and encrypted value'],
    ['a key that is none', 'f', 'A2AT_CRED_KEY must contain 64 hexadecimal characters'],
  ])('are all decrypted at once, which %s stops', (_what, key, message) => {
    const profiles = { unused: { s: { ...LOGIN, password: encrypted('p') } } };
    expect(() => read({ profiles }, key)).toThrow(new SecurityException(message));
  });
});

describe('a file of credentials', () => {
  const start = (options: WorkflowEngineClientOptions) => createA2ATransport([], workflowEngineClientConfig(options));

  it('is read when the client is made', async () => {
    const path = fileOf('good.json', `\ufeff${JSON.stringify({ a: { s: LOGIN } })}`);
    for (const credentialsConfigPath of [path, pathToFileURL(path).href]) {
      await start({ credentialsConfigPath }).close();
    }
    expect(readCredentials({ ...NOTHING, credentialsConfigPath: path })?.get('a')?.size).toBe(1);
  });

  it('must be there', () => {
    const credentialsConfigPath = join(folder, 'none.json');
    expect(() => start({ credentialsConfigPath })).toThrow(`Credentials file not found: ${credentialsConfigPath}`);
    expect(() => start({ credentialsConfigPath: folder })).toThrow(`Failed to load credentials from ${folder}`);
  });

  it('must be JSON, of which nothing is told when it is not', () => {
    const credentialsConfigPath = fileOf('bad.json', '{"a": hunter2');
    const attempt = (): unknown => start({ credentialsConfigPath });
    expect(attempt).toThrow(new WorkflowArgumentError(`Failed to load credentials from ${credentialsConfigPath}`));
    expect(attempt).not.toThrow(expect.objectContaining({ cause: expect.anything() }));
  });

  it('must be UTF-8: in another encoding a password would become another one', () => {
    const credentialsConfigPath = fileOf('latin1.json', Buffer.from('{"a":{"s":{"password":"é"}}}', 'latin1'));
    expect(() => start({ credentialsConfigPath })).toThrow(`Failed to load credentials from ${credentialsConfigPath}`);
  });

  it('has no names that change what objects are', () => {
    const text = `{"__proto__":{"profiles":{}},"a":{"s":{"login_url":"${LOGIN.login_url}","__proto__":{"method":"X"}}}}`;
    const credentialsConfigPath = fileOf('names.json', text);
    const credentials = readCredentials({ ...NOTHING, credentialsConfigPath });
    expect([...(credentials?.keys() ?? [])]).toEqual(['a']);
    expect(credentials?.get('a')?.get('s')).toMatchObject({ method: 'POST' });
  });

  it('must hold an object', () => {
    const credentialsConfigPath = fileOf('list.json', '[]');
    expect(() => start({ credentialsConfigPath })).toThrow('credentials must be an object');
  });
});
