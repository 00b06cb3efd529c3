// Proves the laws of the core at their full size, which takes minutes; `npm test` does the most of it with smaller numbers:
//   node scripts/laws.mjs [--only WORD]
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const { status, error } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), `test/laws/${values.only}`], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, A2A_LAWS: 'full' },
});
if (error) throw error;
process.exitCode = status ?? 1;
