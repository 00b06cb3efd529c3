// Builds the package twice: ESM into dist/esm, CommonJS into dist/cjs.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const { name, exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `nestjs-a2a/protocol` -> `libs/protocol/src/index.js`: where each entry lies below dist/esm and dist/cjs alike. */
const entryFiles = new Map(
  Object.entries(entries)
    .filter(([, target]) => typeof target === 'object')
    .map(([path, target]) => [posix.join(name, path), target.import.default.replace('./dist/esm/', '')]),
);
// Not for users: our own rooms reach it by name, the package does not export it.
entryFiles.set(`${name}/net`, 'libs/net/src/index.js');
const ownImport = new RegExp(`(\\bfrom |\\bimport |\\bimport\\(|\\brequire\\()(['"])(${name}(?:/[a-z]+)*)\\2`, 'g');

/**
 * The sources name our own entries as users do. What is built reaches them by path instead: a CommonJS file below a
 * package.json of its own cannot import its package by name, and a linked copy would find another copy's files.
 */
function reachOwnFiles(folder) {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(path)) continue;
    const file = join(root, folder, path);
    const text = readFileSync(file, 'utf8');
    const here = posix.dirname(path.replaceAll('\\', '/'));
    const rewritten = text
      .split('\n')
      .map((line) =>
        // An example in a comment stays as it is.
        line.trimStart().startsWith('*')
          ? line
          : line.replace(ownImport, (_all, before, quote, entry) => {
              const target = entryFiles.get(entry);
              if (!target) throw new Error(`${path} imports ${entry}, which the package does not export`);
              const way = posix.relative(here, target);
              return `${before}${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`;
            }),
      )
      .join('\n');
    if (rewritten !== text) writeFileSync(file, rewritten);
  }
}

for (const [format, project] of [
  ['esm', 'tsconfig.build.json'],
  ['cjs', 'tsconfig.cjs.json'],
]) {
  rmSync(join(root, 'dist', format), { recursive: true, force: true });
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
  reachOwnFiles(`dist/${format}`);
}

// Node reads the format of a .js file from the nearest package.json, bundlers what they may leave out.
writeFileSync(join(root, 'dist/cjs/package.json'), '{ "type": "commonjs", "sideEffects": false }\n');
