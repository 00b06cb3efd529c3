import { map, type Observable, ReplaySubject, Subject } from 'rxjs';
import type { WorkflowEvent } from '../control/event-data.js';
import { WorkflowStateError } from '../errors/workflow.error.js';

/** How many events a reader may be behind. */
const MAX_BEHIND = 10_000;

/**
 * An event of a run and its number, counted from 1.
 *
 * @publicApi
 */
export interface NumberedEvent {
  readonly number: number;
  readonly event: WorkflowEvent;
}

/** Hands the events of a run to whoever reads them. None waits for another, and the run waits for none. */
export class EventFeed {
  readonly numbered$: Observable<NumberedEvent>;
  readonly events$: Observable<WorkflowEvent>;
  private readonly subject: Subject<NumberedEvent>;
  private count = 0;

  /** @param kept so many of the last events are told to those who come late */
  constructor(kept: number) {
    this.subject = kept > 0 ? new ReplaySubject<NumberedEvent>(kept) : new Subject<NumberedEvent>();
    this.numbered$ = this.subject.asObservable();
    this.events$ = this.subject.pipe(map(({ event }) => event));
  }

  next(event: WorkflowEvent): void {
    this.count += 1;
    this.subject.next({ number: this.count, event });
  }

  complete(): void {
    this.subject.complete();
  }

  /** From now on, until the run has ended or the reader leaves. */
  events(): AsyncIterableIterator<WorkflowEvent> {
    return new EventReader(this.events$);
  }
}

class EventReader implements AsyncIterableIterator<WorkflowEvent> {
  private readonly buffer: WorkflowEvent[] = [];
  private readonly waiting: { resolve(result: IteratorResult<WorkflowEvent>): void; reject(error: unknown): void }[] =
    [];
  private readonly subscription;
  private isOver = false;
  private failure: WorkflowStateError | undefined;

  constructor(events$: Observable<WorkflowEvent>) {
    this.subscription = events$.subscribe({ next: (event) => this.push(event), complete: () => this.end() });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<WorkflowEvent>> {
    const event = this.buffer.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    if (this.failure !== undefined) {
      const { failure } = this;
      this.failure = undefined;
      return Promise.reject(failure);
    }
    if (this.isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<WorkflowEvent>> {
    this.buffer.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  private push(event: WorkflowEvent): void {
    const reader = this.waiting.shift();
    if (reader !== undefined) return reader.resolve({ done: false, value: event });
    this.buffer.push(event);
    if (this.buffer.length <= MAX_BEHIND) return;
    this.buffer.length = 0;
    this.failure = new WorkflowStateError(`The reader of a run's events fell more than ${MAX_BEHIND} events behind`);
    this.end();
  }

  private end(): void {
    this.isOver = true;
    this.subscription?.unsubscribe();
    for (const reader of this.waiting.splice(0)) reader.resolve({ done: true, value: undefined });
  }
}
