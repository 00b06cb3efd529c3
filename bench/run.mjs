// npm run bench [-- --json FILE] [--only WORD]
// Measures the bars of docs/performance.md side by side with a bare route and with the official JavaScript SDK.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { blockingSend } from './rows/blocking-send.mjs';
import { clientSends, clientStreams } from './rows/clients.mjs';
import { idleSubscriptions } from './rows/idle-subscriptions.mjs';
import { manyReaders } from './rows/readers.mjs';
import { finishedTasks, listTasks } from './rows/store.mjs';
import { longStream, shortStreams } from './rows/streams.mjs';
import { workflowSteps } from './rows/workflow.mjs';

const ROWS = {
  'send-express': () => blockingSend('express', { bare: 0.85, sdk: 2 }),
  'send-fastify': () => blockingSend('fastify', { bare: 0.7, sdk: 4 }),
  'stream-short': shortStreams,
  'stream-long': longStream,
  readers: manyReaders,
  idle: idleSubscriptions,
  list: listTasks,
  memory: finishedTasks,
  'client-send': clientSends,
  'client-stream': clientStreams,
  workflow: workflowSteps,
};

const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } });
const print = (text) => process.stdout.write(`${text}\n`);
const round = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2));
const shown = ({ median, low, high }) =>
  low === undefined || low === high ? round(median) : `${round(median)} (${round(low)} to ${round(high)})`;

print(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}`);
const results = [];
for (const [name, measure] of Object.entries(ROWS)) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  for (const row of await measure()) {
    results.push({ name, ...row });
    const { unit = '', ...sides } = row.detail;
    const detail = Object.entries(sides).map(([side, numbers]) => `${side} ${shown(numbers)}`);
    print(`${row.holds ? 'holds ' : 'MISSES'}  ${row.bar}: ${round(row.value)} (must be ${row.must})`);
    if (detail.length > 0) print(`        ${detail.join(', ')} ${unit}`);
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
const missed = results.filter(({ holds }) => !holds).length;
print(`${results.length - missed} of ${results.length} bars hold`);
process.exitCode = missed > 0 ? 1 : 0;
