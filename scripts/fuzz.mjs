// Sends requests that went bad to the probe agent on both adapters and judges every answer:
//   node scripts/fuzz.mjs [--count N] [--seed S] [--from INDEX]
// Half of the cases go to each adapter. A fault is printed with its seed and the number of its case; --from with that
// number and a small --count repeats it.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    from: { type: 'string', default: '0' },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d+$/.test(value)) throw new TypeError(`--${name} is a whole number, not ${value}`);
}

console.log(`seed ${values.seed}, ${values.count} cases`);
const { status, error } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), 'test/fuzz'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_COUNT: values.count, FUZZ_SEED: values.seed, FUZZ_FROM: values.from },
});
if (error) throw error;
if (status !== 0) console.log(`failed with seed ${values.seed}`);
process.exitCode = status ?? 1;
