// Builds the package twice: ESM into dist/esm, CommonJS into dist/cjs.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const [format, project] of [
  ['esm', 'tsconfig.build.json'],
  ['cjs', 'tsconfig.cjs.json'],
]) {
  rmSync(join(root, 'dist', format), { recursive: true, force: true });
  execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' });
}

// Node reads the format of a .js file from the nearest package.json. That file then also answers
// the package's imports of itself (nestjs-a2a/protocol), so it needs the name and the exports.
const exports = Object.fromEntries(
  Object.entries(manifest.exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path, target]) => [path, target.require.default.replace('./dist/cjs/', './')]),
);
const { name, version, sideEffects } = manifest;
writeFileSync(
  join(root, 'dist/cjs/package.json'),
  `${JSON.stringify({ name, version, type: 'commonjs', sideEffects, exports }, null, 2)}\n`,
);
