import { describe, expect, it } from '@jest/globals';
import { DeliverySlots } from './delivery-slots.js';

/** Slots whose jobs are names such as `a1`: the letter is the receiver. */
class Bench {
  readonly started: string[] = [];
  readonly slots: DeliverySlots<string>;

  constructor(size: number) {
    this.slots = new DeliverySlots(size, (job) => void this.started.push(job));
  }

  request(...jobs: string[]): this {
    for (const job of jobs) this.slots.request(job.charAt(0), job);
    return this;
  }

  /** Jobs of a receiver, numbered from 1. */
  many(receiver: string, count: number): this {
    return this.request(...Array.from({ length: count }, (_, index) => `${receiver}${index + 1}`));
  }

  running(receiver: string): number {
    return this.started.filter((job) => job.startsWith(receiver)).length;
  }
}

describe('DeliverySlots', () => {
  it('starts no more than there are slots, in the order of the requests', () => {
    const bench = new Bench(8).request('a1', 'a2');
    bench.slots.release('a', true);
    bench.started.length = 0;
    bench.many('a', 20);
    expect(bench.slots.taken).toBe(8);
    expect(bench.started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
  });

  it('takes a job once, however often it is requested', () => {
    const bench = new Bench(1).request('a1', 'b1', 'b1');
    bench.slots.release('a', true);
    bench.slots.release('b', true);
    expect(bench.started).toEqual(['a1', 'b1']);
    expect(bench.slots.taken).toBe(0);
  });

  it('gives receivers their turns', () => {
    const bench = new Bench(1).request('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    for (let turn = 0; turn < 6; turn++) bench.slots.release(bench.started.at(-1)?.charAt(0) ?? '', true);
    expect([...bench.started].sort()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    const order = (receiver: string): number => bench.started.findIndex((job) => job.startsWith(receiver));
    expect(Math.max(order('b'), order('c'))).toBeLessThan(bench.started.indexOf('a3'));
  });

  it('holds one that is not known to a quarter of the slots', () => {
    const bench = new Bench(16).many('a', 20).many('b', 20);
    expect([bench.running('a'), bench.running('b')]).toEqual([4, 4]);
  });

  it('leaves half of the slots to others when many are slow', () => {
    const bench = new Bench(16);
    for (const receiver of ['a', 'b', 'c', 'd']) bench.many(receiver, 20);
    for (const receiver of ['a', 'b', 'c', 'd']) for (let n = 0; n < 4; n++) bench.slots.release(receiver, false);
    expect(bench.slots.taken).toBe(8);
    bench.many('x', 30);
    expect(bench.running('x')).toBe(4);
    bench.slots.release('x', true);
    expect(bench.running('x')).toBe(1 + 8);
    expect(bench.slots.taken).toBe(16);
    bench.slots.release('a', false);
    bench.slots.release('b', false);
    expect(bench.slots.taken).toBe(16);
  });

  it('keeps a quarter for quick ones, however many names those have that hang', () => {
    const bench = new Bench(16).request('q1');
    bench.slots.release('q', true);
    const hanging = [...'abcdefghijklmno'];
    for (const receiver of hanging) bench.many(receiver, 1);
    expect(bench.slots.taken).toBe(12);
    bench.many('q', 6);
    expect(bench.running('q')).toBe(1 + 4);
    expect(bench.slots.taken).toBe(16);
  });

  it('knows those again that had nothing to get for a while', () => {
    const bench = new Bench(16);
    for (const receiver of 'abcdefgh') bench.request(`${receiver}1`);
    for (const receiver of 'abcdefgh') bench.slots.release(receiver, false);
    expect(bench.slots.taken).toBe(0);
    for (const receiver of 'abcdefgh') bench.request(`${receiver}2`, `${receiver}3`);
    expect(bench.slots.taken).toBe(8);
    for (let n = 0; n < 2; n++) bench.slots.release('a', true);
    bench.many('a', 9);
    expect(bench.running('a')).toBe(3 + 8);
  });

  it('holds one that begins to hang to a quarter', () => {
    const bench = new Bench(8);
    bench.many('a', 30);
    bench.slots.release('a', true);
    expect(bench.slots.taken).toBe(8);
    for (let turn = 0; turn < 8; turn++) bench.slots.release('a', false);
    expect(bench.slots.taken).toBe(2);
  });

  it('starts one at a time when there is only one slot', () => {
    const bench = new Bench(1).many('a', 2);
    expect(bench.started).toEqual(['a1']);
    bench.slots.release('a', false);
    expect(bench.started).toEqual(['a1', 'a2']);
  });

  it('learns nothing from what was broken off', () => {
    const bench = new Bench(8).many('a', 3);
    bench.slots.release('a', undefined);
    expect(bench.started).toEqual(['a1', 'a2', 'a3']);
    expect(bench.slots.taken).toBe(2);
  });

  it('starts nothing that was withdrawn', () => {
    const bench = new Bench(1).request('a1', 'a2', 'b1');
    bench.slots.withdraw('a', 'a2');
    bench.slots.withdraw('b', 'b1');
    bench.slots.withdraw('c', 'c1');
    bench.slots.release('a', true);
    expect(bench.started).toEqual(['a1']);
    expect(bench.slots.taken).toBe(0);
  });
});
