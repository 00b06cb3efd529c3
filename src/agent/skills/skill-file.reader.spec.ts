import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What happens between one step of reading and the next. */
const between = { stat: (): unknown => undefined, open: (): unknown => undefined };

jest.unstable_mockModule('node:fs/promises', () => ({
  ...files,
  stat: async (path: string) => {
    await between.stat();
    return files.stat(path);
  },
  open: async (path: string, flags: number) => {
    await between.open();
    return files.open(path, flags);
  },
}));
const { readSkillFile } = await import('./skill-file.reader.js');

function failure(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

describe('readSkillFile', () => {
  let base: string;
  let root: string;
  let file: string;

  beforeAll(async () => {
    base = await files.realpath(await files.mkdtemp(join(tmpdir(), 'skill-file-')));
    root = join(base, 'skills');
    file = join(root, 'a', 'SKILL.md');
    await files.mkdir(join(root, 'a'), { recursive: true });
    await files.writeFile(join(base, 'secret'), '---\nname: Secret\n---\n');
  });
  afterAll(() => files.rm(base, { recursive: true }));

  const read = async (change: Partial<typeof between>): Promise<unknown> => {
    await files.rm(file, { force: true });
    await files.writeFile(file, '---\nname: A\n---\n');
    Object.assign(between, { stat: () => undefined, open: () => undefined }, change);
    return readSkillFile(root, 'a', 100, undefined);
  };
  const linked = async (): Promise<void> => {
    await files.rm(file);
    await files.symlink(join(base, 'secret'), file);
  };

  it.each<[string, Partial<typeof between>, unknown]>([
    ['stays', {}, { kind: 'file', file: { stamp: expect.any(String), head: '---\nname: A\n---\n' } }],
    ['is gone before it is looked at', { stat: () => files.rm(file) }, { kind: 'none' }],
    ['is gone before it is opened', { open: () => files.rm(file) }, { kind: 'none' }],
    ['may not be read', { open: failure('EACCES') }, { kind: 'fault', fault: 'cannot be read (EACCES)' }],
    ['is on a broken disk', { stat: failure('EIO') }, { kind: 'fault', fault: 'cannot be read (EIO)' }],
    ['becomes a link', { open: linked }, { kind: 'fault', fault: 'cannot be read (ELOOP)' }],
    [
      'grows',
      { open: () => files.appendFile(file, 'x'.repeat(100)) },
      { kind: 'fault', fault: 'has 116 bytes; 100 are allowed' },
    ],
  ])('tells what came of a file that %s', async (_what, change, result) => {
    expect(await read(change)).toEqual(result);
  });
});
