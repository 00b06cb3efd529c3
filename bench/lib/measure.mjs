import autocannon from 'autocannon';
import { Agent, request } from 'node:http';

export const ROUNDS = 5;

/** Median and spread of some numbers. */
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return { median, low: sorted[0], high: sorted.at(-1) };
}

export const rpcBody = (method, params, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
export const sendBody = (text, method = 'SendMessage', configuration) =>
  rpcBody(method, { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }] }, configuration });
export const RPC_HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

/** Calls a second over 64 connections. */
export async function callsPerSecond(url, body, seconds) {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: RPC_HEADERS,
    body,
    connections: 64,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} bad answers, ${result.errors} errors`);
  return result.requests.total / result.duration;
}

/** Opens a stream; resolves with its bytes when it has ended. */
export function readStream(url, body, { agent, onOpen } = {}) {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', agent, headers: { ...RPC_HEADERS, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => {
          if (chunks.length === 0) onOpen?.(chunk, call);
          chunks.push(chunk);
        });
        response.on('end', () => resolve(Buffer.concat(chunks)));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

export const framesOf = (bytes) =>
  bytes
    .toString()
    .split('\n\n')
    .filter((frame) => frame.includes('data:'));

/** Events a second over some streams at a time, `streams` in all. */
export async function eventsPerSecond(url, body, { streams, parallel }) {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  let left = streams;
  let events = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left-- > 0) {
        const bytes = await readStream(url, body, { agent });
        for (let at = bytes.indexOf('data:'); at >= 0; at = bytes.indexOf('data:', at + 5)) events++;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return events / seconds;
}

/** One call, its answer parsed. */
export async function call(url, method, params) {
  const answer = await fetch(url, { method: 'POST', headers: RPC_HEADERS, body: rpcBody(method, params) });
  return answer.json();
}
