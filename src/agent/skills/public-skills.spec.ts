import { describe, expect, it, jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { PublicSkills } from './public-skills.js';
import type { SkillList } from './skill-descriptor.js';
import { SkillReader } from './skill-reader.js';
import { FunctionSkillSource } from './skill-source.js';

const logger = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };

describe('PublicSkills', () => {
  it('asks once for all who wait, and again when the answer is old; the same answer is the same object', async () => {
    let time = 0;
    const list: { name: string }[] = [{ name: 'A' }];
    const getSkills = jest.fn((): SkillList => list);
    const skills = new PublicSkills(new SkillReader(new FunctionSkillSource(getSkills)), 10, logger, () => time);
    const [first, second] = await Promise.all([skills.current(), skills.current()]);
    expect(first).toBe(second);
    time = 9_999;
    await skills.current();
    expect(getSkills).toHaveBeenCalledTimes(1);
    time = 10_000;
    expect(await skills.current()).toBe(first);
    expect(getSkills).toHaveBeenCalledTimes(2);
    // The source may keep and change its list: the change counts all the same.
    list.push({ name: 'B' });
    time = 20_000;
    expect(await skills.current()).not.toBe(first);
  });

  it('throws while there was no answer, without asking for each caller; later failures leave what was', async () => {
    let time = 0;
    let fails = true;
    const getSkills = jest.fn((): SkillList => {
      if (fails) throw new Error('down');
      return [{ name: 'A' }];
    });
    const skills = new PublicSkills(new SkillReader(new FunctionSkillSource(getSkills)), 10, logger, () => time);
    await expect(skills.current()).rejects.toThrow('down');
    await expect(skills.current()).rejects.toThrow('down');
    expect(getSkills).toHaveBeenCalledTimes(1);
    time = 10_000;
    fails = false;
    const known = await skills.current();
    time = 20_000;
    fails = true;
    expect(await skills.current()).toBe(known);
    expect(logger.error).toHaveBeenLastCalledWith(expect.stringContaining('down'));
  });
});

describe('PublicSkills of a source', () => {
  const of = (getSkills: () => SkillList): PublicSkills =>
    new PublicSkills(new SkillReader(new FunctionSkillSource(getSkills)), 0, logger);

  it('that looks at its AsyncLocalStorage finds no request there: the answer is for everybody', async () => {
    const request = new AsyncLocalStorage<string>();
    const skills = of(() => [{ name: `of ${request.getStore()}` }]);
    const { list } = await request.run('ann', () => skills.current());
    expect(list).toEqual([{ name: 'of undefined' }]);
  });

  it('that gives what JSON has no form for are a new answer each time', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const skills = of(() => [{ name: 'A', inputSchema: circular }]);
    const first = await skills.current();
    expect(first.list).toHaveLength(1);
    expect(await skills.current()).not.toBe(first);
  });
});

describe('SkillReader', () => {
  const user = { id: 'ann', authenticated: true };
  const read = (getSkills: FunctionSkillSource['getSkills'], gone?: AbortSignal): Promise<SkillList> =>
    new SkillReader(new FunctionSkillSource(getSkills), 1).read(user, 't', gone);

  it('tells who asks, and takes an answer at once or later', async () => {
    const asked: unknown[] = [];
    const answer = await read(async ({ user: who, tenant, signal }) => {
      asked.push(who, tenant, signal.aborted);
      return [{ name: 'A' }];
    });
    expect([answer, asked]).toEqual([[{ name: 'A' }], [user, 't', false]]);
  });

  it.each<[string, FunctionSkillSource['getSkills'], string]>([
    ['late', () => new Promise(() => undefined), 'within 1 ms'],
    ['failing', () => Promise.reject(new Error('no database')), 'no database'],
    ['throwing nothing', () => Promise.reject(undefined), 'undefined'],
    ['without a list', () => JSON.parse('{"skills":[]}'), 'gave no list'],
    ['boundless', () => Array.from({ length: 501 }, (_, n) => ({ name: `${n}` })), 'gave 501 skills'],
  ])('refuses a source that is %s, and tells it to stop', async (_what, getSkills, message) => {
    let given: AbortSignal | undefined;
    const source: FunctionSkillSource['getSkills'] = (caller) => {
      given = caller.signal;
      return getSkills(caller);
    };
    await expect(read(source)).rejects.toMatchObject({
      code: 'A2A_SKILL_SOURCE',
      message: expect.stringContaining(message),
    });
    expect(given?.aborted).toBe(true);
  });

  it('waits no longer than the caller', async () => {
    await expect(read(() => new Promise(() => undefined), AbortSignal.abort(new Error('gone')))).rejects.toThrow(
      'gone',
    );
  });
});
