import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ExecutionJournal } from './execution-journal.js';
import { FileExecutionJournal } from './file-execution-journal.js';
import { InMemoryExecutionJournal } from './in-memory-execution-journal.js';
import type { JournalRecord } from './journal-record.js';

const run: JournalRecord = { kind: 'run', workflow: { name: '工作流' }, runtimeIntent: '', lang: 'zh' };
const ended: JournalRecord = { kind: 'ended', success: true, error: null };
const task = (at: number): JournalRecord => ({ kind: 'task', step: 'A\n', index: at, taskId: `t${at}` });

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe.each<[string, () => ExecutionJournal]>([
  ['InMemoryExecutionJournal', () => new InMemoryExecutionJournal()],
  ['FileExecutionJournal', () => new FileExecutionJournal(join(folder, 'deep', 'er'))],
])('%s', (_name, make) => {
  it('keeps records in their order, those written at the same time too', async () => {
    const journal = make();
    const records = [run, ...Array.from({ length: 20 }, (_, at) => task(at))];
    await Promise.all(records.map((record) => journal.append('a', record)));
    expect(await journal.read('a')).toEqual(records);
    expect(await journal.read('b')).toEqual([]);
  });

  it('tells which runs have not ended, and forgets', async () => {
    const journal = make();
    expect(await journal.unfinished()).toEqual([]);
    for (const id of ['a', 'b', 'c']) await journal.append(id, run);
    await journal.append('b', ended);
    expect([...(await journal.unfinished())].sort()).toEqual(['a', 'c']);
    await journal.remove('a');
    await journal.remove('never');
    expect(await journal.unfinished()).toEqual(['c']);
    expect(await journal.read('a')).toEqual([]);
  });

  it('lets one at a time write', async () => {
    const journal = make();
    const release = await journal.claim('a');
    await expect(journal.claim('a')).rejects.toThrow('Execution is already running: a');
    const other = await journal.claim('b');
    await release();
    await (
      await journal.claim('a')
    )();
    await other();
  });

  it('hands out copies', async () => {
    const journal = make();
    await journal.append('a', run);
    const before = await journal.read('a');
    await journal.append('a', ended);
    expect(before).toEqual([run]);
  });
});

describe('InMemoryExecutionJournal', () => {
  it('keeps so many runs that have ended, and all others', async () => {
    const journal = new InMemoryExecutionJournal(2);
    await journal.append('open', run);
    for (const id of ['a', 'b', 'c']) {
      await journal.append(id, run);
      await journal.append(id, ended);
    }
    const kept = await Promise.all(['open', 'a', 'b', 'c'].map(async (id) => (await journal.read(id)).length));
    expect(kept).toEqual([1, 0, 2, 2]);
  });
});

describe('FileExecutionJournal', () => {
  const file = (): string => join(folder, 'a.jsonl');

  it.each([
    ['', []],
    ['{"kind":"ta', []],
    ['{"kind":"ended","success":true,"error":null}', []],
  ])('takes a torn last line (%j) for never written, and writes in its place', async (torn, kept) => {
    await new FileExecutionJournal(folder).append('a', run);
    await appendFile(file(), torn);
    const journal = new FileExecutionJournal(folder);
    expect(await journal.read('a')).toEqual([run, ...kept]);
    expect(await journal.unfinished()).toEqual(['a']);
    await journal.append('a', ended);
    expect(await journal.read('a')).toEqual([run, ended]);
  });

  it('cuts what a character was torn in', async () => {
    await writeFile(
      file(),
      Buffer.concat([Buffer.from(`${JSON.stringify(run)}\n{"kind":"`), Buffer.from('工').subarray(0, 2)]),
    );
    const journal = new FileExecutionJournal(folder);
    await journal.append('a', ended);
    expect(await journal.read('a')).toEqual([run, ended]);
  });

  it.each<readonly [what: string, line: string]>([
    ['no JSON', '{"kind":"secret'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no kind', '{}'],
    ['an unknown kind', '{"kind":"toString"}'],
    ['another place', '{"kind":"task","step":"A","index":"0","taskId":"t"}'],
    ['no task', '{"kind":"task","step":"A","index":0}'],
    ['no ids', '{"kind":"send","step":"A","index":0,"content":{}}'],
    ['no result', '{"kind":"finished","step":"A","index":0,"result":null}'],
    ['no decisions', '{"kind":"routed","step":"A","decisions":[{"allowed":1,"reason":""}]}'],
    ['no workflow', '{"kind":"run","workflow":1,"runtimeIntent":"","lang":""}'],
    ['no outcome', '{"kind":"ended","success":true}'],
  ])('says which line is damaged, and not what is in it: %s', async (_what, line) => {
    await writeFile(file(), `${JSON.stringify(run)}\n${line}\n${JSON.stringify(ended)}\n`);
    const reading = new FileExecutionJournal(folder).read('a');
    await expect(reading).rejects.toThrow('Journal of a is damaged in line 2');
    await expect(reading).rejects.not.toHaveProperty('cause');
  });

  it('tells which runs have not ended, whatever else is in its folder', async () => {
    const journal = new FileExecutionJournal(folder);
    await journal.append('a', run);
    await writeFile(join(folder, 'damaged.jsonl'), 'x\n');
    await writeFile(join(folder, 'torn.jsonl'), '{"kind":"run"');
    await writeFile(join(folder, 'not ours.jsonl'), 'x\n');
    expect([...(await journal.unfinished())].sort()).toEqual(['a', 'damaged']);
  });

  it('forgets a run only after what is being written of it', async () => {
    const journal = new FileExecutionJournal(folder);
    await Promise.all([journal.append('a', run), journal.remove('a')]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes nothing once somebody else has the run', async () => {
    const journal = new FileExecutionJournal(folder);
    const release = await journal.claim('a');
    await journal.append('a', run);
    await writeFile(join(folder, 'a.lock'), 'another');
    await expect(journal.append('a', ended)).rejects.toThrow('Execution was taken over by another process: a');
    await release();
    expect(await journal.read('a')).toEqual([run]);
    expect(await readFile(join(folder, 'a.lock'), 'utf8')).toBe('another');
  });

  const fullDisk = '/dev/full';
  const onFullDisk = existsSync(fullDisk) ? it : it.skip;
  onFullDisk('tells of a full disk, and goes on when there is room again', async () => {
    const journal = new FileExecutionJournal(folder);
    await symlink(fullDisk, file());
    await expect(journal.append('a', run)).rejects.toMatchObject({ code: 'ENOSPC' });
    await rm(file());
    await journal.append('a', run);
    expect(await journal.read('a')).toEqual([run]);
  });

  it('notices what another process has written before the claim', async () => {
    const [first, second] = [new FileExecutionJournal(folder), new FileExecutionJournal(folder)];
    await first.append('a', run);
    await second.append('a', task(1));
    await appendFile(file(), '{"torn');
    const release = await first.claim('a');
    await first.append('a', ended);
    await release();
    expect(await second.read('a')).toEqual([run, task(1), ended]);
  });

  it.each(['../a', 'a/b', '', 'a.b', 'a'.repeat(129), 'a\n'])('has no file for %j', async (id) => {
    const journal = new FileExecutionJournal(folder);
    await expect((async () => journal.append(id, run))()).rejects.toThrow('An execution id consists of');
    await expect((async () => journal.claim(id))()).rejects.toThrow('An execution id consists of');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is readable for its owner only', async () => {
    const journal = new FileExecutionJournal(join(folder, 'own'));
    await journal.append('a', run);
    const modes = [join(folder, 'own'), join(folder, 'own', 'a.jsonl')].map(async (path) => (await stat(path)).mode);
    expect((await Promise.all(modes)).map((mode) => mode & 0o077)).toEqual([0, 0]);
    expect(await readFile(join(folder, 'own', 'a.jsonl'), 'utf8')).toBe(`${JSON.stringify(run)}\n`);
  });
});
