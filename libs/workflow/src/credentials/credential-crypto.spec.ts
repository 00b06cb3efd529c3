import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CredentialCrypto, SecurityException } from 'nestjs-a2a/workflow';
import { seal } from './credential-crypto.js';

const KEY = '0123456789abcdef'.repeat(4);
const IV = Buffer.from('000102030405060708090a0b', 'hex');
const VALUE = 'enc:AAECAwQFBgcICQoL:8UTpbiADmqV8XU4hb06vk9dalMaZ+eCpeiK6';
const EMPTY = 'enc:AAECAwQFBgcICQoL:fH15w+q2luP38XVtzaoXZA==';
const DAMAGED = 'Credential decryption failed; verify A2AT_CRED_KEY and encrypted value';
const BAD_KEY = 'A2AT_CRED_KEY must contain 64 hexadecimal characters';

describe('CredentialCrypto', () => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env['A2AT_CRED_KEY'];
    delete process.env['A2AT_CRED_KEY'];
  });
  afterEach(() => {
    if (before === undefined) delete process.env['A2AT_CRED_KEY'];
    else process.env['A2AT_CRED_KEY'] = before;
  });

  it.each([
    ['p@ss&中文', VALUE],
    ['', EMPTY],
  ])('has its vectors: %p', (plaintext, value) => {
    expect(CredentialCrypto.decrypt(value, KEY)).toBe(plaintext);
    expect(CredentialCrypto.decrypt(value, KEY.toUpperCase())).toBe(plaintext);
    expect(seal(plaintext, Buffer.from(KEY, 'hex'), IV)).toBe(value);
  });

  it('encrypts each time with another vector', () => {
    const values = [1, 2].map(() => CredentialCrypto.encrypt('secret', KEY));
    expect(values[0]).not.toBe(values[1]);
    expect(values[0]).toMatch(/^enc:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]+={0,2}$/);
    expect(values.map((value) => CredentialCrypto.decrypt(value, KEY))).toEqual(['secret', 'secret']);
  });

  it('passes plain text on, without a key', () => {
    expect(CredentialCrypto.decrypt('plain')).toBe('plain');
    expect(['plain', VALUE].map((value) => CredentialCrypto.isEncrypted(value))).toEqual([false, true]);
  });

  it('takes the key of the environment, and the given one first', () => {
    process.env['A2AT_CRED_KEY'] = KEY;
    expect(CredentialCrypto.decrypt(VALUE)).toBe('p@ss&中文');
    expect(CredentialCrypto.decrypt(VALUE, ' ')).toBe('p@ss&中文');
    expect(CredentialCrypto.decrypt(CredentialCrypto.encrypt('x'), KEY)).toBe('x');
    expect(() => CredentialCrypto.decrypt(VALUE, 'f'.repeat(64))).toThrow(DAMAGED);
  });

  it.each([
    ['no key', undefined, 'Encrypted credential found but A2AT_CRED_KEY is not set'],
    ['66 characters', `${KEY}ab`, BAD_KEY],
    ['63 characters', KEY.slice(1), BAD_KEY],
    ['another character', `g${KEY.slice(1)}`, BAD_KEY],
    ['white space around it', ` ${KEY}`, BAD_KEY],
    ['another key', 'f'.repeat(64), DAMAGED],
  ])('does not decrypt with %s', (_what, key, message) => {
    expect(() => CredentialCrypto.decrypt(VALUE, key)).toThrow(new SecurityException(message));
  });

  it('does not encrypt without a key', () => {
    expect(() => CredentialCrypto.encrypt('x')).toThrow(new SecurityException('A2AT_CRED_KEY is not set'));
    expect(() => CredentialCrypto.encrypt('x', 'short')).toThrow(new SecurityException(BAD_KEY));
  });

  const [, iv = '', payload = ''] = VALUE.split(':');
  it.each([
    ['nothing', 'enc:'],
    ['one part', `enc:${iv}`],
    ['four parts', `${VALUE}:AAAA`],
    ['an empty vector', `enc::${payload}`],
    ['a short vector', `enc:${Buffer.alloc(11).toString('base64')}:${payload}`],
    ['a vector that is no base64', `enc:*${iv.slice(1)}:${payload}`],
    ['a payload that is no base64', `enc:${iv}:${payload.slice(0, -1)}*`],
    ['base64 for URLs', `enc:${iv}:${payload.replace('+', '-')}`],
    ['no padding', EMPTY.slice(0, -2)],
    ['a line break', `${VALUE.slice(0, -4)}\n${VALUE.slice(-4)}`],
    ['a payload shorter than its tag', `enc:${iv}:${Buffer.alloc(15).toString('base64')}`],
    ['another tag', `enc:${iv}:${changedAt(payload, 26)}`],
    ['another text', `enc:${iv}:${changedAt(payload, 0)}`],
    ['another vector', `enc:${Buffer.alloc(12).toString('base64')}:${payload}`],
  ])('refuses a value with %s', (_what, value) => {
    expect(() => CredentialCrypto.decrypt(value, KEY)).toThrow(new SecurityException(DAMAGED));
  });
});

function changedAt(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes.toString('base64');
}
