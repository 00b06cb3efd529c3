import { callsPerSecond, ROUNDS, sendBody, summary } from '../lib/measure.mjs';
import { withServers } from '../lib/server.mjs';

const SECONDS = 3;
const BODY = sendBody('hello');

/** Blocking sends, against a bare Nest route that answers with the same bytes, and against the official SDK. */
export async function blockingSend(adapter, { bare: barOverBare, sdk: barOverSdk }) {
  const answer = await withServers([['ours', adapter]], async ({ url }) => {
    const response = await fetch(`${url}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    });
    return response.text();
  });
  return withServers(
    [
      ['ours', adapter],
      ['bare', adapter, { answer }],
      ['sdk', 'express'],
    ],
    async (ours, bare, sdk) => {
      const targets = [
        { name: 'ours', url: `${ours.url}/a2a/jsonrpc`, rates: [] },
        { name: 'bare', url: `${bare.url}/send`, rates: [] },
        { name: 'sdk', url: `${sdk.url}/a2a/jsonrpc`, rates: [] },
      ];
      for (const { url } of targets) await callsPerSecond(url, BODY, 2);
      for (let round = 0; round < ROUNDS; round++) {
        for (const { url, rates } of targets) rates.push(await callsPerSecond(url, BODY, SECONDS));
      }
      const [mine, plain, theirs] = targets.map(({ rates }) => summary(rates));
      return [
        {
          bar: `blocking SendMessage, ${adapter}: of a bare route`,
          must: `>= ${barOverBare}`,
          value: mine.median / plain.median,
          holds: mine.median / plain.median >= barOverBare,
          detail: { ours: mine, bare: plain, unit: 'calls/s' },
        },
        {
          bar: `blocking SendMessage, ${adapter}: of the SDK`,
          must: `>= ${barOverSdk}x`,
          value: mine.median / theirs.median,
          holds: mine.median / theirs.median >= barOverSdk,
          detail: { ours: mine, sdk: theirs, unit: 'calls/s' },
        },
      ];
    },
  );
}
