import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './source-files.js';

/** What belongs to one machine and not to the project. */
const FOREIGN: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['an absolute path of a machine', /(?<![\w.])\/(?:work|home|root|Users|workspace)\/\w/],
  ['a folder beside the repo', /\.\.\/shared\//],
  ['the address of a package registry', /https?:\/\/[\w.-]*(?:registry|artifactory|nexus|verdaccio|npm-proxy)[\w.-]*/i],
  ['where a package was downloaded from', /"resolved":\s*"https?:/],
  ['a registry setting', /^\s*(?:@[\w-]+:)?registry\s*=/m],
  ['a merge conflict', /^(?:<{7}|>{7}) /m],
];
const BINARY = /\.(png|jpe?g|gif|ico|woff2?|pdf|gz|zip)$/;

describe('files of the repo', () => {
  it.each(FOREIGN)('have not %s', (_what, pattern) => {
    const found = repoFiles()
      .filter((path) => path !== 'test/repo/tracked-text.spec.ts')
      .flatMap((path) => {
        const match = pattern.exec(readFileSync(join(ROOT, path), 'utf8'));
        return match ? [`${path}: ${match[0]}`] : [];
      });
    expect(found).toEqual([]);
  });
});

/** Tracked files and those that would be, without what git ignores. */
function repoFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = output.split('\0').filter((path) => path !== '' && !BINARY.test(path) && existsSync(join(ROOT, path)));
  expect(files).toContain('package.json');
  return files;
}
