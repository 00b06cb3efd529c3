// Sends a 50 MB table to the sample app as a file part and watches the memory of the server (Linux only).
//
//   node sample-app/test/large-request.mjs [megabytes]
//
// Ends with code 1 when the task does not complete, or the server's peak is more than 500 MB over idle.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const MAX_MEGABYTES = 500;
const MAX_START_MS = 60_000;
const megabytes = Number(process.argv[2] ?? 50);
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
  await send(base, Buffer.from('a,b\n1,2\n'));
  const idle = await memory('VmRSS');
  const started = performance.now();
  const task = await send(base, table());
  const seconds = (performance.now() - started) / 1000;
  const overIdle = (await memory('VmHWM')) - idle;
  const state = task?.status?.state;
  process.stdout.write(
    `${JSON.stringify({ megabytes, state, seconds: Number(seconds.toFixed(2)), idleMegabytes: idle, peakMegabytesOverIdle: overIdle })}\n`,
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
  return Buffer.from(lines.join('\n'));
}

async function send(base, bytes) {
  const part = { raw: bytes.toString('base64'), filename: 'table.csv', mediaType: 'text/csv' };
  const response = await fetch(`${base}/a2a/json/message:send`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
    body: JSON.stringify({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [part] } }),
  });
  return (await response.json()).task;
}

/** Megabytes, as the kernel counts them. */
async function memory(field) {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Math.round((Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) * 1.024) / 1000);
}
