import { Agent } from 'node:http';
import { call, framesOf, readStream, rpcBody, sendBody, summary } from '../lib/measure.mjs';
import { withServers } from '../lib/server.mjs';

const READERS = 64;
const EVENTS = 1000;
const ROUNDS = 3;

/** One task with many readers: an event is serialised once, and the time is that of writing the bytes. */
export async function manyReaders() {
  const start = { countSerialising: true };
  return withServers([['ours', 'express', start]], async (ours) => {
    const url = `${ours.url}/a2a/jsonrpc`;
    const times = [];
    let frames = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { time, bytes } = await readTogether(url);
      times.push(time);
      frames = framesOf(bytes).map((frame) => `${frame}\n\n`);
    }
    const { serialised } = await ours.ask('counts');
    const bare = await withServers([['bare', 'express', { frames }]], (server) => bareTimes(`${server.url}/stream`));
    const [mine, plain] = [summary(times), summary(bare)];
    return [
      {
        bar: `one task, ${READERS} readers, ${EVENTS} events: serialisations an event`,
        must: '1',
        value: serialised / (EVENTS * ROUNDS),
        holds: serialised === EVENTS * ROUNDS,
        detail: {},
      },
      {
        bar: `one task, ${READERS} readers, ${EVENTS} events: of writing the bytes`,
        must: '<= 1.3x',
        value: mine.median / plain.median,
        holds: mine.median / plain.median <= 1.3,
        detail: { ours: mine, bare: plain, unit: 'ms' },
      },
    ];
  });
}

async function readTogether(url) {
  const { result } = await call(url, 'SendMessage', JSON.parse(sendBody('hold')).params);
  const { id, contextId } = result.task;
  const agent = new Agent({ keepAlive: true });
  let opened = 0;
  const streams = await new Promise((resolve) => {
    const reading = Array.from({ length: READERS }, () =>
      readStream(url, rpcBody('SubscribeToTask', { id }), {
        agent,
        onOpen: () => ++opened === READERS && resolve(reading),
      }),
    );
  });
  const start = performance.now();
  const message = { messageId: 'm2', role: 'ROLE_USER', parts: [{ text: `burst ${EVENTS}` }], taskId: id, contextId };
  await call(url, 'SendMessage', { message, configuration: { returnImmediately: true } });
  const [bytes] = await Promise.all(streams);
  agent.destroy();
  return { time: performance.now() - start, bytes };
}

async function bareTimes(url) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const agent = new Agent({ keepAlive: true });
    const start = performance.now();
    await Promise.all(Array.from({ length: READERS }, () => readStream(url, '{}', { agent })));
    times.push(performance.now() - start);
    agent.destroy();
  }
  return times;
}
