import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { notificationOf, PushBench, settled, targetOf } from '../../test/support/push-bench.js';

const IDLE = { queued: 0, bytes: 0, inFlight: 0 };

beforeEach(() => {
  jest.useFakeTimers({ now: 0, doNotFake: ['queueMicrotask', 'nextTick', 'performance'] });
});

afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

const a = targetOf('a');
const b = targetOf('b');

describe('order', () => {
  it('delivers to one config one at a time, in order', async () => {
    const bench = new PushBench();
    bench.send(a, 1, 2, 3);
    expect(bench.names).toEqual(['a/1']);
    await bench.answer('delivered');
    expect(bench.names).toEqual(['a/1', 'a/2']);
    await bench.answer('delivered');
    await bench.answer('delivered');
    expect(bench.names).toEqual(['a/1', 'a/2', 'a/3']);
    expect(bench.sender.gauges()).toEqual(IDLE);
  });

  it('delivers to different configs at the same time', () => {
    const bench = new PushBench();
    bench.send(a, 1, 2);
    bench.send(b, 1, 2);
    bench.send(targetOf('a', 't2'), 7);
    expect(bench.names).toEqual(['a/1', 'b/1', 'a/7']);
    expect(bench.sender.gauges()).toEqual({ queued: 5, bytes: 50, inFlight: 3 });
    bench.sender.cancel(a);
    bench.sender.cancel(b);
    bench.sender.cancel(targetOf('a', 't2'));
  });

  it('tells how many wait', () => {
    const bench = new PushBench();
    bench.send(a, 1, 2, 3);
    expect(bench.depths).toEqual([1, 2, 3]);
    bench.sender.cancel(a);
  });
});

describe('retries', () => {
  it('tries again after 1, 2, 4 and 8 seconds, and keeps the order meanwhile', async () => {
    const bench = new PushBench();
    bench.send(a, 1, 2);
    for (const [index, pause] of [1000, 2000, 4000, 8000].entries()) {
      await bench.answer('retry');
      await jest.advanceTimersByTimeAsync(pause - 1);
      expect(bench.names).toHaveLength(index + 1);
      await jest.advanceTimersByTimeAsync(1);
      expect(bench.names).toHaveLength(index + 2);
    }
    expect(new Set(bench.names)).toEqual(new Set(['a/1']));
    await bench.answer('retry');
    expect(bench.names.at(-1)).toBe('a/2');
    expect(bench.lost).toEqual(['t1/a']);
    await bench.answer('delivered');
    bench.sender.end(a);
    expect(bench.sender.gauges()).toEqual(IDLE);
  });

  it('makes each pause longer by chance, by no more than the jitter', async () => {
    const bench = new PushBench({ jitter: 0.5 }, 1);
    bench.send(a, 1);
    await bench.answer('retry');
    await jest.advanceTimersByTimeAsync(1499);
    expect(bench.names).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(bench.names).toHaveLength(2);
    await bench.answer('delivered');
  });

  it('waits as long as the receiver asks for, when that is longer', async () => {
    const bench = new PushBench();
    bench.send(a, 1);
    await bench.answer({ kind: 'retry', reason: 'status 503', afterMs: 30_000 });
    await jest.advanceTimersByTimeAsync(29_999);
    expect(bench.names).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    await bench.answer({ kind: 'retry', reason: 'status 503', afterMs: 0 });
    await jest.advanceTimersByTimeAsync(2000);
    expect(bench.names).toHaveLength(3);
    await bench.answer('delivered');
  });

  it('uses the last pause again when there are more attempts than pauses', async () => {
    const bench = new PushBench({ retryDelaysMs: [10], maxAttempts: 3 });
    bench.send(a, 1);
    for (let attempt = 1; attempt < 3; attempt++) {
      await bench.answer('retry');
      await jest.advanceTimersByTimeAsync(10);
    }
    expect(bench.names).toHaveLength(3);
    await bench.answer('delivered');
  });

  it('takes no slot while it waits', async () => {
    const bench = new PushBench({ concurrency: 1 });
    bench.send(a, 1);
    await bench.answer('retry');
    expect(bench.sender.gauges()).toMatchObject({ queued: 1, inFlight: 0 });
    bench.send(b, 1);
    expect(bench.names).toEqual(['a/1', 'b/1']);
    await bench.answer('delivered');
    await jest.advanceTimersByTimeAsync(1000);
    await bench.answer('delivered');
  });
});

describe('a config that loses events', () => {
  it('is disabled after three in a row, and the log says so without its path', async () => {
    const bench = new PushBench();
    bench.answers = () => ({ kind: 'lost', reason: 'status 404' });
    bench.send(a, 1, 2, 3, 4, 5);
    await settled();
    expect(bench.names).toEqual(['a/1', 'a/2', 'a/3']);
    bench.send(a, 6);
    await settled();
    expect(bench.names).toHaveLength(3);
    expect(bench.sender.gauges()).toEqual(IDLE);
    expect(bench.logs).toEqual([
      'Task t1: push notification config "a" of https://a.example is disabled: 3 events in a row were lost (status 404)',
    ]);
    expect(bench.lost).toHaveLength(3);
  });

  it('may lose some now and then', async () => {
    const bench = new PushBench();
    bench.answers = (name) => (name === 'a/3' ? { kind: 'delivered' } : { kind: 'lost', reason: 'status 404' });
    bench.send(a, 1, 2, 3, 4, 5);
    await settled();
    expect(bench.names).toHaveLength(5);
    bench.sender.end(a);
  });

  it('remembers losses between events, until the task is over', async () => {
    const bench = new PushBench({ disableAfterLostEvents: 2 });
    bench.answers = () => ({ kind: 'lost', reason: 'status 404' });
    bench.send(a, 1);
    await settled();
    bench.send(a, 2);
    await settled();
    bench.send(a, 3);
    await settled();
    expect(bench.names).toEqual(['a/1', 'a/2']);
    bench.sender.end(a);
    bench.send(a, 4);
    await settled();
    expect(bench.names).toEqual(['a/1', 'a/2', 'a/4']);
  });

  it('says when the end of a task is what was lost', async () => {
    const bench = new PushBench();
    bench.answers = () => ({ kind: 'lost', reason: 'status 404' });
    bench.sender.send(notificationOf(a, 9, 'end'));
    bench.sender.end(a);
    await settled();
    expect(bench.logs).toEqual([expect.stringContaining('the end of the task could not be delivered (status 404)')]);
  });

  it('that is gone from the store is forgotten', async () => {
    const bench = new PushBench();
    bench.send(a, 1, 2);
    await bench.answer('gone');
    expect(bench.names).toEqual(['a/1']);
    expect(bench.sender.gauges()).toEqual(IDLE);
    expect(bench.lost).toEqual([]);
  });
});

describe('cancel', () => {
  it('breaks off the request under way and drops what waits', async () => {
    const bench = new PushBench();
    bench.send(a, 1, 2);
    bench.sender.cancel(a);
    expect(bench.attempts[0]?.signal.aborted).toBe(true);
    await settled();
    expect(bench.names).toEqual(['a/1']);
    expect(bench.sender.gauges()).toEqual(IDLE);
  });

  it('ends a pause', async () => {
    const bench = new PushBench();
    bench.send(a, 1);
    await bench.answer('retry');
    bench.sender.cancel(a);
    expect(bench.sender.gauges()).toEqual(IDLE);
  });

  it('makes a config that was disabled usable again', async () => {
    const bench = new PushBench({ disableAfterLostEvents: 1 });
    bench.send(a, 1);
    await bench.answer('lost');
    bench.sender.cancel(a);
    bench.send(a, 2);
    expect(bench.names).toEqual(['a/1', 'a/2']);
    await bench.answer('delivered');
  });

  it('keeps one that waits for a slot from getting it', async () => {
    const bench = new PushBench({ concurrency: 1 });
    bench.send(a, 1);
    bench.send(b, 1);
    bench.sender.cancel(b);
    await bench.answer('delivered');
    expect(bench.names).toEqual(['a/1']);
    expect(bench.sender.gauges()).toEqual(IDLE);
  });
});

describe('overflow', () => {
  /** s = status, a = artifact, e = end */
  function fill(bench: PushBench, kinds: string, target = a, bytes = 10): void {
    for (const [index, letter] of [...kinds].entries()) {
      const kind = letter === 'a' ? 'artifact' : letter === 'e' ? 'end' : 'status';
      bench.sender.send(notificationOf(target, index + 1, kind, bytes));
    }
  }

  async function drained(bench: PushBench): Promise<string[]> {
    bench.answers = () => ({ kind: 'delivered' });
    await bench.answer('delivered');
    await settled();
    return bench.names.filter((name) => name.startsWith('a'));
  }

  it.each([
    ['the oldest artifact updates first', 'ssaasa', 4, ['a/1', 'a/2', 'a/5', 'a/6']],
    ['then the oldest of the others', 'ssssss', 3, ['a/1', 'a/5', 'a/6']],
    ['never the end of the task', 'sssse', 2, ['a/1', 'a/5']],
    ['never what is on its way', 'aaaaae', 2, ['a/1', 'a/6']],
  ])('drops %s', async (_what, kinds, maxQueuedPerConfig, expected) => {
    const bench = new PushBench({ maxQueuedPerConfig });
    fill(bench, kinds);
    expect(await drained(bench)).toEqual(expected);
    expect(bench.lost).toHaveLength(kinds.length - expected.length);
    expect(bench.logs).toEqual([expect.stringContaining('takes too long: updates are dropped')]);
    expect(bench.sender.gauges()).toEqual(IDLE);
  });

  it.each([{ maxQueuedTotal: 6 }, { maxQueuedBytes: 60 }])('holds %j for all configs together', async (bound) => {
    const bench = new PushBench(bound);
    fill(bench, 'saaaa', b);
    fill(bench, 'sse');
    expect(bench.sender.gauges()).toMatchObject({ queued: 6, bytes: 60 });
    expect(bench.lost).toEqual(['t1/b', 't1/b']);
    bench.sender.cancel(a);
    bench.sender.cancel(b);
  });

  it('keeps the end of a task even when nothing else can be dropped', () => {
    const bench = new PushBench({ maxQueuedTotal: 1 });
    fill(bench, 'se');
    fill(bench, 'se', b);
    // The one on its way and the two ends.
    expect(bench.sender.gauges().queued).toBe(3);
    bench.sender.cancel(a);
    bench.sender.cancel(b);
  });
});

describe('drain', () => {
  it('ends at once when nothing waits', async () => {
    const bench = new PushBench();
    await bench.sender.drain();
    expect(bench.closed).toBe(true);
    expect(bench.logs).toEqual([]);
  });

  it('ends when everything is delivered', async () => {
    const bench = new PushBench();
    bench.send(a, 1);
    const drained = bench.sender.drain();
    await bench.answer('delivered');
    await drained;
    expect(bench.closed).toBe(true);
    expect(bench.logs).toEqual([]);
  });

  it('gives up after drainSeconds, says how many were not delivered, and takes nothing more', async () => {
    const bench = new PushBench({ drainSeconds: 2 });
    bench.send(a, 1, 2);
    bench.send(b, 1);
    const drained = bench.sender.drain();
    await jest.advanceTimersByTimeAsync(1999);
    expect(bench.closed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await drained;
    expect(bench.logs).toEqual(['3 push notifications were not delivered before the app stopped']);
    bench.send(a, 3);
    await settled();
    expect(bench.sender.gauges()).toEqual(IDLE);
  });
});
