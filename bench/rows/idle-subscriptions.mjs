import { connect } from 'node:net';
import { once } from 'node:events';
import { call, rpcBody, sendBody } from '../lib/measure.mjs';
import { withServers } from '../lib/server.mjs';

const SUBSCRIPTIONS = 10_000;
const TASKS = 200;

/** Idle subscriptions: what each holds over a bare socket with an open answer. */
export async function idleSubscriptions() {
  const mine = await withServers([['ours', 'express']], async (server) => {
    const url = `${server.url}/a2a/jsonrpc`;
    const ids = [];
    for (let n = 0; n < TASKS; n++) {
      const { result } = await call(url, 'SendMessage', JSON.parse(sendBody('hold')).params);
      ids.push(result.task.id);
    }
    return growth(server, '/a2a/jsonrpc', (n) => rpcBody('SubscribeToTask', { id: ids[n % TASKS] }));
  });
  const bare = await withServers([['bare', 'express', { frames: ['data: {}\n\n'], open: true }]], (server) =>
    growth(server, '/stream', () => '{}'),
  );
  const kilobytes = (mine - bare) / 1024;
  return [
    {
      bar: `${SUBSCRIPTIONS.toLocaleString('en')} idle subscriptions: over the bare socket`,
      must: '<= 15 KB each',
      value: kilobytes,
      holds: kilobytes <= 15,
      detail: { ours: { median: mine / 1024 }, bare: { median: bare / 1024 }, unit: 'KB' },
    },
  ];
}

/** Bytes of heap and buffers that one more open stream costs. */
async function growth(server, path, body) {
  const before = await server.ask('memory');
  const sockets = [];
  for (let n = 0; n < SUBSCRIPTIONS; n += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => open(server.port, path, body(n + index)));
    sockets.push(...(await Promise.all(batch)));
  }
  const after = await server.ask('memory');
  for (const socket of sockets) socket.destroy();
  return (after.heapUsed + after.external - before.heapUsed - before.external) / SUBSCRIPTIONS;
}

async function open(port, path, body) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const [head] = await once(socket, 'data');
  if (!head.toString().startsWith('HTTP/1.1 20')) throw new Error(head.toString().slice(0, 200));
  socket.pause();
  return socket;
}
