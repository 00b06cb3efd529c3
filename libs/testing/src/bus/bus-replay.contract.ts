import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { BusTest } from './bus-bench.js';
import { sampleKey } from './sample-events.js';

/** What is kept for readers who come late or come back. */
export function replayContract(it: BusTest, windowEvents: number): void {
  for (const [after, expected] of [
    [0, [1, 2, 3, 4, 5, 'end']],
    [1, [2, 3, 4, 5, 'end']],
    [3, [4, 5, 'end']],
    [4, [5, 'end']],
  ] as const) {
    it(`gives one who has seen ${after} of 3 what was kept, then what comes, each once`, async (bench) => {
      await bench.publish(1, 3);
      const reader = await bench.join(after);
      await bench.publish(4, 4);
      await bench.publishLast(5);
      await bench.expect(reader, expected);
    });
  }

  it('awaits the events of a task that has a reader, or one who may come back', async (bench) => {
    const reader = await bench.join();
    strictEqual(bench.bus.awaits(bench.key), true, 'with a reader');
    await bench.publish(1, 1);
    reader.leave();
    await bench.settle();
    strictEqual(bench.bus.awaits(bench.key), true, 'with a reader who has left in the middle');
    await bench.publishLast(2);
    await bench.expect(await bench.join(1), [2, 'end']);
  });

  it('loses and repeats nothing for those who come while it publishes', async (bench) => {
    const readers = [];
    for (let sequence = 1; sequence <= 12; sequence++) {
      readers.push(bench.read());
      await bench.publish(sequence, sequence);
    }
    await bench.publishLast(13);
    for (const reader of readers) await bench.expect(reader, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 'end']);
  });

  for (const [name, after, expected] of [
    ['nothing was seen', 0, [1, 2, 3, 'end']],
    ['all but the last was seen', 2, [3, 'end']],
    ['the last one was seen', 3, ['end']],
    ['a number was seen that never was', 99, ['end']],
  ] as const) {
    it(`gives the rest and completes at once after the last event, when ${name}`, async (bench) => {
      await bench.publish(1, 2);
      await bench.publishLast(3);
      await bench.settle();
      const reader = bench.read(after);
      await bench.expect(reader, expected);
      strictEqual(bench.bus.gauges().subscribers, 0, 'a subscription that is over is not counted');
    });
  }

  for (const [name, after, latest, covered] of [
    ['all of it', 0, 5, true],
    ['some of it', 3, 5, true],
    ['what came before others', 1, 3, true],
    ['nothing at all', 5, 5, true],
    ['one who is ahead', 9, 5, true],
    ['more than was published', 3, 6, false],
    ['what is yet to come', 5, 6, false],
  ] as const) {
    it(`${covered ? 'covers' : 'does not cover'} ${name}`, async (bench) => {
      await bench.publish(1, 5);
      await bench.settle();
      strictEqual(await bench.bus.covers(bench.key, after, latest), covered);
      strictEqual(await bench.bus.covers(sampleKey(), after, latest), after >= latest, 'of a task that is not known');
    });
  }

  it('covers a task of this agent and tenant, and not its namesakes', async (bench) => {
    await bench.publish(1, 2);
    await bench.settle();
    deepStrictEqual(
      [
        await bench.bus.covers(bench.key, 0, 2),
        await bench.bus.covers({ ...bench.key, tenant: 'x' }, 0, 2),
        await bench.bus.covers({ ...bench.key, agent: 'x' }, 0, 2),
      ],
      [true, false, false],
    );
  });

  it('does not cover across a gap in the numbers', async (bench) => {
    await bench.publish(1, 3);
    await bench.publish(5, 6);
    await bench.settle();
    const { bus, key } = bench;
    deepStrictEqual([await bus.covers(key, 2, 6), await bus.covers(key, 4, 6)], [false, true]);
  });

  it('covers no more than it replays, however much was published', async (bench) => {
    await bench.publish(1, windowEvents);
    await bench.settle();
    const places = [0, 1, windowEvents >> 1, windowEvents - 17, windowEvents - 1];
    const covered = [];
    for (const after of places) {
      if (!(await bench.bus.covers(bench.key, after, windowEvents))) continue;
      covered.push(after);
      const reader = bench.read(after);
      await bench.expect(
        reader,
        Array.from({ length: windowEvents - after }, (_, index) => after + 1 + index),
        `one who had seen ${after}, which covers() says is enough`,
      );
      reader.leave();
    }
    ok(covered.includes(windowEvents - 17), 'the window holds fewer than 16 small events');
  });

  it('tells how much it keeps, and that it keeps nothing of a task that is not known', async (bench) => {
    const { bus } = bench;
    const before = bus.gauges();
    await bus.covers(sampleKey(), 0, 5);
    bus.release(sampleKey());
    deepStrictEqual(bus.gauges(), before);
    await bench.publish(1, 3);
    await bench.settle();
    const after = bus.gauges();
    ok(after.tasks > before.tasks, 'a task with a window is counted');
    ok(after.replayBytes > before.replayBytes, 'the bytes of a window are counted');
  });
}
