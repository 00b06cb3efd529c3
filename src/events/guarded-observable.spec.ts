import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { config, firstValueFrom, map, Subject, take, toArray } from 'rxjs';
import { GuardedObservable } from './guarded-observable.js';

const fault = new Error('a fault of the reader');

function broken(): never {
  throw fault;
}

describe('GuardedObservable', () => {
  const report = jest.fn<(error: unknown) => void>();
  const unhandled = jest.fn<(error: unknown) => void>();

  beforeEach(() => {
    report.mockClear();
    unhandled.mockClear();
    config.onUnhandledError = unhandled;
  });

  afterEach(async () => {
    // RxJS tells of unhandled errors from a timer.
    await new Promise((resolve) => setTimeout(resolve, 5));
    config.onUnhandledError = null;
    expect(unhandled).not.toHaveBeenCalled();
  });

  function counting(): { source: GuardedObservable<number>; torn: () => number } {
    let torn = 0;
    const source = new GuardedObservable<number>(report, (subscriber) => {
      for (const value of [1, 2, 3]) subscriber.next(value);
      subscriber.complete();
      return () => torn++;
    });
    return { source, torn: () => torn };
  }

  it('ends a subscription whose next throws, while it is still being subscribed', () => {
    const { source, torn } = counting();
    const seen: number[] = [];
    const complete = jest.fn();
    const subscription = source.subscribe({
      next: (value) => {
        seen.push(value);
        broken();
      },
      complete,
    });
    expect([seen, subscription.closed, torn()]).toEqual([[1], true, 1]);
    expect(complete).not.toHaveBeenCalled();
    expect(report.mock.calls).toEqual([[fault]]);
  });

  it('tells the error handler instead, and reports what that throws', () => {
    const error = jest.fn();
    counting().source.subscribe({ next: broken, error });
    expect(error.mock.calls).toEqual([[fault]]);
    expect(report).not.toHaveBeenCalled();
    counting().source.subscribe({ next: broken, error: broken });
    expect(report.mock.calls).toEqual([[fault]]);
  });

  it.each([
    ['a function', (source: GuardedObservable<number>) => source.subscribe(broken)],
    ['null handlers', (source: GuardedObservable<number>) => source.subscribe(broken, null, null)],
    ['complete', (source: GuardedObservable<number>) => source.subscribe({ complete: broken })],
    ['an operator', (source: GuardedObservable<number>) => source.pipe(map(broken)).subscribe()],
    [
      'next behind operators',
      (source: GuardedObservable<number>) => source.pipe(take(2), map(String)).subscribe(broken),
    ],
  ])('reports what is thrown by %s', (_name, subscribe) => {
    expect(subscribe(counting().source).closed).toBe(true);
    expect(report.mock.calls).toEqual([[fault]]);
  });

  it('keeps methods of an observer bound to it', () => {
    class Reader {
      readonly seen: number[] = [];
      next(value: number): void {
        this.seen.push(value);
      }
    }
    const reader = new Reader();
    counting().source.subscribe(reader);
    expect(reader.seen).toEqual([1, 2, 3]);
  });

  it('works without an observer, with operators, subjects and promises', async () => {
    expect(counting().source.subscribe().closed).toBe(true);
    expect(await firstValueFrom(counting().source.pipe(toArray()))).toEqual([1, 2, 3]);
    expect(await firstValueFrom(counting().source)).toBe(1);
    const subject = new Subject<number>();
    const seen: number[] = [];
    subject.subscribe((value) => seen.push(value));
    counting().source.subscribe(subject);
    expect(seen).toEqual([1, 2, 3]);
    await expect(firstValueFrom(counting().source.pipe(map(broken)))).rejects.toBe(fault);
  });

  it('tells of one error only, also when the source fails after the subscriber did', () => {
    const source = new GuardedObservable<number>(report, (subscriber) => {
      subscriber.next(1);
      subscriber.error(new Error('a fault of the source'));
    });
    const error = jest.fn();
    source.subscribe({ next: broken, error });
    expect(error.mock.calls).toEqual([[fault]]);
    expect(report).not.toHaveBeenCalled();
  });

  it('does not tell a subscriber that has left before it threw', () => {
    const subject = new Subject<number>();
    const source = new GuardedObservable<number>(report, (subscriber) => subject.subscribe(subscriber));
    const error = jest.fn();
    const subscription = source.subscribe({
      next: () => {
        subscription.unsubscribe();
        broken();
      },
      error,
    });
    subject.next(1);
    expect([error.mock.calls.length, report.mock.calls]).toEqual([0, [[fault]]]);
  });

  it('gives nothing after an unsubscribe', () => {
    const subject = new Subject<number>();
    const source = new GuardedObservable<number>(report, (subscriber) => subject.subscribe(subscriber));
    const [next, error, complete] = [jest.fn(), jest.fn(), jest.fn()];
    source.subscribe({ next, error, complete }).unsubscribe();
    subject.next(1);
    subject.error(fault);
    expect([next, error, complete].map((handler) => handler.mock.calls.length)).toEqual([0, 0, 0]);
    expect(subject.observed).toBe(false);
  });
});
