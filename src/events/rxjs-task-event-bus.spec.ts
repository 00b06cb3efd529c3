import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { TaskState, UnavailableError } from 'nestjs-a2a/protocol';
import type { Subscription } from 'rxjs';
import { RxJsTaskEventBus, type RxJsTaskEventBusOptions } from './rxjs-task-event-bus.js';
import { TaskEvent } from './task-event.js';

const KEY = { agent: '', tenant: '', id: 't' };

function keyOf(id: string): typeof KEY {
  return { ...KEY, id };
}

function event(sequence: number, { last = false, bytes = 10 } = {}): TaskEvent {
  const message = { messageId: String(sequence), role: 'ROLE_AGENT' as const, parts: [] };
  return new TaskEvent(sequence, { message }, last ? TaskState.COMPLETED : TaskState.WORKING, bytes);
}

interface Reading {
  readonly seen: (number | string)[];
  readonly subscription: Subscription;
}

function read(bus: RxJsTaskEventBus, after = 0, key = KEY): Reading {
  const seen: (number | string)[] = [];
  const subscription = bus.subscribe(key, after).subscribe({
    next: ({ sequence }) => seen.push(sequence),
    error: (error: unknown) => seen.push(error instanceof Error ? error.message : 'error'),
    complete: () => seen.push('end'),
  });
  return { seen, subscription };
}

function publish(bus: RxJsTaskEventBus, from: number, to: number, key = KEY): void {
  for (let sequence = from; sequence <= to; sequence++) bus.publish(key, event(sequence));
}

describe('RxJsTaskEventBus', () => {
  const logged = jest.spyOn(Logger.prototype, 'error');

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    logged.mockReset();
  });

  afterEach(() => {
    // What RxJS throws from a timer would come out here.
    jest.runOnlyPendingTimers();
    jest.useRealTimers();
  });

  describe('subscribe', () => {
    it.each([
      [0, [1, 2, 3, 4, 5, 'end']],
      [2, [3, 4, 5, 'end']],
      [3, [4, 5, 'end']],
      [4, [5, 'end']],
    ])('after %i gives what was kept, then what comes, each once', (after, expected) => {
      const bus = new RxJsTaskEventBus();
      publish(bus, 1, 3);
      const { seen } = read(bus, after);
      publish(bus, 4, 4);
      bus.publish(KEY, event(5, { last: true }));
      expect(seen).toEqual(expected);
    });

    it('hands the same event to all', () => {
      const bus = new RxJsTaskEventBus();
      const sent = event(1);
      const got: TaskEvent[] = [];
      bus.subscribe(KEY, 0).subscribe((value) => got.push(value));
      bus.subscribe(KEY, 0).subscribe((value) => got.push(value));
      bus.publish(KEY, sent);
      bus.subscribe(KEY, 0).subscribe((value) => got.push(value));
      expect(got).toHaveLength(3);
      expect(got.every((value) => value === sent)).toBe(true);
    });

    it('keeps agents, tenants and ids apart', () => {
      const bus = new RxJsTaskEventBus();
      const readings = [KEY, { ...KEY, agent: 'x' }, { ...KEY, tenant: 'x' }, keyOf('x')].map((key) =>
        read(bus, 0, key),
      );
      publish(bus, 1, 1, { ...KEY, tenant: 'x' });
      expect(readings.map(({ seen }) => seen)).toEqual([[], [], [1], []]);
    });

    it.each([
      ['the last one not seen', 1, [2, 'end']],
      ['the last one seen', 2, ['end']],
      ['a number that never was', 99, ['end']],
    ])('completes when the end was published before: %s', (_name, after, expected) => {
      const bus = new RxJsTaskEventBus();
      publish(bus, 1, 1);
      bus.publish(KEY, event(2, { last: true }));
      expect(read(bus, after).seen).toEqual(expected);
      expect(bus.gauges()).toMatchObject({ tasks: 1, subscribers: 0 });
    });

    it('stays open for an unknown task, and leaves nothing behind', () => {
      const bus = new RxJsTaskEventBus();
      const { seen, subscription } = read(bus, 7);
      expect(bus.gauges()).toEqual({ tasks: 1, subscribers: 1, replayBytes: 0 });
      expect(seen).toEqual([]);
      subscription.unsubscribe();
      expect(bus.gauges()).toEqual({ tasks: 0, subscribers: 0, replayBytes: 0 });
    });

    it('does nothing before somebody subscribes to the Observable', () => {
      const bus = new RxJsTaskEventBus();
      const events = bus.subscribe(KEY, 0);
      expect(bus.gauges().tasks).toBe(0);
      publish(bus, 1, 2);
      const seen: number[] = [];
      events.subscribe(({ sequence }) => seen.push(sequence));
      expect(seen).toEqual([1, 2]);
    });

    it('ignores an event that was published already, or after the end', () => {
      const bus = new RxJsTaskEventBus();
      const { seen } = read(bus);
      publish(bus, 1, 2);
      publish(bus, 1, 2);
      bus.publish(KEY, event(3, { last: true }));
      publish(bus, 4, 4);
      expect(seen).toEqual([1, 2, 3, 'end']);
      expect(read(bus).seen).toEqual([1, 2, 3, 'end']);
    });
  });

  describe('publish', () => {
    it('makes no JSON', () => {
      const bus = new RxJsTaskEventBus();
      const unprintable = new TaskEvent(
        1,
        { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } },
        TaskState.WORKING,
        1,
      );
      const json = jest.spyOn(TaskEvent.prototype, 'json', 'get');
      read(bus);
      bus.publish(KEY, unprintable);
      expect(json).not.toHaveBeenCalled();
      json.mockRestore();
    });

    it('is not reached by what a subscriber throws, and neither are the others', () => {
      const bus = new RxJsTaskEventBus();
      const before = read(bus);
      const broken = bus.subscribe(KEY, 0).subscribe(() => {
        throw new Error('a fault of the reader');
      });
      const after = read(bus);
      publish(bus, 1, 2);
      expect([before.seen, after.seen, broken.closed]).toEqual([[1, 2], [1, 2], true]);
      expect(bus.gauges().subscribers).toBe(2);
      expect(logged).toHaveBeenCalledTimes(1);
      expect(() => jest.runAllTimers()).not.toThrow();
    });

    it('is not reached by what a subscriber throws while it replays', () => {
      const bus = new RxJsTaskEventBus();
      publish(bus, 1, 3);
      const error = jest.fn();
      const next = jest.fn(() => {
        throw new Error('a fault of the reader');
      });
      bus.subscribe(KEY, 0).subscribe({ next, error });
      expect([next.mock.calls.length, error.mock.calls.length, bus.gauges().subscribers]).toEqual([1, 1, 0]);
    });

    it('stands subscribers that leave, or make others leave, while it delivers', () => {
      const bus = new RxJsTaskEventBus();
      const seen: string[] = [];
      const leave = (): void => {
        first.unsubscribe();
        third.unsubscribe();
      };
      const first: Subscription = bus.subscribe(KEY, 0).subscribe(() => seen.push('first'));
      bus.subscribe(KEY, 0).subscribe(() => {
        seen.push('second');
        leave();
      });
      const third: Subscription = bus.subscribe(KEY, 0).subscribe(() => seen.push('third'));
      publish(bus, 1, 2);
      expect(seen).toEqual(['first', 'second', 'second']);
      expect(bus.gauges().subscribers).toBe(1);
    });

    it('from inside a subscriber keeps the order for all', () => {
      const bus = new RxJsTaskEventBus();
      const before = read(bus);
      bus.subscribe(KEY, 0).subscribe(({ sequence }) => {
        if (sequence < 4) bus.publish(KEY, event(sequence + 1, { last: sequence === 3 }));
      });
      const after = read(bus);
      publish(bus, 1, 1);
      expect([before.seen, after.seen]).toEqual([
        [1, 2, 3, 4, 'end'],
        [1, 2, 3, 4, 'end'],
      ]);
    });

    it('from inside a replay keeps the order, also when the window drops what is being replayed', () => {
      const bus = new RxJsTaskEventBus({ maxReplayEvents: 3 });
      publish(bus, 1, 3);
      const other = read(bus, 3);
      const seen: (number | string)[] = [];
      bus.subscribe(KEY, 0).subscribe({
        next: ({ sequence }) => {
          seen.push(sequence);
          if (sequence === 1) publish(bus, 4, 8);
          if (sequence === 5) bus.publish(KEY, event(9, { last: true }));
        },
        complete: () => seen.push('end'),
      });
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 'end']);
      expect(other.seen).toEqual([4, 5, 6, 7, 8, 9, 'end']);
    });

    it('gives one who subscribes during a delivery each event once', () => {
      const bus = new RxJsTaskEventBus();
      const late: Reading[] = [];
      bus.subscribe(KEY, 0).subscribe(({ sequence }) => {
        if (sequence !== 1) return;
        publish(bus, 2, 2);
        bus.publish(KEY, event(3, { last: true }));
        late.push(read(bus), read(bus, 2));
      });
      publish(bus, 1, 1);
      expect(late.map(({ seen }) => seen)).toEqual([
        [1, 2, 3, 'end'],
        [3, 'end'],
      ]);
      expect(bus.gauges().subscribers).toBe(0);
    });

    it('stands one who subscribes inside of a completion', () => {
      const bus = new RxJsTaskEventBus();
      const late: Reading[] = [];
      bus.subscribe(KEY, 0).subscribe({ complete: () => late.push(read(bus)) });
      bus.publish(KEY, event(1, { last: true }));
      expect(late[0].seen).toEqual([1, 'end']);
    });
  });

  it('awaits no events of a task that nobody has ever asked for', () => {
    const bus = new RxJsTaskEventBus({ replayGraceSeconds: 0 });
    expect(bus.awaits(KEY)).toBe(false);
    const { subscription } = read(bus);
    expect([bus.awaits(KEY), bus.awaits(keyOf('other'))]).toEqual([true, false]);
    subscription.unsubscribe();
    expect(bus.awaits(KEY)).toBe(false);
  });

  describe('replay window', () => {
    it.each<[string, RxJsTaskEventBusOptions, (number | string)[]]>([
      ['events', { maxReplayEvents: 3 }, [8, 9, 10]],
      ['bytes of the task', { maxReplayBytesPerTask: 49 }, [7, 8, 9, 10]],
    ])('is bounded by %s', (_name, options, expected) => {
      const bus = new RxJsTaskEventBus(options);
      publish(bus, 1, 10);
      expect(read(bus).seen).toEqual(expected);
      expect(bus.gauges().replayBytes).toBe(expected.length * 10);
    });

    it.each<[string, RxJsTaskEventBusOptions]>([
      ['bytes', { maxReplayBytes: 60 }],
      ['events', { maxReplayEventsTotal: 6 }],
    ])(
      'is bounded by the %s of all tasks: the oldest windows go first, of released tasks before others',
      (_name, options) => {
        const bus = new RxJsTaskEventBus(options);
        const held = (): string[] => ['a', 'b', 'c', 'd', 'e'].filter((id) => bus.covers(keyOf(id), 0, 1));
        for (const id of ['a', 'b', 'c']) publish(bus, 1, 2, keyOf(id));
        expect(held()).toEqual(['a', 'b', 'c']);
        bus.release(keyOf('b'));
        publish(bus, 1, 2, keyOf('d'));
        expect(held()).toEqual(['a', 'c', 'd']);
        publish(bus, 1, 1, keyOf('e'));
        expect(held()).toEqual(['c', 'd', 'e']);
        expect(bus.gauges()).toEqual({ tasks: 3, subscribers: 0, replayBytes: 50 });
      },
    );

    it('keeps a subscriber whose window was dropped', () => {
      const bus = new RxJsTaskEventBus({ maxReplayBytes: 20 });
      const { seen } = read(bus, 0, keyOf('a'));
      publish(bus, 1, 2, keyOf('a'));
      publish(bus, 1, 2, keyOf('b'));
      publish(bus, 3, 3, keyOf('a'));
      expect(seen).toEqual([1, 2, 3]);
      expect([bus.covers(keyOf('a'), 2, 3), bus.covers(keyOf('a'), 1, 3)]).toEqual([true, false]);
    });

    it('lets a task go that has neither a window nor a subscriber', () => {
      const bus = new RxJsTaskEventBus({ maxReplayBytesPerTask: 5 });
      const { seen, subscription } = read(bus);
      publish(bus, 1, 2);
      expect(bus.gauges()).toEqual({ tasks: 1, subscribers: 1, replayBytes: 0 });
      subscription.unsubscribe();
      publish(bus, 3, 3);
      expect(bus.gauges()).toEqual({ tasks: 0, subscribers: 0, replayBytes: 0 });
      expect(seen).toEqual([1, 2]);
    });

    it.each([
      ['all of it', 0, 5, true],
      ['some of it', 3, 5, true],
      ['nothing missed', 5, 5, true],
      ['ahead of the task', 9, 5, true],
      ['more than was published', 3, 6, false],
    ])('covers %s', (_name, after, latest, expected) => {
      const bus = new RxJsTaskEventBus();
      publish(bus, 1, 5);
      expect(bus.covers(KEY, after, latest)).toBe(expected);
      expect(bus.covers(keyOf('unknown'), after, latest)).toBe(after >= latest);
      expect(bus.gauges().tasks).toBe(1);
    });

    it('does not cover across a gap', () => {
      const bus = new RxJsTaskEventBus();
      publish(bus, 1, 3);
      publish(bus, 5, 6);
      expect([bus.covers(KEY, 2, 6), bus.covers(KEY, 4, 6)]).toEqual([false, true]);
    });
  });

  describe('grace', () => {
    it('keeps the window for its time after a release, then drops it without being asked', () => {
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 60 });
      publish(bus, 1, 2);
      expect(jest.getTimerCount()).toBe(0);
      bus.release(KEY);
      jest.advanceTimersByTime(59_999);
      expect(bus.covers(KEY, 0, 2)).toBe(true);
      jest.advanceTimersByTime(1);
      expect(bus.gauges()).toEqual({ tasks: 0, subscribers: 0, replayBytes: 0 });
      expect(jest.getTimerCount()).toBe(0);
    });

    it('starts with the last event, and anew with a release after it', () => {
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 60 });
      bus.publish(KEY, event(1, { last: true }));
      bus.publish(keyOf('u'), event(1, { last: true }));
      jest.advanceTimersByTime(30_000);
      bus.release(KEY);
      jest.advanceTimersByTime(30_000);
      expect([bus.covers(KEY, 0, 1), bus.covers(keyOf('u'), 0, 1)]).toEqual([true, false]);
      expect(read(bus).seen).toEqual([1, 'end']);
      jest.advanceTimersByTime(30_000);
      const { seen, subscription } = read(bus);
      expect(seen).toEqual([]);
      subscription.unsubscribe();
      expect(bus.gauges().tasks).toBe(0);
    });

    it('ends with a new event', () => {
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 60 });
      publish(bus, 1, 1);
      bus.release(KEY);
      jest.advanceTimersByTime(30_000);
      publish(bus, 2, 2);
      expect(jest.getTimerCount()).toBe(0);
      jest.advanceTimersByTime(1_000_000);
      expect(bus.covers(KEY, 0, 2)).toBe(true);
    });

    it('takes the window, not the subscribers', () => {
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 60 });
      const { seen } = read(bus);
      publish(bus, 1, 1);
      bus.release(KEY);
      jest.advanceTimersByTime(60_000);
      expect(bus.gauges()).toEqual({ tasks: 1, subscribers: 1, replayBytes: 0 });
      publish(bus, 2, 2);
      expect(seen).toEqual([1, 2]);
      expect([bus.covers(KEY, 0, 2), bus.covers(KEY, 1, 2)]).toEqual([false, true]);
    });

    it('may be none', () => {
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 0 });
      const { seen } = read(bus);
      bus.publish(KEY, event(1, { last: true }));
      publish(bus, 1, 1, keyOf('u'));
      bus.release(keyOf('u'));
      expect(seen).toEqual([1, 'end']);
      expect(bus.gauges()).toEqual({ tasks: 0, subscribers: 0, replayBytes: 0 });
      expect(jest.getTimerCount()).toBe(0);
    });

    it('has one timer for all tasks, and none without one', () => {
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 60 });
      for (let n = 0; n < 500; n++) {
        bus.publish(keyOf(`t${n}`), event(1, { last: true }));
        jest.advanceTimersByTime(10);
        expect(jest.getTimerCount()).toBe(1);
      }
      jest.advanceTimersByTime(60_000);
      expect(jest.getTimerCount()).toBe(0);
      expect(bus.gauges().tasks).toBe(0);
    });

    it('is not started by a release of an unknown task', () => {
      const bus = new RxJsTaskEventBus();
      bus.release(KEY);
      expect([bus.gauges().tasks, jest.getTimerCount()]).toEqual([0, 0]);
    });

    it('follows the clock that it is given', () => {
      let now = 0;
      const bus = new RxJsTaskEventBus({ replayGraceSeconds: 1, now: () => now });
      bus.publish(KEY, event(1, { last: true }));
      jest.advanceTimersByTime(5000);
      expect(bus.covers(KEY, 0, 1)).toBe(true);
      now = 1000;
      expect(bus.covers(KEY, 0, 1)).toBe(false);
    });
  });

  describe('fail', () => {
    const error = new UnavailableError('not stored');

    it('ends the subscriptions with the error and drops the window', () => {
      const bus = new RxJsTaskEventBus();
      const { seen } = read(bus);
      const other = read(bus, 0, keyOf('u'));
      publish(bus, 1, 2);
      bus.fail(KEY, error);
      bus.fail(keyOf('unknown'), error);
      expect(seen).toEqual([1, 2, 'not stored']);
      expect(other.seen).toEqual([]);
      expect(bus.covers(KEY, 0, 2)).toBe(false);
      expect(bus.gauges()).toEqual({ tasks: 1, subscribers: 1, replayBytes: 0 });
    });

    it('lets the task go on later, where the store left it', () => {
      const bus = new RxJsTaskEventBus();
      publish(bus, 1, 9);
      bus.fail(KEY, error);
      const { seen } = read(bus, 3);
      publish(bus, 4, 5);
      expect(seen).toEqual([4, 5]);
    });

    it('lets a subscriber come back from inside its error handler', () => {
      const bus = new RxJsTaskEventBus();
      const again: Reading[] = [];
      bus.subscribe(KEY, 0).subscribe({ error: () => again.push(read(bus)) });
      const other = read(bus);
      publish(bus, 1, 1);
      bus.fail(KEY, error);
      publish(bus, 1, 1);
      expect(other.seen).toEqual([1, 'not stored']);
      expect(again.map(({ seen }) => seen)).toEqual([[1]]);
      expect(bus.gauges()).toMatchObject({ tasks: 1, subscribers: 1 });
    });

    it('does not harm the process when nobody handles the error', () => {
      const bus = new RxJsTaskEventBus();
      bus.subscribe(KEY, 0).subscribe();
      bus.fail(KEY, error);
      expect(() => jest.runAllTimers()).not.toThrow();
      expect(logged).toHaveBeenCalledTimes(1);
    });
  });

  describe('shutdown', () => {
    it('completes everything, forgets everything and stops the timer', () => {
      const bus = new RxJsTaskEventBus();
      const readings = [read(bus), read(bus, 0, keyOf('u'))];
      publish(bus, 1, 1);
      publish(bus, 1, 1, keyOf('released'));
      bus.release(keyOf('released'));
      bus.onApplicationShutdown();
      expect(readings.map(({ seen }) => seen)).toEqual([[1, 'end'], ['end']]);
      expect(bus.gauges()).toEqual({ tasks: 0, subscribers: 0, replayBytes: 0 });
      expect(jest.getTimerCount()).toBe(0);
      publish(bus, 2, 2);
      expect(read(bus).seen).toEqual(['end']);
      expect(bus.gauges()).toEqual({ tasks: 0, subscribers: 0, replayBytes: 0 });
    });
  });
});
