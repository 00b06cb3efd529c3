import { eventsPerSecond, framesOf, readStream, ROUNDS, sendBody, summary } from '../lib/measure.mjs';
import { withServers } from '../lib/server.mjs';

const burst = (count) => sendBody(`burst ${count}`, 'SendStreamingMessage');
const LOAD = { streams: 64, parallel: 8 };

/** 200-chunk streams, one event a tick, against the same bytes written raw by a bare route, and against the SDK. */
export async function shortStreams() {
  const body = burst(200);
  const frames = await withServers([['ours', 'express']], async ({ url }) =>
    framesOf(await readStream(`${url}/a2a/jsonrpc`, body)).map((frame) => `${frame}\n\n`),
  );
  const servers = [
    ['ours', 'express'],
    ['bare', 'express', { frames }],
    ['sdk', 'express'],
  ];
  return withServers(servers, async (ours, bare, sdk) => {
    const targets = [`${ours.url}/a2a/jsonrpc`, `${bare.url}/stream`, `${sdk.url}/a2a/jsonrpc`].map((url) => ({
      url,
      rates: [],
    }));
    for (const { url } of targets) await eventsPerSecond(url, body, { streams: 16, parallel: 8 });
    for (let round = 0; round < ROUNDS; round++) {
      for (const { url, rates } of targets) rates.push(await eventsPerSecond(url, body, LOAD));
    }
    const [mine, plain, theirs] = targets.map(({ rates }) => summary(rates));
    return [
      {
        bar: '200-chunk streams, one event a tick: of the same bytes raw',
        must: '>= 0.65',
        value: mine.median / plain.median,
        holds: mine.median / plain.median >= 0.65,
        detail: { ours: mine, bare: plain, unit: 'events/s' },
      },
      {
        bar: '200-chunk streams, one event a tick: of the SDK',
        must: '>= 15x',
        value: mine.median / theirs.median,
        holds: mine.median / theirs.median >= 15,
        detail: { ours: mine, sdk: theirs, unit: 'events/s' },
      },
    ];
  });
}

async function milliseconds(url, count) {
  const start = performance.now();
  await readStream(url, burst(count));
  return performance.now() - start;
}

/** One long stream: its cost grows with its length and no faster. */
export async function longStream() {
  return withServers(
    [
      ['ours', 'express'],
      ['sdk', 'express'],
    ],
    async (ours, sdk) => {
      const url = `${ours.url}/a2a/jsonrpc`;
      await milliseconds(url, 4000);
      const short = [];
      const long = [];
      for (let round = 0; round < ROUNDS; round++) {
        short.push(await milliseconds(url, 1000));
        long.push(await milliseconds(url, 4000));
      }
      const theirs = await milliseconds(`${sdk.url}/a2a/jsonrpc`, 4000);
      const [one, four] = [summary(short), summary(long)];
      return [
        {
          bar: 'one stream: 4,000 chunks of 1,000 chunks',
          must: '<= 4.5x',
          value: four.median / one.median,
          holds: four.median / one.median <= 4.5,
          detail: { short: one, long: four, unit: 'ms' },
        },
        {
          bar: 'one 4,000-chunk stream: of the SDK',
          must: '>= 200x',
          value: theirs / four.median,
          holds: theirs / four.median >= 200,
          detail: { ours: four, sdk: summary([theirs]), unit: 'ms' },
        },
      ];
    },
  );
}
