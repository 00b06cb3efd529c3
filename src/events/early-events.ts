import { Observable, type Subscriber, type Subscription } from 'rxjs';
import type { TaskEvent } from './task-event.js';

const MAX_EVENTS = 4096;

/**
 * Keeps a task's events for a reader who is about to come: a run may begin, and even end, before the stream that was
 * asked for is read.
 */
export class EarlyEvents {
  private kept: TaskEvent[] = [];
  private reader: Subscriber<TaskEvent> | undefined;
  private finish: ((reader: Subscriber<TaskEvent>) => void) | undefined;
  private overflowed = false;
  private readonly subscription: Subscription;

  constructor(source: Observable<TaskEvent>) {
    this.subscription = source.subscribe({
      next: (event) => this.take(event),
      error: (error: unknown) => this.end((reader) => reader.error(error)),
      complete: () => this.end((reader) => reader.complete()),
    });
  }

  /** False when so much has happened before the reader came that it is better served with the task as it is. */
  get complete(): boolean {
    return !this.overflowed;
  }

  /** The kept events, then what comes. For one reader, once. */
  readonly events = new Observable<TaskEvent>((reader) => {
    // What comes in while these are handed out is added behind.
    for (const event of this.kept) reader.next(event);
    this.kept = [];
    this.reader = reader;
    this.finish?.(reader);
    return () => this.close();
  });

  close(): void {
    this.kept = [];
    this.subscription.unsubscribe();
  }

  private take(event: TaskEvent): void {
    if (this.reader !== undefined) {
      this.reader.next(event);
      return;
    }
    this.kept.push(event);
    if (this.kept.length <= MAX_EVENTS) return;
    this.overflowed = true;
    this.close();
  }

  private end(finish: (reader: Subscriber<TaskEvent>) => void): void {
    if (this.reader === undefined) this.finish = finish;
    else finish(this.reader);
  }
}
