import { withClients } from '../lib/client.mjs';
import { ROUNDS, summary } from '../lib/measure.mjs';
import { withServers } from '../lib/server.mjs';

/** The same orders to both clients, one after the other and in turns; each round begins with the other one. */
async function inTurns(clients, order, options) {
  const taken = clients.map(() => []);
  for (const client of clients) await client.order(order, options);
  for (let round = 0; round < ROUNDS; round++) {
    const turn = clients.map((_, index) => index);
    if (round % 2 === 1) turn.reverse();
    for (const index of turn) taken[index].push((await clients[index].order(order, options)).time);
  }
  return taken;
}

const rates = (times, amount) => summary(times.map((time) => (amount / time) * 1000));

function row(bar, [mine, theirs], amount, unit) {
  const [ours, sdk] = [rates(mine, amount), rates(theirs, amount)];
  const value = ours.median / sdk.median;
  return { bar, must: '>= 1x', value, holds: value >= 1, detail: { ours, sdk, unit } };
}

/** Our client and that of the SDK, sending to one server. */
export async function clientSends() {
  return withServers([['ours', 'express']], ({ url }) =>
    withClients(`${url}/a2a/jsonrpc`, async (...clients) => {
      const one = await inTurns(clients, 'send', { calls: 2000, parallel: 1 });
      const many = await inTurns(clients, 'send', { calls: 6000, parallel: 32 });
      return [
        row('client, one send after the other: of the SDK client', one, 2000, 'sends/s'),
        row('client, 32 sends at a time: of the SDK client', many, 6000, 'sends/s'),
      ];
    }),
  );
}

const CHUNKS = 4000;
const TIMES = 5;

/** Our client and that of the SDK, reading the same long streams, as fast as they can be written. */
export async function clientStreams() {
  const reading = (together) =>
    withServers([['canned', 'none', { together }]], ({ url }) =>
      withClients(url, async (...clients) => ({
        long: await inTurns(clients, 'stream', { chunks: CHUNKS, times: TIMES }),
        short: await inTurns(clients.slice(0, 1), 'stream', { chunks: CHUNKS / 4, times: TIMES }),
      })),
    );
  const alone = await reading(1);
  const together = await reading(50);
  const [one, four] = [alone.short[0], alone.long[0]].map((times) => summary(times.map((time) => time / TIMES)));
  const value = four.median / one.median;
  return [
    row('client, 4,000-chunk streams, a chunk a write: of the SDK client', alone.long, CHUNKS * TIMES, 'events/s'),
    row('client, the same, 50 chunks a write: of the SDK client', together.long, CHUNKS * TIMES, 'events/s'),
    {
      bar: 'client, one stream: 4,000 chunks of 1,000 chunks',
      must: '<= 4.5x',
      value,
      holds: value <= 4.5,
      detail: { short: one, long: four, unit: 'ms' },
    },
  ];
}
