import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileClaim } from './file-claim.js';

describe('FileClaim', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-'));
    path = join(folder, 'run.lock');
  });

  afterEach(() => rm(folder, { recursive: true }));

  const take = (): Promise<FileClaim> => FileClaim.take(path, 'run');

  it('is for one at a time', async () => {
    const first = await take();
    await expect(take()).rejects.toThrow('Execution is already running: run');
    await first.release();
    await (await take()).release();
    expect(await readdir(folder)).toEqual([]);
  });

  const here = hostname();
  const dead = spawnSync(process.execPath, ['--version']).pid;
  it.each([
    ['of a living process', `${process.ppid} ${here}`, 0, false],
    ['of a living process, not renewed', `${process.ppid} ${here}`, 31, true],
    ['of an earlier process with our number', `${process.pid} ${here} 12345 x`, 0, true],
    ['of a dead process', `${dead} ${here}`, 0, true],
    ['of another machine', `${dead} elsewhere`, 0, false],
    ['of another machine, not renewed', `${dead} elsewhere`, 31, true],
    ['of nobody yet', '', 0, false],
    ['of nobody, for long', '', 31, true],
  ])('%s', async (_, owner, ageSeconds, isTaken) => {
    await writeFile(path, owner);
    const then = new Date(Date.now() - ageSeconds * 1000);
    await utimes(path, then, then);
    const claim = await take().catch(() => undefined);
    expect(claim !== undefined).toBe(isTaken);
    await claim?.release();
  });

  it('of this process, made by another copy of this code, is left alone', async () => {
    const claim = await take();
    const [pid, host, started] = (await readFile(path, 'utf8')).split(' ');
    await claim.release();
    await writeFile(path, `${pid} ${host} ${started} another`);
    await expect(take()).rejects.toThrow('already running');
  });

  it('tells its owner when it was lost', async () => {
    const claim = await take();
    await claim.check('run');
    await writeFile(path, 'another');
    await expect(claim.check('run')).rejects.toThrow('Execution was taken over by another process: run');
    await claim.release();
  });

  it('goes to one of many that find an old one at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      await writeFile(path, `${dead} ${here}`);
      const claims = await Promise.all(Array.from({ length: 8 }, () => take().catch(() => undefined)));
      const taken = claims.filter((claim) => claim !== undefined);
      expect(taken.length).toBe(1);
      await taken[0]?.release();
    }
  });

  it('leaves alone what somebody else has taken over', async () => {
    const claim = await take();
    await writeFile(path, 'another');
    await claim.release();
    expect(await readFile(path, 'utf8')).toBe('another');
  });

  it('does not stay stuck when a process died while it took over', async () => {
    await writeFile(path, `${dead} ${here}`);
    await writeFile(`${path}.take`, `${dead} ${here}`);
    await expect(take()).rejects.toThrow('already running');
    await (await take()).release();
    expect(await readdir(folder)).toEqual([]);
  });
});
