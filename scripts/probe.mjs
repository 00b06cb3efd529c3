// Builds what is out of date, then runs the probe agent in the foreground: npm run probe -- --port 4100
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

/** Time of the newest file below some folders. */
const newest = (...folders) =>
  Math.max(
    ...folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map(
        (name) => statSync(join(root, folder, String(name))).mtimeMs,
      ),
    ),
  );
const madeAt = (file) => (existsSync(join(root, file)) ? statSync(join(root, file)).mtimeMs : 0);

if (madeAt('dist/cjs/package.json') < newest('src', 'libs')) run('scripts/build.mjs');
if (madeAt('dist/probe/main.js') < Math.max(newest('test/probe-agent'), madeAt('dist/cjs/package.json'))) {
  run(createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', 'tsconfig.probe.json');
}

const probe = spawn(process.execPath, ['dist/probe/main.js', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => probe.kill(signal));
probe.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
