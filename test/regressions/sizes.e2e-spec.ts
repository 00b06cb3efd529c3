import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2ADiagnostics } from 'nestjs-a2a';
import { message, rest } from '../support/a2a-calls.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, send } from '../support/http-call.js';
import type { Pair } from '../support/parity.js';
import { probePair } from '../support/probe-pair.js';

const LONG = 'x'.repeat(20_000);

describe('maxTaskBytes', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await probePair({ maxTaskBytes: 10_000 });
    await pair.note('task', 'task.id', rest('POST', '/message:send', message('pause what?')));
  });
  afterAll(() => pair.close());

  it.each([
    ['parts', { parts: [{ text: LONG }] }],
    ['messageId', { messageId: LONG }],
    ['extensions', { extensions: [LONG] }],
    ['referenceTaskIds', { referenceTaskIds: [LONG] }],
    ['filename', { parts: [{ text: 'hi', filename: LONG }] }],
  ])('counts all that a caller fills the task with: %s', async (_field, fields) => {
    const { body } = await pair.call((side) =>
      rest('POST', '/message:send', message('pause again', { taskId: side.note('task'), ...fields })),
    );
    // Refused for its length alone is as good.
    expect(['RESOURCE_EXHAUSTED', 'INVALID_PARAMS']).toContain(at(body, 'error.details.0.reason'));
  });
});

describe('the replay window', () => {
  it('counts the contextId, which every event repeats, or refuses a long one', async () => {
    const pair = await probePair();
    try {
      const outcomes = await pair.each(async (side) => {
        const contextId = 'c'.repeat(100_000);
        const client = await EventClient.open(
          side.url,
          rest('POST', '/message:stream', message('burst 20', { contextId })),
        );
        await client.ended;
        if (client.status === 400) return 'refused';
        const sent = client.frames.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
        const { replayBytes } = side.running.app.get(A2ADiagnostics).gauges();
        return replayBytes >= sent ? 'counted' : `${replayBytes} bytes are counted, of ${sent}`;
      });
      for (const outcome of outcomes) expect(['refused', 'counted']).toContain(outcome);
      // The agent itself goes on whatever became of that call.
      const { status } = await send(pair.sides[0].url, rest('POST', '/message:send', message('echo hi')));
      expect(status).toBe(200);
    } finally {
      await pair.close();
    }
  });
});
