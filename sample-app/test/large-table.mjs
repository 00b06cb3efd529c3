// Measures the analysis of a 50 MB table without a server: time, and peak memory over the idle process.
//
//   node sample-app/test/large-table.mjs [megabytes] [shape]      shape: mixed | unique | ragged
//
// Ends with code 1 when it takes more than 15 s or 500 MB, so that a CI job can call it.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './ts-loader.mjs';

const MAX_SECONDS = 15;
const MAX_MEGABYTES = 500;
const megabytes = Number(process.argv[2] ?? 50);
const shape = process.argv[3] ?? 'mixed';

const { readTable } = await import('../src/source/read-table.ts');
const { findTable } = await import('../src/source/find-table.ts');
const { tableStatistics } = await import('../src/report/table-statistics.ts');
const { markdownReport } = await import('../src/report/markdown-report.ts');

const ROWS = {
  mixed: (row) =>
    `${row},"Müller, ${row % 977}",${((row * 7.13) % 1000).toFixed(2)},2024-0${1 + (row % 9)}-1${row % 10},` +
    `${row % 2 ? 'true' : 'false'},Zürich ${row % 50},${row % 13},${(row % 991) / 7},C${row},some note text here`,
  unique: (row) => Array.from({ length: 10 }, (_, column) => `${column}-${row}`).join(','),
  ragged: (row) => `${row},2`,
};

const folder = await mkdtemp(join(tmpdir(), 'large-table-'));
try {
  const path = join(folder, 'table.csv');
  await writeTable(path);
  await measure(path);
} finally {
  await rm(folder, { recursive: true });
}

async function writeTable(path) {
  const file = createWriteStream(path);
  file.write('id,name,price,day,ok,city,quantity,score,code,note\n');
  for (let row = 0, bytes = 0; bytes < megabytes * 1_000_000;) {
    let block = '';
    for (let line = 0; line < 1_000; line += 1, row += 1) block += `${ROWS[shape](row)}\n`;
    bytes += Buffer.byteLength(block);
    if (!file.write(block)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

async function measure(path) {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  let longestPause = 0;
  let last = performance.now();
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
    longestPause = Math.max(longestPause, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  const raw = await readFile(path, 'base64');
  const message = {
    messageId: 'm1',
    role: 'ROLE_USER',
    parts: [{ raw, filename: 'table.csv', mediaType: 'text/csv' }],
  };
  const started = performance.now();
  last = started;
  longestPause = 0;
  const read = await readTable(findTable(message).table);
  const columns = [];
  for (const column of read.profile.columns) {
    columns.push(column.statistics());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const report = markdownReport(tableStatistics(read, columns, 'table.csv'));
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampler);
  peak = Math.max(peak, process.memoryUsage.rss());
  const overIdle = (peak - idle) / 1_000_000;
  process.stdout.write(
    `${JSON.stringify({
      megabytes,
      shape,
      rows: read.profile.rows,
      seconds: Number(seconds.toFixed(2)),
      peakMegabytesOverIdle: Math.round(overIdle),
      base64Megabytes: Math.round(raw.length / 1_000_000),
      longestPauseMs: Math.round(longestPause),
      reportCharacters: report.length,
    })}\n`,
  );
  if (seconds > MAX_SECONDS || overIdle > MAX_MEGABYTES) process.exitCode = 1;
}
