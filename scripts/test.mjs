// Runs all Jest suites, or those whose path is named: npm test -- src/tasks
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const { status, error } = spawnSync(process.execPath, [...options, jest, ...process.argv.slice(2)], {
  cwd: join(dirname(fileURLToPath(import.meta.url)), '..'),
  stdio: 'inherit',
});
if (error) throw error;
process.exitCode = status ?? 1;
