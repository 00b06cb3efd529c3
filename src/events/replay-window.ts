import type { TaskEvent } from './task-event.js';

const FIRST_CAPACITY = 4;

/**
 * The latest events of one task, without gaps. A ring whose places follow from the sequence numbers, so that adding,
 * dropping the oldest and finding one cost the same however many there are.
 */
export class ReplayWindow {
  private slots: (TaskEvent | undefined)[] = [];
  private first = 0;
  private count = 0;
  private held = 0;

  constructor(
    private readonly maxEvents: number,
    private readonly maxBytes: number,
  ) {}

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return this.held;
  }

  /** Adds the next event, and drops the oldest ones until the bounds hold: all of them if need be. */
  push(event: TaskEvent): void {
    // Across a gap the older events are of no use: who continued from them would miss some without knowing.
    if (event.sequence !== this.first + this.count) this.clear();
    if (this.count === 0) this.first = event.sequence;
    else if (this.count >= this.maxEvents) this.dropOldest();
    if (this.count === this.slots.length) this.grow();
    this.slots[this.slotOf(event.sequence)] = event;
    this.count++;
    this.held += event.bytes;
    while (this.count > 0 && (this.count > this.maxEvents || this.held > this.maxBytes)) this.dropOldest();
  }

  /** Whether every event from `after + 1` to `latest` is held. */
  covers(after: number, latest: number): boolean {
    return this.count > 0 && this.first <= after + 1 && latest < this.first + this.count;
  }

  /** The events with a number above `after`. */
  since(after: number): TaskEvent[] {
    const events: TaskEvent[] = [];
    const end = this.first + this.count;
    for (let sequence = Math.max(this.first, after + 1); sequence < end; sequence++) {
      const event = this.slots[this.slotOf(sequence)];
      if (event) events.push(event);
    }
    return events;
  }

  clear(): void {
    this.slots = [];
    this.count = 0;
    this.held = 0;
  }

  private dropOldest(): void {
    const slot = this.slotOf(this.first);
    this.held -= this.slots[slot]?.bytes ?? 0;
    this.slots[slot] = undefined;
    this.first++;
    this.count--;
  }

  private grow(): void {
    const events = this.since(0);
    const { length } = this.slots;
    this.slots = Array.from<TaskEvent | undefined>({ length: length === 0 ? FIRST_CAPACITY : length * 2 });
    for (const event of events) this.slots[this.slotOf(event.sequence)] = event;
  }

  private slotOf(sequence: number): number {
    return sequence & (this.slots.length - 1);
  }
}
