// Packs the package and uses the tarball as its users do, one line a host: node scripts/smoke/index.mjs [--only WORD]
// [--keep] (leaves the folders) [--no-types] (leaves publint and attw out)
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npm } from '../lib/run.mjs';
import { tryHost } from './host-run.mjs';
import { HOSTS } from './hosts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean' }, 'no-types': { type: 'boolean' } },
});
const tool = (...args) => npm(['exec', '--no', '--', ...args], { cwd: root });

const work = mkdtempSync(join(tmpdir(), 'a2a-smoke-'));
let passed = 0;
let failed = 0;

async function attempt(name, action) {
  const start = performance.now();
  const took = () => `${((performance.now() - start) / 1000).toFixed(0)} s`;
  try {
    await action();
    passed += 1;
    console.log(`ok      ${name} (${took()})`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name} (${took()})\n${error.stack ?? error}`);
  }
}

try {
  await npm(['pack', '--pack-destination', work, '--loglevel=error'], { cwd: root });
  const { name, version } = createRequire(import.meta.url)(join(root, 'package.json'));
  const tarball = join(work, `${name}-${version}.tgz`);
  if (!flags['no-types']) {
    await attempt('publint', () => tool('publint', 'run', '--strict', tarball));
    await attempt('are the types wrong', () => tool('attw', tarball, '--no-emoji', '--no-color'));
  }
  let number = 0;
  for (const host of HOSTS) {
    number += 1;
    if (flags.only && !host.name.toLowerCase().includes(flags.only.toLowerCase())) continue;
    const folder = join(work, String(number));
    mkdirSync(folder);
    await attempt(host.name, () => tryHost(host, { folder, tarball }));
  }
} finally {
  if (flags.keep) console.log(work);
  else rmSync(work, { recursive: true, force: true });
}

if (process.env.COUNTS) appendFileSync(process.env.COUNTS, `${passed} ${failed}\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
