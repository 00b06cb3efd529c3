import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { caught } from '../../../../test/support/caught.js';
import { CancellationException, NullResultError, TimeoutException } from '../errors/workflow.error.js';
import { callHost } from './host-call.js';

const texts = { nullFuture: 'onTask returned null future', nullValue: 'onTask returned null content' };
const limits = (timeoutMs = 1_000, stop = new AbortController()) => ({ timeoutMs, signal: stop.signal });
/** What the types forbid, hosts in JavaScript do. */
const nothing = <T>(): T => JSON.parse('null');

describe('callHost', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['a value', () => 'v'],
    ['a promise of it', () => Promise.resolve('v')],
  ])('takes %s', async (_, make) => {
    await expect(callHost({ make, ...texts }, limits())).resolves.toBe('v');
  });

  it.each<[string, () => Promise<string>, string]>([
    ['nothing', nothing, 'onTask returned null future'],
    ['a promise of nothing', () => Promise.resolve(nothing()), 'onTask returned null content'],
  ])('does not take %s', async (_, make, text) => {
    expect(await caught(callHost({ make, ...texts }, limits()))).toEqual(new NullResultError(text));
  });

  it('rejects when the call throws at once', async () => {
    const make = (): never => {
      throw new TypeError('at once');
    };
    expect(await caught(callHost({ make, ...texts }, limits()))).toEqual(new TypeError('at once'));
  });

  it('waits no longer than it is told, tells the host, and leaves nothing behind', async () => {
    const stop = new AbortController();
    let told: AbortSignal | undefined;
    const make = (signal: AbortSignal): Promise<string> => {
      told = signal;
      return new Promise(() => undefined);
    };
    expect(await caught(callHost({ make, ...texts }, limits(1, stop)))).toEqual(new TimeoutException());
    expect(told?.aborted).toBe(true);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it('ends with the run, and asks nobody when that is over already', async () => {
    const stop = new AbortController();
    let asked = 0;
    const make = (): Promise<string> => {
      asked += 1;
      return new Promise(() => undefined);
    };
    const failing = caught(callHost({ make, ...texts }, limits(1_000, stop)));
    const reason = new CancellationException('over');
    stop.abort(reason);
    expect(await failing).toBe(reason);
    expect(await caught(callHost({ make, ...texts }, limits(1_000, stop)))).toBe(reason);
    expect(asked).toBe(1);
  });
});
