// Tries the official Python package against ours, both ways: npm run test:interop. It keeps a virtual environment in
// .interop/, made anew when its requirements or the Python change. Other arguments go to Jest.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const requirements = join(root, 'test', 'interop', 'python', 'requirements.txt');
const folder = join(root, '.interop');
const stamp = join(folder, 'made-of');
const python = process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
const INSTALL_MS = 300_000;
const CHECK = 'import sys; assert sys.version_info >= (3, 10), sys.version; import venv, ensurepip; print(sys.version)';

/** The version of the Python that is there. */
async function versionOf(command) {
  try {
    return await run(command, ['-c', CHECK], { timeoutMs: 20_000 });
  } catch (error) {
    throw new Error(
      `${command} is no Python 3.10 or later with venv. Install one (Debian: apt-get install python3 python3-venv), or name it with PYTHON=…`,
      { cause: error },
    );
  }
}

async function prepare() {
  const command = process.env.PYTHON ?? 'python3';
  const version = await versionOf(command);
  const madeOf = createHash('sha256')
    .update(version + readFileSync(requirements, 'utf8'))
    .digest('hex');
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === madeOf) return;
  rmSync(folder, { recursive: true, force: true });
  await run(command, ['-m', 'venv', folder], { timeoutMs: INSTALL_MS });
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '-r', requirements];
  await run(python, pip, { timeoutMs: INSTALL_MS });
  // Last, so that an installation that was broken off is made anew.
  writeFileSync(stamp, madeOf);
}

await prepare();
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin', 'jest.js');
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    ...process.argv.slice(2),
    '--testRegex=\\.interop-spec\\.ts$',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, INTEROP_PYTHON: python } },
);
process.exitCode = status ?? 1;
