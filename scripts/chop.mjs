// Sends streams of all kinds of agents through a proxy that cuts, delays and garbles them, and checks that their readers
// get each piece once:
//   node scripts/chop.mjs [--count N] [--seed S]
// A fault is printed with its seed and the number of its schedule; the same --count and --seed repeat it.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) throw new TypeError(`--${name} is a whole number, not ${value}`);
}

console.log(`seed ${values.seed}, ${values.count} schedules`);
const folder = mkdtempSync(join(tmpdir(), 'chop-'));
const report = join(folder, 'jest.json');
try {
  const args = [join(root, 'scripts/test.mjs'), 'test/client/chopped-streams', '--json', `--outputFile=${report}`];
  const { status, error } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CHOP_SCHEDULES: values.count, CHOP_SEED: values.seed },
  });
  if (error) throw error;
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  const counts = `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites}\n`;
  if (process.env.COUNTS) appendFileSync(process.env.COUNTS, counts);
  console.log(status === 0 ? 'all streams were whole' : `failed: --seed ${values.seed} --count ${values.count}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
