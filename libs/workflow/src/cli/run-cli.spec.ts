import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CredentialCrypto } from '../credentials/credential-crypto.js';
import { runCli } from './run-cli.js';

const KEY = '0123456789abcdef'.repeat(4);

async function run(args: readonly string[], input: readonly (string | Buffer)[] = [], isTTY = false) {
  const written = { out: '', error: '' };
  const code = await runCli(args, {
    stdin: Object.assign(Readable.from(input), { isTTY }),
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.error += text) },
  });
  return { code, ...written };
}

describe('nestjs-a2a encrypt-credential', () => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env['A2AT_CRED_KEY'];
    process.env['A2AT_CRED_KEY'] = KEY;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['A2AT_CRED_KEY'];
    else process.env['A2AT_CRED_KEY'] = before;
  });

  it.each<readonly [what: string, args: readonly string[], input: readonly (string | Buffer)[], value: string]>([
    ['an argument', ['p@ss&中文'], [], 'p@ss&中文'],
    ['an argument that looks like an option', ['--', '--help'], [], '--help'],
    ['standard input', [], ['sec', 'ret'], 'secret'],
    ['standard input after a byte order mark', [], ['\ufeffsecret\n'], 'secret'],
    ['a line', [], ['secret\n'], 'secret'],
    ['a line of Windows', [], ['secret\r\n'], 'secret'],
    ['more than one line', [], ['a\nb\n\n'], 'a\nb\n'],
    ['characters that come in pieces', [], [Buffer.from('中').subarray(0, 1), Buffer.from('中').subarray(1)], '中'],
  ])('encrypts %s', async (_what, args, input, value) => {
    const { code, out, error } = await run(['encrypt-credential', ...args], input);
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^enc:\S+\n$/);
    expect(CredentialCrypto.decrypt(out.trimEnd(), KEY)).toBe(value);
  });

  it('tells a person how to end the input', async () => {
    expect((await run(['encrypt-credential'], ['x'], true)).error).toContain('Ctrl+D');
  });

  it.each<readonly [what: string, key: string, input: readonly (string | Buffer)[], message: string]>([
    ['no key', '', ['x'], 'A2AT_CRED_KEY is not set'],
    ['a wrong key', 'short', ['x'], 'A2AT_CRED_KEY must contain 64 hexadecimal characters'],
    ['nothing', KEY, [], 'There is nothing to encrypt'],
    ['too much', KEY, [Buffer.alloc(65_537)], 'more than 65536 bytes'],
    ['bytes that are no text', KEY, [Buffer.from([0xff])], 'not valid'],
  ])('fails with %s', async (_what, key, input, message) => {
    process.env['A2AT_CRED_KEY'] = key;
    const { code, out, error } = await run(['encrypt-credential'], input);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(message);
  });

  it.each([[[]], [['decrypt']], [['encrypt-credential', 'a', 'b']]])('shows how it is used: %j', async (args) => {
    const { code, out, error } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(/^Usage: /);
  });

  it.each([[['--help']], [['-h']], [['encrypt-credential', '--help']], [['encrypt-credential', '-h']]])(
    'helps: %j',
    async (args) => {
      const { code, out, error } = await run(args);
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(/^Usage: /);
    },
  );
});
