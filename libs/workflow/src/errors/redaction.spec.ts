import { describe, expect, it } from '@jest/globals';
import { isSensitiveKey, oneLine, redactDetail, redactHeaders, redactText, redactValue } from './redaction.js';

describe('isSensitiveKey', () => {
  it.each([
    'Authorization',
    'proxy-authorization',
    'Set-Cookie',
    'access_token',
    'ACCESS-TOKEN',
    'client_secret',
    'userPassword',
    'pwd',
    'db_passwd',
    'accessSession',
    'access-session',
    'apiKey',
    'X-Api-Key',
    'api_key',
  ])('says yes to %s', (name) => expect(isSensitiveKey(name)).toBe(true));

  it.each(['name', 'authority', 'https://a.test/password/token', 'key', 'session'])('says no to %s', (name) =>
    expect(isSensitiveKey(name)).toBe(false),
  );
});

describe('redactText', () => {
  it.each([
    ['Bearer abc.def', 'Bearer ***'],
    ['authorization: Basic dXNlcjpwYXNz; next', 'authorization: Basic ***; next'],
    ['failed with password=s3cret&user=u', 'failed with password=***&user=u'],
    ['{"access_token":"s3cret","a":1}', '{"access_token":***,"a":1}'],
    ['x-api-key: s3cret', 'x-api-key: ***'],
    ['pwd = "s3 cret"', 'pwd = ***'],
    ["{'password': 's3 cret', 'a': 1}", "{'password': ***, 'a': 1}"],
    ['password="s3\\"cret" and more', 'password=*** and more'],
    ['{"password":"s3 cret that was cut', '{"password":***'],
    ['"{\\"token\\":\\"s3 cret\\",\\"a\\":1}"', '"{\\"token\\":***,\\"a\\":1}"'],
    ['Authorization: Digest a=s3 b="cret"\nnext', 'Authorization: ***\nnext'],
    ['Set-Cookie: a=s3; b=cret', 'Set-Cookie: ***'],
    ['{"Cookie":"a=s3; b=cret","a":1}', '{"Cookie":***,"a":1}'],
    ['authorization: bearer s3, token=cret', 'authorization: bearer ***, token=***'],
    ['api key: s3cret', 'api key: ***'],
    ['GET https://user:s3cret@a.test/x?y=1', 'GET https://***@a.test/x?y=1'],
    ['https://a.test/@x b@c', 'https://a.test/@x b@c'],
    ['nothing to hide', 'nothing to hide'],
  ])('%s', (text, shown) => expect(redactText(text)).toBe(shown));
});

describe('redactValue', () => {
  it('masks members and texts, wherever they are, and keeps the rest', () => {
    const value = {
      token: { deep: 'x' },
      list: [{ Password: 1 }, 'Bearer abc', 2, null, true],
      'https://a.test/token': 'kept',
      long: 'x'.repeat(600),
    };
    expect(redactValue(value)).toEqual({
      token: '***',
      list: [{ Password: '***' }, 'Bearer ***', 2, null, true],
      'https://a.test/token': 'kept',
      long: 'x'.repeat(512),
    });
    expect(value.list[0]).toEqual({ Password: 1 });
  });

  it('comes to an end with a value that contains itself', () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    expect(JSON.stringify(redactValue(value))).toContain('…');
  });
});

it('keeps details short, headers safe, and lines in one', () => {
  expect(redactDetail(`password=${'x'.repeat(2000)}`)).toBe('password=***');
  expect(redactHeaders({ 'Retry-After': '3', Cookie: 'a=b', gone: undefined })).toEqual({
    'retry-after': '3',
    cookie: '***',
  });
  expect(oneLine('a\r\nb')).toBe('a\\r\\nb');
});

it('is quick with texts that are made to be slow', () => {
  const texts = [
    'token'.repeat(20_000),
    `token${'\\'.repeat(50_000)}`,
    'token: "'.repeat(10_000),
    'cookie-'.repeat(10_000),
  ];
  for (const text of texts) expect(redactText(text).length).toBeGreaterThan(0);
});
