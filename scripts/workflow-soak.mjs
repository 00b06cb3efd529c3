// Brings many workflows at the same time to their ends, against agents of our own behind a bad network:
//   node scripts/workflow-soak.mjs [--runs N] [--seed S]
// What the agents and the network do follows from the seed; the same --runs and --seed repeat it.
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) throw new TypeError(`--${name} is a whole number, not ${value}`);
}

console.log(`seed ${values.seed}, ${values.runs} runs`);
const { status, error } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), 'test/workflow/soak'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SOAK_RUNS: values.runs, SOAK_SEED: values.seed },
});
if (error) throw error;
if (process.env.COUNTS) appendFileSync(process.env.COUNTS, status === 0 ? '1 0\n' : '0 1\n');
console.log(status === 0 ? 'all runs came to their ends' : `failed: --seed ${values.seed} --runs ${values.runs}`);
process.exitCode = status ?? 1;
