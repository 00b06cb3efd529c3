import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importsOf, ownEntries, parse } from './import-graph.js';
import { publishedSources, ROOT } from './source-files.js';

interface Target {
  readonly types: string;
  readonly default: string;
}

interface Manifest {
  readonly main: string;
  readonly module: string;
  readonly types: string;
  readonly exports: Readonly<Record<string, { readonly import: Target; readonly require: Target } | string>>;
  readonly typesVersions: { readonly '*': Readonly<Record<string, readonly string[]>> };
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly sideEffects: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = ownEntries();
const subpaths = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ path, target }],
);

/** `./dist/cjs/src/index.d.ts` -> `src/index.ts`: what the build makes a file of. */
const sourceOf = (target: string): string =>
  target.replace(/^\.\/dist\/(esm|cjs)\//, '').replace(/(\.d\.ts|\.js)$/, '.ts');
const entryName = (path: string): string => `nestjs-a2a${path.slice(1)}`;

describe('package.json', () => {
  it('exports what tsconfig.json lets the sources name, but what is internal', () => {
    const own = [...subpaths.map(({ path }) => entryName(path)), 'nestjs-a2a/net'];
    expect(own.sort()).toEqual([...entries.keys()].sort());
  });

  it.each(subpaths)('builds $path twice, from the same source', ({ path, target }) => {
    for (const [folder, { types, default: code }] of [
      ['esm', target.import],
      ['cjs', target.require],
    ] as const) {
      expect([types, code]).toEqual([
        expect.stringMatching(`^\\./dist/${folder}/.*\\.d\\.ts$`),
        expect.stringMatching(`^\\./dist/${folder}/.*\\.js$`),
      ]);
      expect([sourceOf(types), sourceOf(code)]).toEqual([entries.get(entryName(path)), entries.get(entryName(path))]);
    }
    expect(existsSync(join(ROOT, sourceOf(target.import.default)))).toBe(true);
  });

  it.each(subpaths)('says types first in the conditions of $path, since the first that fits wins', ({ target }) => {
    expect(Object.keys(target)).toEqual(['import', 'require']);
    expect([Object.keys(target.import), Object.keys(target.require)]).toEqual([
      ['types', 'default'],
      ['types', 'default'],
    ]);
  });

  it('leads old resolvers to the same files', () => {
    const [root, ...others] = subpaths;
    expect([manifest.main, manifest.types]).toEqual([root?.target.require.default, root?.target.require.types]);
    expect(manifest.module).toBe(root?.target.import.default);
    expect(manifest.typesVersions['*']).toEqual(
      Object.fromEntries(others.map(({ path, target }) => [path.slice(2), [target.require.types]])),
    );
  });

  it('names every package that the published sources import', () => {
    const named = { ...manifest.dependencies, ...manifest.peerDependencies };
    const missing = publishedSources()
      .flatMap((path) => importsOf(parse(path), entries))
      .filter(({ to, specifier }) => to === undefined && !isBuiltin(specifier))
      .filter(({ specifier }) => !Object.keys(named).some((name) => `${specifier}/`.startsWith(`${name}/`)))
      .map(({ from, line, specifier }) => `${from}:${line} ${specifier}`);
    expect(missing).toEqual([]);
  });

  it('leaves Nest to the host, and the choice of a platform too', () => {
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@nestjs/'))).toEqual([]);
    expect(manifest.peerDependenciesMeta).toMatchObject({
      '@nestjs/platform-express': { optional: true },
      '@nestjs/platform-fastify': { optional: true },
      '@nestjs/testing': { optional: true },
    });
  });

  it('runs nothing in a project that installs it', () => {
    const installing = /^(pre|post)?(install|prepare)$/;
    expect(Object.keys(manifest.scripts).filter((name) => installing.test(name))).toEqual(['prepare']);
    expect(manifest.scripts['prepare']).toBe('npm run build');
  });

  it('has a command, made of a source that says what runs it', () => {
    expect(Object.keys(manifest.bin)).toEqual(['nestjs-a2a']);
    const source = sourceOf(`./${manifest.bin['nestjs-a2a']}`);
    expect(readFileSync(join(ROOT, source), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('publishes both builds and the sources of their maps, without specs', () => {
    expect(manifest.files).toEqual(
      expect.arrayContaining(['dist/esm', 'dist/cjs', 'src', 'libs', '!**/*.spec.ts', 'CHANGELOG.md', 'LICENSE']),
    );
    expect(manifest.files.filter((name) => !/[!*]|^dist/.test(name) && !existsSync(join(ROOT, name)))).toEqual([]);
    expect(manifest.sideEffects).toBe(false);
  });
});
