import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { UnavailableError } from 'nestjs-a2a/protocol';
import type { BusTest } from './bus-bench.js';
import { sampleKey } from './sample-events.js';

const MESSAGE = 'The task could not be stored';

/** What happens when a writer fails or has nothing more to say. */
export function failureContract(it: BusTest): void {
  it('fail ends the subscriptions of that task with the error, after what was published', async (bench) => {
    const other = sampleKey();
    const readers = [bench.read(), bench.read(1)];
    const neighbour = bench.read(0, other);
    await bench.settle();
    await bench.publish(1, 2);
    bench.bus.fail(bench.key, new UnavailableError(MESSAGE));
    const [first, second] = readers;
    if (first) await bench.expect(first, [1, 2, `error: ${MESSAGE}`]);
    if (second) await bench.expect(second, [2, `error: ${MESSAGE}`]);
    await bench.publish(1, 1, other);
    await bench.expect(neighbour, [1], 'the reader of another task');
    strictEqual(bench.bus.gauges().subscribers, 1);
  });

  it('fail drops what was kept of that task, and only of that', async (bench) => {
    const other = sampleKey();
    await bench.publish(1, 3);
    await bench.publish(1, 3, other);
    bench.bus.fail(bench.key, new UnavailableError(MESSAGE));
    await bench.settle();
    const { bus, key } = bench;
    deepStrictEqual([await bus.covers(key, 0, 3), await bus.covers(other, 0, 3)], [false, true]);
    await bench.expect(await bench.join(), [], 'one who subscribes after fail');
  });

  it('delivers again after fail, under numbers that were seen but never stored', async (bench) => {
    const before = await bench.join();
    await bench.publish(1, 3);
    await bench.expect(before, [1, 2, 3]);
    bench.bus.fail(bench.key, new UnavailableError(MESSAGE));
    await bench.settle();
    const reader = await bench.join(1);
    await bench.publish(2, 3);
    await bench.publishLast(4);
    await bench.expect(reader, [2, 3, 4, 'end']);
    before.expect([1, 2, 3, `error: ${MESSAGE}`]);
  });

  it('fail of a task that is not known does nothing', async (bench) => {
    const before = bench.bus.gauges();
    bench.bus.fail(sampleKey(), new UnavailableError(MESSAGE));
    await bench.settle();
    deepStrictEqual(bench.bus.gauges(), before);
  });

  it('release takes nothing from subscribers, nor, for a while, from those who come back', async (bench) => {
    const reader = await bench.join();
    await bench.publish(1, 2);
    bench.bus.release(bench.key);
    bench.bus.release(bench.key);
    await bench.settle();
    strictEqual(await bench.bus.covers(bench.key, 0, 2), true, 'the window outlives release');
    const late = await bench.join(1);
    await bench.publish(3, 3);
    await bench.publishLast(4);
    await bench.expect(reader, [1, 2, 3, 4, 'end']);
    await bench.expect(late, [2, 3, 4, 'end']);
  });
}
