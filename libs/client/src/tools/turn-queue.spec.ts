import { describe, expect, it } from '@jest/globals';
import { TurnQueue } from './turn-queue.js';

/** Work that ends when it is told to. */
function work() {
  let end = (_error?: Error): void => undefined;
  const done = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve('done'));
  });
  return { done, end };
}

describe('TurnQueue', () => {
  it('does one thing after the other, also after one that failed', async () => {
    const queue = new TurnQueue();
    const told: string[] = [];
    const first = work();
    const turns = [
      queue.run(() => first.done),
      queue.run(async () => told.push('second')),
      queue.run(async () => told.push('third')),
    ];
    await Promise.resolve();
    expect(told).toEqual([]);
    first.end(new Error('broken'));
    const results = await Promise.allSettled(turns);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(told).toEqual(['second', 'third']);
  });

  it('lets one leave that waits, whose work is never begun', async () => {
    const queue = new TurnQueue();
    const told: string[] = [];
    const first = work();
    const leaving = new AbortController();
    const running = queue.run(() => first.done);
    const left = queue.run(async () => told.push('left'), leaving.signal);
    leaving.abort(new Error('changed my mind'));
    await expect(left).rejects.toThrow('changed my mind');
    await expect(queue.run(async () => told.push('late'), leaving.signal)).rejects.toThrow('changed my mind');
    first.end();
    await expect(running).resolves.toBe('done');
    await queue.run(async () => told.push('next'));
    expect(told).toEqual(['next']);
  });

  it('refuses when too many wait, and takes more when they are done', async () => {
    const queue = new TurnQueue();
    const first = work();
    const turns = Array.from({ length: 64 }, () => queue.run(() => first.done));
    await expect(queue.run(() => first.done)).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' });
    first.end();
    await Promise.all(turns);
    await expect(queue.run(() => first.done)).resolves.toBe('done');
  });
});
