// Prints "passed failed" of a wire check's output, and to stderr what failed: wire-counts.mjs LOG [PREFIX...]
// A failed check whose name begins with a prefix is about what is not built yet, and is left out.
import { readFileSync } from 'node:fs';

const [log, ...later] = process.argv.slice(2);
const lines = readFileSync(log, 'utf8').split('\n');
const closing = lines.map((line) => /^(\d+) passed, (\d+) failed$/.exec(line)).find(Boolean);
if (!closing) throw new Error('the wire check did not come to its end');

let wanted = 0;
let shown = false;
for (const line of lines) {
  const failure = /^FAIL\s+(.*)$/.exec(line);
  if (failure) {
    shown = !later.some((prefix) => failure[1].startsWith(prefix));
    if (shown) wanted += 1;
  } else if (!line.startsWith(' ')) {
    shown = false;
  }
  if (shown) process.stderr.write(`${line}\n`);
}
process.stdout.write(`${closing[1]} ${wanted}\n`);
