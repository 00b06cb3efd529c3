import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { EnvFileLoader, WorkflowArgumentError } from 'nestjs-a2a/workflow';

const folder = mkdtempSync(join(tmpdir(), 'env-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('EnvFileLoader', () => {
  it.each<readonly [what: string, text: string, found: Record<string, string>]>([
    ['lines', 'A=1\nB=two words', { A: '1', B: 'two words' }],
    ['lines of Windows, after a byte order mark', '\ufeffA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['white space around keys and values', '  A = 1  ', { A: '1' }],
    ['values with more of the same', 'A=b=c', { A: 'b=c' }],
    ['empty values', 'A=', { A: '' }],
    ['double quotes', 'A="b # c "\nB="\nC=\'d\'', { A: 'b # c ', B: '"', C: "'d'" }],
    ['the first of two', 'A=1\nA=2', { A: '1' }],
    ['names of all kinds', '__proto__=1', Object.fromEntries([['__proto__', '1']])],
  ])('reads %s', (_what, text, found) => {
    expect(EnvFileLoader.parse(text)).toEqual(found);
  });

  it.each(['# A=1', '  # A=1', '', '   ', 'A', '=1'])('passes over %p', (line) => {
    expect(EnvFileLoader.parse(line)).toEqual({});
  });

  it('never overrides what is there', () => {
    const path = join(folder, '.env');
    writeFileSync(path, 'A=file\nB=file\nC=file\n');
    const environment: Record<string, string | undefined> = { A: 'before', B: '' };
    expect(EnvFileLoader.load(path, environment)).toEqual({ C: 'file' });
    expect(environment).toEqual({ A: 'before', B: '', C: 'file' });
  });

  it('refuses a file that is no UTF-8', () => {
    const path = join(folder, 'latin1.env');
    writeFileSync(path, Buffer.from('A=é', 'latin1'));
    expect(() => EnvFileLoader.load(path, {})).toThrow(`Env file cannot be read: ${path}`);
  });

  it('names a file that is not there', () => {
    const path = join(folder, 'none');
    expect(() => EnvFileLoader.load(path, {})).toThrow(WorkflowArgumentError);
    expect(() => EnvFileLoader.load(path, {})).toThrow(`Env file cannot be read: ${path}`);
  });
});
