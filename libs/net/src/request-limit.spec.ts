import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RequestLimit } from './request-limit.js';

describe('RequestLimit', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('stops when its time is over', async () => {
    const limit = new RequestLimit(1000);
    const work = limit.before(new Promise(() => undefined));
    jest.advanceTimersByTime(999);
    expect(limit.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    await expect(work).rejects.toMatchObject({ code: 'TIMEOUT', message: 'No whole answer within 1000 ms' });
    expect(limit.signal.reason).toMatchObject({ code: 'TIMEOUT' });
  });

  it('leaves neither a timer nor a listener', async () => {
    const outer = new AbortController();
    const limit = new RequestLimit(1000, outer.signal);
    expect([jest.getTimerCount(), getEventListeners(outer.signal, 'abort').length]).toEqual([1, 1]);
    await expect(limit.before(Promise.resolve('done'))).resolves.toBe('done');
    expect(getEventListeners(limit.signal, 'abort')).toEqual([]);
    limit.end();
    expect([jest.getTimerCount(), getEventListeners(outer.signal, 'abort').length]).toEqual([0, 0]);
  });

  it.each([undefined, 'a word', new Error('enough')])('passes on why the caller stopped: %p', async (reason) => {
    const outer = new AbortController();
    outer.abort(reason);
    const limit = new RequestLimit(1000, outer.signal);
    await expect(limit.before(Promise.reject(new Error('late')))).rejects.toBe(outer.signal.reason);
    limit.end();
  });
});
