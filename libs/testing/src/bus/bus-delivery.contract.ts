import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { TaskState, isTerminal } from 'nestjs-a2a/protocol';
import type { BusTest } from './bus-bench.js';
import { lastEvent, sampleEvent, sampleKey } from './sample-events.js';

/** Order, each once, and the end. */
export function deliveryContract(it: BusTest): void {
  it('hands events to a subscriber in order, each once, and completes after the last', async (bench) => {
    const reader = await bench.join();
    await bench.publish(1, 9);
    await bench.expect(reader, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await bench.publishLast(10);
    await bench.expect(reader, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 'end']);
  });

  it('keeps the order of events that are published without waiting in between', async (bench) => {
    const reader = await bench.join();
    const sent = Array.from({ length: 50 }, (_, index) => bench.bus.publish(bench.key, sampleEvent(index + 1)));
    await Promise.all([...sent, bench.bus.publish(bench.key, lastEvent(51))]);
    await bench.expect(reader, [...sent.map((_, index) => index + 1), 51, 'end']);
  });

  it('hands an event over as it is: number, payload, state and size', async (bench) => {
    const reader = await bench.join();
    const events = [sampleEvent(1), sampleEvent(2, TaskState.INPUT_REQUIRED), lastEvent(3)];
    for (const event of events) await bench.bus.publish(bench.key, event);
    await bench.expect(reader, [1, 2, 3, 'end']);
    const late = await bench.join();
    await bench.expect(late, [1, 2, 3, 'end']);
    for (const seen of [reader, late]) {
      deepStrictEqual(
        seen.events.map(({ payload, state, bytes, last, json }) => [payload, state, bytes, last, JSON.parse(json)]),
        events.map(({ payload, state, bytes, last }) => [payload, state, bytes, last, payload]),
      );
    }
  });

  it('gives every subscriber every event', async (bench) => {
    const readers = Array.from({ length: 20 }, () => bench.read());
    await bench.settle();
    await bench.publish(1, 3);
    await bench.publishLast(4);
    for (const reader of readers) await bench.expect(reader, [1, 2, 3, 4, 'end']);
  });

  for (const state of Object.values(TaskState)) {
    if (state === TaskState.UNSPECIFIED) continue;
    it(`${isTerminal(state) ? 'completes' : 'stays open'} after an event that makes the task ${state}`, async (bench) => {
      const reader = await bench.join();
      await bench.bus.publish(bench.key, sampleEvent(1, state));
      await bench.expect(reader, isTerminal(state) ? [1, 'end'] : [1]);
    });
  }

  it('keeps agents, tenants and ids apart', async (bench) => {
    const { key } = bench;
    const keys = [
      key,
      { ...key, tenant: 'x' },
      { ...key, agent: 'x' },
      { ...key, agent: 'x', tenant: 'x' },
      sampleKey(),
      { ...key, tenant: key.id.slice(0, 1), id: key.id.slice(1) },
      { ...key, tenant: '%|:*', id: key.id },
    ];
    const readers = keys.map((other) => bench.read(0, other));
    await bench.settle();
    for (const [index, other] of keys.entries()) await bench.publish(1, index, other);
    for (const [index, reader] of readers.entries()) {
      await bench.expect(
        reader,
        Array.from({ length: index }, (_, sequence) => sequence + 1),
        `the reader of ${index}`,
      );
    }
    await bench.publishLast(2, keys[1]);
    for (const [index, reader] of readers.entries()) strictEqual(reader.seen.includes('end'), index === 1);
  });

  it('leaves a subscriber of a task that nobody publishes for waiting', async (bench) => {
    const reader = await bench.join(7);
    await bench.expect(reader, []);
    strictEqual(bench.bus.gauges().subscribers, 1);
  });

  it('gives a subscriber nothing up to the number it has seen, also when that comes later', async (bench) => {
    const reader = await bench.join(3);
    await bench.publish(1, 5);
    await bench.publishLast(6);
    await bench.expect(reader, [4, 5, 6, 'end']);
  });
}
