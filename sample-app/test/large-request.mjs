// Sends a 50 MB table to the sample app as a file part and watches the memory of the server (Linux only).
//
//   node sample-app/test/large-request.mjs [megabytes] [kind]      kind: raw | text | data
//
// Ends with code 1 when the task does not complete, or the server's peak is more than 500 MB over idle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const MAX_MEGABYTES = 500;
const MAX_START_MS = 60_000;
const megabytes = Number(process.argv[2] ?? 50);
const kind = process.argv[3] ?? 'raw';
const PARTS = {
  raw: (csv) => ({ raw: Buffer.from(csv).toString('base64'), filename: 'table.csv', mediaType: 'text/csv' }),
  text: (csv) => ({ text: csv, mediaType: 'text/csv' }),
  // As many megabytes of JSON, so fewer rows.
  data: (csv) => {
    const rows = [];
    for (let row = 0, length = 0; length < csv.length; row += 1) {
      rows.push({ id: row, name: `Müller ${row % 977}`, price: ((row * 713) % 100_000) / 100, paid: row % 2 === 0 });
      length += 55;
    }
    return { data: rows };
  },
};

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const server = spawn(
  process.execPath,
  ['--import', new URL('ts-loader.mjs', import.meta.url).href, path('../src/main.ts')],
  {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  const base = await baseUrl();
  await send(base, 'a,b\n1,2\n');
  const idle = await memory('VmRSS');
  const started = performance.now();
  const task = await send(base, table());
  const seconds = (performance.now() - started) / 1000;
  const overIdle = (await memory('VmHWM')) - idle;
  const state = task?.status?.state;
  process.stdout.write(
    `${JSON.stringify({ megabytes, kind, state, seconds: Number(seconds.toFixed(2)), idleMegabytes: idle, peakMegabytesOverIdle: overIdle })}\n`,
  );
  if (state !== 'TASK_STATE_COMPLETED' || overIdle > MAX_MEGABYTES) process.exitCode = 1;
} finally {
  server.kill('SIGTERM');
}

async function baseUrl() {
  let output = '';
  const timeout = setTimeout(() => server.kill('SIGKILL'), MAX_START_MS);
  const exited = once(server, 'exit').then(() => Promise.reject(new Error('The server did not start')));
  exited.catch(() => undefined);
  const found = (async () => {
    for await (const chunk of server.stdout) {
      output += chunk;
      const match = /Agent card: (http:\/\/[^/]+)/.exec(output);
      if (match) return match[1];
    }
    return Promise.reject(new Error('The server did not say where it listens'));
  })();
  const base = await Promise.race([found, exited]);
  clearTimeout(timeout);
  return base;
}

function table() {
  const lines = ['id,name,price,day,ok,city,quantity,score,code,note'];
  for (let row = 0, length = 0; length < megabytes * 1_000_000; row += 1) {
    const line =
      `${row},"Müller, ${row % 977}",${((row * 7.13) % 1000).toFixed(2)},2024-0${1 + (row % 9)}-1${row % 10},` +
      `${row % 2 ? 'true' : 'false'},Zürich ${row % 50},${row % 13},${(row % 991) / 7},C${row},some note text here`;
    length += line.length + 3;
    lines.push(line);
  }
  return lines.join('\n');
}

async function send(base, csv) {
  const part = PARTS[kind](csv);
  // Only the bytes of files are left out of answers; text and data would come back with the history.
  const configuration = kind === 'raw' ? {} : { historyLength: 0 };
  const response = await fetch(`${base}/a2a/json/message:send`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
    body: JSON.stringify({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [part] }, configuration }),
  });
  return (await response.json()).task;
}

/** Megabytes, as the kernel counts them. */
async function memory(field) {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Math.round((Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) * 1.024) / 1000);
}
