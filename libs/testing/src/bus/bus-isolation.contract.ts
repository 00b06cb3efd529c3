import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { BusTest } from './bus-bench.js';
import { unhandledIn } from './unhandled-errors.js';
import type { EventReader } from './event-reader.js';
import { lastEvent, sampleEvent, UnreadEvent } from './sample-events.js';

/** Subscribers that leave, throw, publish and subscribe from inside a delivery. */
export function isolationContract(it: BusTest, serialises: boolean): void {
  it('counts subscribers as they come and go', async (bench) => {
    const { bus } = bench;
    const idle = bus.gauges();
    const [first, second] = [bench.read(), bench.read()];
    strictEqual(bus.gauges().subscribers, idle.subscribers + 2);
    first.leave();
    first.leave();
    strictEqual(bus.gauges().subscribers, idle.subscribers + 1);
    second.leave();
    await bench.settle();
    deepStrictEqual(bus.gauges(), idle, 'a task without events and without subscribers leaves nothing behind');
  });

  it('lets a subscriber go without a word to the others', async (bench) => {
    const [stays, leaves, alsoStays] = [bench.read(), bench.read(), bench.read()];
    await bench.settle();
    await bench.publish(1, 1);
    for (const reader of [stays, leaves, alsoStays]) await bench.expect(reader, [1]);
    leaves.leave();
    await bench.publish(2, 2);
    await bench.publishLast(3);
    for (const reader of [stays, alsoStays]) await bench.expect(reader, [1, 2, 3, 'end']);
    leaves.expect([1]);
  });

  it('stands subscribers that leave, or make others leave, while it delivers', async (bench) => {
    const others: EventReader[] = [];
    const before = bench.read();
    const leaving = bench.read(0, bench.key, (_event, reader) => {
      reader.leave();
      for (const other of others) other.leave();
    });
    others.push(bench.read());
    const after = bench.read();
    await bench.settle();
    await bench.publish(1, 3);
    for (const reader of [before, after]) await bench.expect(reader, [1, 2, 3]);
    leaving.expect([1]);
    for (const other of others) ok(other.seen.length <= 1, 'who was made to leave hears no more');
    strictEqual(bench.bus.gauges().subscribers, 2);
  });

  it('lets nothing that a subscriber throws reach the writer or the others', async (bench) => {
    const uncaught = await unhandledIn(async () => {
      const before = bench.read();
      bench.bus.subscribe(bench.key, 0).subscribe({
        next: () => {
          throw new Error('a fault of one subscriber, on purpose');
        },
        error: () => undefined,
      });
      const after = bench.read();
      await bench.settle();
      await bench.publish(1, 2);
      await bench.publishLast(3);
      for (const reader of [before, after]) await bench.expect(reader, [1, 2, 3, 'end']);
    });
    deepStrictEqual(uncaught, [], 'RxJS throws what a subscriber throws where nobody can catch it');
  });

  it('keeps the order for all when a subscriber publishes from inside a delivery', async (bench) => {
    const { bus, key } = bench;
    const before = bench.read();
    bench.read(0, key, ({ sequence }) => {
      if (sequence < 4) void bus.publish(key, sequence === 3 ? lastEvent(4) : sampleEvent(sequence + 1));
    });
    const after = bench.read();
    await bench.settle();
    await bench.publish(1, 1);
    for (const reader of [before, after]) await bench.expect(reader, [1, 2, 3, 4, 'end']);
  });

  it('keeps the order when a subscriber publishes while older events are replayed to it', async (bench) => {
    const { bus, key } = bench;
    await bench.publish(1, 3);
    const other = await bench.join(2);
    const reader = bench.read(0, key, ({ sequence }) => {
      if (sequence === 1) void bus.publish(key, sampleEvent(4));
      if (sequence === 4) void bus.publish(key, lastEvent(5));
    });
    await bench.expect(reader, [1, 2, 3, 4, 5, 'end']);
    await bench.expect(other, [3, 4, 5, 'end']);
  });

  it('gives one who subscribes from inside a delivery each event once', async (bench) => {
    const late: EventReader[] = [];
    bench.read(0, bench.key, ({ sequence }) => {
      if (sequence === 2) late.push(bench.read(), bench.read(2));
    });
    await bench.settle();
    await bench.publish(1, 3);
    await bench.publishLast(4);
    const [fromStart, fromTwo] = late;
    ok(fromStart && fromTwo, 'the event was delivered');
    await bench.expect(fromStart, [1, 2, 3, 4, 'end']);
    await bench.expect(fromTwo, [3, 4, 'end']);
  });

  it('does not deliver to one who left before an event was published', async (bench) => {
    const reader = await bench.join();
    reader.leave();
    await bench.publish(1, 2);
    await bench.settle();
    reader.expect([]);
  });

  if (serialises) return;

  it('makes no JSON of an event that nobody reads', async (bench) => {
    const events = [new UnreadEvent(1), new UnreadEvent(2)];
    for (const event of events) await bench.bus.publish(bench.key, event);
    const reader = await bench.join();
    await bench.expect(reader, [1, 2]);
    await bench.bus.covers(bench.key, 0, 2);
    bench.bus.gauges();
    bench.bus.release(bench.key);
    deepStrictEqual(
      events.map(({ asked }) => asked),
      [0, 0],
      'the JSON was made before a reader asked for it',
    );
  });
}
