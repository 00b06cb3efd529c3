import { describe, expect, it } from '@jest/globals';
import { deferred } from './deferred.js';
import { SerialQueue } from './serial-queue.js';

describe('SerialQueue', () => {
  it('runs what is asked for at once when nobody is before it, and hands out what it gives or throws', () => {
    const queue = new SerialQueue();
    expect(queue.run(() => 1)).toBe(1);
    expect(() =>
      queue.run(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect([queue.idle, queue.length, queue.run(() => 2)]).toEqual([true, 0, 2]);
  });

  it('lets the next one wait for one that takes its time, also when that fails', async () => {
    const queue = new SerialQueue();
    const first = deferred<void>();
    const failing = queue.run(() => first.promise);
    const second = queue.run(() => 'second');
    expect([queue.idle, queue.length]).toEqual([false, 1]);
    first.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    expect(await second).toBe('second');
    expect(queue.idle).toBe(true);
  });

  it.each([
    ['one that is over at once', (over: () => void): void => over()],
    ['one that takes its time', (over: () => void) => new Promise<void>((resolve) => setImmediate(resolve)).then(over)],
    [
      'one that throws',
      (over: () => void): void => {
        over();
        throw new Error('no');
      },
    ],
  ])('lets one that is asked for from within another wait for the end of %s', async (_name, rest) => {
    const queue = new SerialQueue();
    const order: string[] = [];
    let inner: unknown;
    const outer = async (): Promise<void> => {
      await queue.run(() => {
        inner = queue.run(() => order.push('inner'));
        expect(order).toEqual([]);
        return rest(() => order.push('outer'));
      });
    };
    await outer().catch(() => undefined);
    await inner;
    expect(order).toEqual(['outer', 'inner']);
    expect(queue.idle).toBe(true);
  });
});
