import { deepStrictEqual } from 'node:assert/strict';
import type { TaskEvent } from 'nestjs-a2a';
import type { Observable, Subscription } from 'rxjs';

// Taken before a test puts fake ones in their place.
const { setTimeout: later, clearTimeout: forget } = globalThis;

/** What one subscriber saw: the numbers of the events, then `end`, or `error:` and the message. */
export class EventReader {
  readonly seen: (number | string)[] = [];
  readonly events: TaskEvent[] = [];
  private readonly subscription: Subscription;
  private changed: () => void = () => undefined;

  /** @param onEvent what the subscriber does with each event, after it has been noted */
  constructor(events: Observable<TaskEvent>, onEvent?: (event: TaskEvent, reader: EventReader) => void) {
    this.subscription = events.subscribe({
      next: (event) => {
        this.events.push(event);
        this.note(event.sequence);
        onEvent?.(event, this);
      },
      error: (error: unknown) => this.note(`error: ${error instanceof Error ? error.message : String(error)}`),
      complete: () => this.note('end'),
    });
  }

  leave(): void {
    this.subscription.unsubscribe();
  }

  /** Resolves when so many things were seen, or when patience is over: the caller then compares what there is. */
  async reach(count: number, patienceMillis: number): Promise<void> {
    if (this.seen.length >= count) return;
    await new Promise<void>((resolve) => {
      const timer = later(resolve, patienceMillis);
      this.changed = () => {
        if (this.seen.length < count) return;
        forget(timer);
        resolve();
      };
    });
  }

  /** This and no more must have been seen. */
  expect(expected: readonly (number | string)[], what = 'what the subscriber saw'): void {
    deepStrictEqual(this.seen, expected, `${what}: [${this.seen.join(', ')}], expected [${expected.join(', ')}]`);
  }

  private note(what: number | string): void {
    this.seen.push(what);
    this.changed();
  }
}
