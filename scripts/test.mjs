// Type-checks everything (the type-level specs too) while all Jest suites run: most of them wait for sockets more than
// they compute. With the path of a spec it goes straight to Jest: npm test -- src/tasks
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { resolve } = createRequire(import.meta.url);
const args = process.argv.slice(2);

/** Runs Node in the repo; gives its status and, where it is piped, what it wrote. */
async function run(stdio, ...command) {
  const child = spawn(process.execPath, command, { cwd: root, stdio });
  const pieces = [];
  child.stdout?.on('data', (piece) => pieces.push(piece));
  const [status] = await once(child, 'close');
  return { status: status ?? 1, output: Buffer.concat(pieces).toString() };
}

const isWhole = args.every((arg) => arg.startsWith('-'));
const types = isWhole
  ? run(['ignore', 'pipe', 'inherit'], resolve('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json')
  : undefined;
const jest = await run(
  'inherit',
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(dirname(resolve('jest/package.json')), 'bin/jest.js'),
  ...args,
);
const checked = await types;
if (checked !== undefined && checked.status !== 0) {
  console.error(`The types do not fit:\n${checked.output}`);
}
process.exitCode = jest.status || checked?.status || 0;
