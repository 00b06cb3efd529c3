// Type-checks everything (the type-level specs too), then runs all Jest suites. With the path of a spec it goes
// straight to Jest: npm test -- src/tasks
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { resolve } = createRequire(import.meta.url);
const args = process.argv.slice(2);

/** Runs Node in the repo and ends this process when it failed. */
const run = (...command) => {
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
};

if (args.every((arg) => arg.startsWith('-'))) run(resolve('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json');
run(
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(dirname(resolve('jest/package.json')), 'bin/jest.js'),
  ...args,
);
