import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/running-app.js';
import { campaign } from './campaign.js';

const COUNT = Number(process.env['FUZZ_COUNT'] ?? 1_200);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260);
const FROM = Number(process.env['FUZZ_FROM'] ?? 0);
const MINUTES = 60_000;

describe.each(ADAPTERS)('requests that went bad, on %s', (adapter) => {
  it(
    `are answered by the error table (seed ${SEED}, ${COUNT} cases)`,
    async () => {
      const share = Math.ceil(COUNT / ADAPTERS.length);
      const from = FROM + ADAPTERS.indexOf(adapter) * share;
      const to = Math.min(from + share, FROM + COUNT);
      const { faults, answers, statuses, gauges } = await campaign({ adapter, seed: SEED, from, to });
      // The faults alone, each as a text: they say what to send to see them again.
      expect(faults.join('\n')).toBe('');
      expect(answers).toBe(to - from);
      // Both good and bad calls came through: a factory that makes only rubbish would prove nothing.
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404]));
      expect(statuses.get(200)).toBeGreaterThan((to - from) / 10);
      expect(gauges).toMatchObject({
        runsLive: 0,
        runsQueued: 0,
        sessions: 0,
        openStreams: 0,
        readers: 0,
        busSubscribers: 0,
      });
    },
    20 * MINUTES,
  );
});
