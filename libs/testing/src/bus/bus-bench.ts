import type { TaskEvent, TaskEventBus } from 'nestjs-a2a';
import { EventReader } from './event-reader.js';
import { lastEvent, sampleEvent, sampleKey } from './sample-events.js';

/** How a bench waits. */
export interface BenchWaits {
  readonly settle: () => Promise<void>;
  readonly patienceMillis: number;
}

/** A bus under test, one task of its own, and what is asked of it again and again. */
export class BusBench {
  readonly key = sampleKey();
  private readonly readers: EventReader[] = [];

  constructor(
    readonly bus: TaskEventBus,
    private readonly waits: BenchWaits,
  ) {}

  read(after = 0, key = this.key, onEvent?: (event: TaskEvent, reader: EventReader) => void): EventReader {
    const reader = new EventReader(this.bus.subscribe(key, after), onEvent);
    this.readers.push(reader);
    return reader;
  }

  /** As {@link read}, and waits until a bus that has to tell others of it has done so. */
  async join(after = 0, key = this.key): Promise<EventReader> {
    const reader = this.read(after, key);
    await this.settle();
    return reader;
  }

  /** Publishes events with these numbers, in order. */
  async publish(from: number, to: number, key = this.key): Promise<void> {
    for (let sequence = from; sequence <= to; sequence++) await this.bus.publish(key, sampleEvent(sequence));
  }

  async publishLast(sequence: number, key = this.key): Promise<void> {
    await this.bus.publish(key, lastEvent(sequence));
  }

  /** This and no more must be what the reader sees. */
  async expect(reader: EventReader, expected: readonly (number | string)[], what?: string): Promise<void> {
    await reader.reach(expected.length, this.waits.patienceMillis);
    await this.settle();
    reader.expect(expected, what);
  }

  settle(): Promise<void> {
    return this.waits.settle();
  }

  leaveAll(): void {
    for (const reader of this.readers) reader.leave();
  }
}

/** Registers one test of the contract. */
export type BusTest = (name: string, test: (bench: BusBench) => Promise<void>) => void;
