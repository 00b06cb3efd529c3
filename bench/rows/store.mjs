import { call, callsPerSecond, ROUNDS, sendBody, summary } from '../lib/measure.mjs';
import { withServers } from '../lib/server.mjs';

const TASKS = 100_000;

/** A page of a long list, straight from the operation: the first one, and the 500th. */
export async function listTasks() {
  const { A2AModule, RequestHandler, ServerCallContext, ANONYMOUS_USER } = await import('nestjs-a2a');
  const { NestFactory } = await import('@nestjs/core');
  const executor = { useValue: { execute: (_, emitter) => emitter.complete() } };
  const module = A2AModule.forRoot({ agentCard: { name: 'bench' }, executor, maxTasks: TASKS + 1 });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  const handler = app.get(RequestHandler);
  const context = new ServerCallContext({
    user: ANONYMOUS_USER,
    tenant: '',
    protocolVersion: '1.0',
    binding: 'IN_PROCESS',
    requestedExtensions: [],
    headers: {},
  });
  const send = JSON.parse(sendBody('x')).params;
  for (let n = 0; n < TASKS; n += 200) {
    await Promise.all(Array.from({ length: 200 }, () => handler.sendMessage(send, context)));
  }
  const timed = async (pageToken) => {
    const start = performance.now();
    const page = await handler.listTasks({ pageSize: 50, pageToken }, context);
    return { time: performance.now() - start, page };
  };
  let token = '';
  for (let page = 1; page < 500; page++) ({ nextPageToken: token } = (await timed(token)).page);
  const rows = [];
  for (const [title, pageToken] of [
    ['first page', ''],
    ['page 500', token],
  ]) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push((await timed(pageToken)).time);
    const { median, low, high } = summary(times);
    rows.push({
      bar: `ListTasks, ${TASKS.toLocaleString('en')} tasks in memory: ${title}`,
      must: '<= 2 ms',
      value: median,
      holds: median <= 2,
      detail: { ours: { median, low, high }, unit: 'ms' },
    });
  }
  await app.close();
  return rows;
}

/** Memory when many finished tasks have come and gone. */
export async function finishedTasks() {
  const options = { taskTtlSeconds: 2, replayGraceSeconds: 1, maxTasks: TASKS };
  return withServers([['ours', 'express', options]], async (server) => {
    const url = `${server.url}/a2a/jsonrpc`;
    await callsPerSecond(url, sendBody('warm'), 3);
    await settled(server);
    const before = await server.ask('memory');
    let done = 0;
    while (done < TASKS) done += Math.round((await callsPerSecond(url, sendBody('x'), 5)) * 5);
    await settled(server);
    const after = await server.ask('memory');
    const growth = (after.heapUsed - before.heapUsed) / 2 ** 20;
    const relative = after.heapUsed / before.heapUsed - 1;
    return [
      {
        bar: `memory after ${TASKS.toLocaleString('en')} finished tasks with a TTL`,
        must: 'within 5 % or 10 MB',
        value: growth,
        holds: relative <= 0.05 || growth <= 10,
        detail: {
          before: { median: before.heapUsed / 2 ** 20 },
          after: { median: after.heapUsed / 2 ** 20 },
          unit: 'MB',
        },
      },
    ];
  });
}

/** Until the last task is gone and the last window closed. */
async function settled(server) {
  const url = `${server.url}/a2a/jsonrpc`;
  for (let tries = 0; tries < 60; tries++) {
    const { result } = await call(url, 'ListTasks', { pageSize: 1 });
    const { busTasks } = await server.ask('gauges');
    if (result.totalSize === 0 && busTasks === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('The tasks do not go away');
}
