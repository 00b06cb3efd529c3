import type { A2AError } from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import type { TaskKey } from '../tasks/task-record.js';
import type { TaskEvent } from './task-event.js';

/**
 * Carries the events of tasks from their one writer to any number of readers, and keeps the latest ones for readers
 * that were cut off. The class is its own injection token.
 *
 * @publicApi
 */
export abstract class TaskEventBus {
  /**
   * Hands an event to every subscriber and keeps it in the task's replay window. Called in the order of the sequence
   * numbers, without gaps from the first one on that it {@link awaits}, by one writer a task. Never waits for a reader;
   * what a reader throws does not reach the caller. After an event that is {@link TaskEvent.last} the task's
   * subscriptions complete. When it throws or rejects, the task goes on, and {@link fail} is called.
   */
  abstract publish(key: TaskKey, event: TaskEvent): void | Promise<void>;

  /**
   * The events with a number above `after`: first those still in the replay window, then what comes. In order, each
   * once. Completes after the task's last event; when that one was published before and is not above `after`, at once.
   * Subscribing and unsubscribing touch no other subscriber and never the task.
   */
  abstract subscribe(key: TaskKey, after: number): Observable<TaskEvent>;

  /**
   * Whether the replay window still holds every event from `after + 1` to `latest`, so that a reader who saw `after`
   * misses nothing by subscribing.
   */
  abstract covers(key: TaskKey, after: number, latest: number): boolean | Promise<boolean>;

  /**
   * Whether anybody may want the events of a task: a subscriber, here or in another process, or one who may come back.
   * While nobody does, and no stream is about to begin, the task's writer publishes nothing. Default: always.
   */
  awaits(_key: TaskKey): boolean {
    return true;
  }

  /**
   * Ends the task's subscriptions with an error, and drops its window: its writer could not store it. The task may get
   * events again later.
   */
  abstract fail(key: TaskKey, error: A2AError): void;

  /** Tells that no run of this task is live: after `replayGraceSeconds` without new events the window may be dropped. */
  abstract release(key: TaskKey): void;

  /** How many tasks have a window or a subscriber, how many subscribers there are, and the bytes kept for replay. */
  abstract gauges(): { readonly tasks: number; readonly subscribers: number; readonly replayBytes: number };
}
