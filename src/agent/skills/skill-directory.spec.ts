import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { A2AConfigurationError } from '../../config/a2a-configuration.error.js';
import { AgentCardError } from '../card/agent-card.error.js';
import { SkillDirectory, type SkillDirectoryOptions } from './skill-directory.js';

describe('SkillDirectory', () => {
  let base: string;
  let root: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'skills-'));
    root = join(base, 'skills');
    await mkdir(root);
  });
  afterEach(() => rm(base, { recursive: true }));

  const put = async (folder: string, yaml: string): Promise<void> => {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'SKILL.md'), `---\n${yaml}\n---\nBody`);
  };
  const at = (options: SkillDirectoryOptions = {}): SkillDirectory =>
    new SkillDirectory(root, { checkIntervalSeconds: 0, ...options });
  const faultsOf = async (directory: SkillDirectory): Promise<unknown> => {
    const error: unknown = await directory.getSkills().catch((thrown: unknown) => thrown);
    return error instanceof AgentCardError ? error.faults : error;
  };

  it('reads one skill of each folder, by the order of their names, and passes the rest over', async () => {
    await put('weather', 'name: Weather\ndescription: Tells it');
    await put('cook', 'name: Cook');
    await put('translate', 'name: 翻译');
    await put('.git', 'name: Hidden');
    await put('cook/nested', 'name: Nested');
    await mkdir(join(root, 'assets'));
    await writeFile(join(root, 'SKILL.md'), 'not a folder');
    expect(await at().getSkills()).toEqual([
      { name: 'Cook' },
      { id: 'translate', name: '翻译' },
      { name: 'Weather', description: 'Tells it' },
    ]);
  });

  it('sees changes, new skills and those that are gone; between looks it answers from memory', async () => {
    await put('a', 'name: A');
    await put('b', 'name: B');
    const live = at();
    const calm = at({ checkIntervalSeconds: 3600 });
    const names = async (directory: SkillDirectory) => (await directory.getSkills()).map(({ name }) => name);
    expect([await names(live), await names(calm)]).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
    const unchanged = (await live.getSkills())[0];
    await put('b', 'name: Better');
    await put('c', 'name: C');
    expect(await names(live)).toEqual(['A', 'Better', 'C']);
    expect((await live.getSkills())[0]).toBe(unchanged);
    await rm(join(root, 'a'), { recursive: true });
    expect(await names(live)).toEqual(['Better', 'C']);
    expect(await names(calm)).toEqual(['A', 'B']);
    const [first, second] = await Promise.all([live.getSkills(), live.getSkills()]);
    expect(first).toBe(second);
  });

  it('names every fault, and is of use again once they are mended', async () => {
    await put('a', 'name: A');
    await put('b', 'description: no name');
    await put('c', 'name: [');
    await put('d', `name: D\ndescription: ${'x'.repeat(2000)}`);
    const directory = at({ maxFileBytes: 1000 });
    expect(await faultsOf(directory)).toEqual([
      { path: 'b/SKILL.md', description: 'has no name' },
      { path: 'c/SKILL.md', description: expect.stringContaining('is not YAML') },
      { path: 'd/SKILL.md', description: expect.stringContaining('1000 are allowed') },
    ]);
    for (const [folder, name] of [
      ['b', 'B'],
      ['c', 'C'],
      ['d', 'D'],
    ] as const)
      await put(folder, `name: ${name}`);
    expect(await directory.getSkills()).toHaveLength(4);
  });

  it('does not follow links out of the folder, whether of files or of folders', async () => {
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside', 'SKILL.md'), '---\nname: Secret\n---\n');
    await symlink(join(base, 'outside'), join(root, 'linked'));
    await mkdir(join(root, 'file'));
    await symlink(join(base, 'outside', 'SKILL.md'), join(root, 'file', 'SKILL.md'));
    await put('inside', 'name: Inside');
    await symlink(join(root, 'inside'), join(root, 'within'));
    await symlink(join(root, 'gone'), join(root, 'dangling'));
    await mkdir(join(root, 'no-file', 'SKILL.md'), { recursive: true });
    const fault = 'leads out of the folder of skills by a symbolic link';
    expect(await faultsOf(at())).toEqual([
      { path: 'file/SKILL.md', description: fault },
      { path: 'linked/SKILL.md', description: fault },
      { path: 'no-file/SKILL.md', description: 'is not a file' },
    ]);
    for (const folder of ['file', 'linked', 'no-file']) await rm(join(root, folder), { recursive: true });
    expect(await at().getSkills()).toEqual([{ name: 'Inside' }, { name: 'Inside' }]);
  });

  it.each([
    ['too many skills', 'skills', { maxSkills: 1 }, 'holds more skills than maxSkills (1)'],
    ['no folder', 'missing', {}, 'there is no such folder'],
    ['a file in place of the folder', 'skills/a/SKILL.md', {}, 'cannot be read as a folder (ENOTDIR)'],
  ])('says what is wrong: %s', async (_what, folder, options, description) => {
    await put('a', 'name: A');
    await put('b', 'name: B');
    expect(await faultsOf(new SkillDirectory(join(base, folder), options))).toEqual([
      { path: join(base, folder), description },
    ]);
  });

  it.each<[string, string, SkillDirectoryOptions, string]>([
    ['an empty name', ' ', {}, 'skills.folder'],
    ['an interval that is none', 'a', { checkIntervalSeconds: Number.NaN }, 'skills.checkIntervalSeconds'],
    ['an interval below zero', 'a', { checkIntervalSeconds: -1 }, 'skills.checkIntervalSeconds'],
    ['no skills', 'a', { maxSkills: 0 }, 'skills.maxSkills'],
    ['half a byte', 'a', { maxFileBytes: 0.5 }, 'skills.maxFileBytes'],
  ])('refuses %s', (_what, folder, options, option) => {
    const make = (): SkillDirectory => new SkillDirectory(folder, options);
    expect(make).toThrow(A2AConfigurationError);
    expect(make).toThrow(option);
  });
});
