import type { A2AError } from 'nestjs-a2a/protocol';
import { Subject, type Subscriber } from 'rxjs';
import type { TaskKey } from '../tasks/task-record.js';
import type { ChannelOrder, Ordered } from './channel-order.js';
import type { ReplayWindow } from './replay-window.js';
import type { TaskEvent } from './task-event.js';

/** One task's events on their way to its subscribers. */
export class TaskChannel implements Ordered<TaskChannel> {
  /** How many are subscribed, those that still replay included. */
  subscribers = 0;
  /** The number of the latest event, 0 before the first. */
  latest = 0;
  /** Set by the last event. */
  ended = false;
  /** When the window may go, in milliseconds since the epoch; undefined while a run is live. */
  graceUntil: number | undefined;
  /** Kept by {@link ChannelOrder}, which alone may change these three. */
  order: ChannelOrder<TaskChannel> | undefined;
  previous: TaskChannel | undefined;
  following: TaskChannel | undefined;
  // Made at the first subscriber: most tasks of a blocking server never have one.
  private live: Subject<TaskEvent> | undefined;
  private waiting: TaskEvent[] | undefined;

  constructor(
    readonly key: TaskKey,
    readonly window: ReplayWindow,
  ) {}

  /** Hands an event to the subscribers, and completes them after the last one. */
  deliver(event: TaskEvent): void {
    // A subscriber that publishes from inside its own `next` would otherwise overtake the event being handed out.
    if (this.waiting) {
      this.waiting.push(event);
      return;
    }
    if (!this.live) return;
    this.waiting = [event];
    try {
      for (const next of this.waiting) {
        this.live.next(next);
        if (next.last) this.live.complete();
      }
    } finally {
      this.waiting = undefined;
    }
  }

  /** Gives a subscriber what the window holds above `after`, then what comes. */
  join(after: number, subscriber: Subscriber<TaskEvent>): void {
    let seen = after;
    let early: TaskEvent[] | undefined = [];
    let finish: (() => void) | undefined;
    const pass = (event: TaskEvent): void => {
      // What is replayed from the window may still be on its way to the subscribers as well.
      if (event.sequence <= seen) return;
      seen = event.sequence;
      subscriber.next(event);
    };
    const end = (ending: () => void): void => {
      if (early) finish = ending;
      else ending();
    };
    const replayed = this.window.since(after);
    if (this.ended && !this.waiting) end(() => subscriber.complete());
    else {
      this.live ??= new Subject<TaskEvent>();
      const subscription = this.live.subscribe({
        next: (event) => (early ? early.push(event) : pass(event)),
        error: (error: unknown) => end(() => subscriber.error(error)),
        complete: () => end(() => subscriber.complete()),
      });
      subscriber.add(subscription);
    }
    for (const event of replayed) {
      if (subscriber.closed) return;
      pass(event);
    }
    // What the subscriber itself publishes meanwhile is added behind, and handed out by this same loop.
    for (const event of early) pass(event);
    early = undefined;
    finish?.();
  }

  /** Ends all subscriptions: with an error if there is one. */
  close(error?: A2AError): void {
    this.ended = true;
    if (error) this.live?.error(error);
    else this.live?.complete();
  }
}
