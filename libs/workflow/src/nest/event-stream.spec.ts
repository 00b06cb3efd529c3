import { describe, expect, it } from '@jest/globals';
import type { MessageEvent } from '@nestjs/common';
import { quickClient, SMALL, asTold } from '../../../../test/workflow-nest/small-workflow.js';
import { controlPoint } from '../control/control-point.builder.js';
import { executePsop } from '../runner/execute-psop.js';
import { eventStream, type EventStreamOptions } from './event-stream.js';

/** Follows a run to its end, as one that takes each message, or none. */
async function followed(options: EventStreamOptions, take: (message: MessageEvent) => void) {
  const run = executePsop({ psop: SMALL, controlPoint: controlPoint({ onTask: asTold }), engineClient: quickClient() });
  const messages: MessageEvent[] = [];
  let error: unknown;
  eventStream(run, options).subscribe({
    next: (message) => {
      messages.push(message);
      take(message);
    },
    error: (thrown: unknown) => (error = thrown),
  });
  const outcome = await run.result.then(
    ({ success }) => success,
    () => 'cancelled',
  );
  return { ids: messages.map(({ id }) => id), error, outcome };
}

describe('eventStream', () => {
  it('ends the stream of a client that takes nothing, and nothing else', async () => {
    const { ids, error, outcome } = await followed({ maxBehind: 2 }, () => undefined);
    expect([ids, outcome]).toEqual([['1', '2'], true]);
    expect(error).toMatchObject({ message: 'The client fell 2 events behind' });
  });

  it('goes on for a client that takes each message, however often it looks at it', async () => {
    const seen: unknown[] = [];
    const { ids, error } = await followed({ maxBehind: 1 }, (message) => seen.push(message.data, message.data));
    expect([ids.length, error]).toEqual([10, undefined]);
    expect(seen[0]).toBe(seen[1]);
  });

  it.each([
    ['3', 7],
    ['10', 0],
    ['', 10],
    ['abc', 10],
    ['-1', 10],
  ])('tells what is after the event %j', async (lastEventId, count) => {
    expect((await followed({ lastEventId }, ({ data }) => data)).ids).toHaveLength(count);
  });

  it('cancels the run of a client that leaves, when it is asked to', async () => {
    const run = executePsop({
      psop: SMALL,
      controlPoint: controlPoint({ onTask: asTold }),
      engineClient: quickClient(),
    });
    eventStream(run, { cancelOnDisconnect: true }).subscribe().unsubscribe();
    await expect(run.result).rejects.toThrow('Workflow execution cancelled');
  });
});
