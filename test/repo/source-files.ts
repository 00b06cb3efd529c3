import { readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** The repo's root. Tests run there. */
export const ROOT = resolve('.');

/** A path as the repo writes it: from its root, with slashes. */
export function repoPath(file: string): string {
  return relative(ROOT, file).split(sep).join('/');
}

/** Files below a folder of the repo whose path the filter takes, sorted. */
export function filesBelow(folder: string, takes: (path: string) => boolean): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => repoPath(join(entry.parentPath, entry.name)))
    .filter(takes)
    .sort();
}

/** The sources that are published: of src and libs, without specs and test doubles. */
export function publishedSources(): string[] {
  const isSource = (path: string): boolean => path.endsWith('.ts') && !/\.spec(-d)?\.ts$/.test(path);
  return [...filesBelow('src', isSource), ...filesBelow('libs', isSource)];
}
