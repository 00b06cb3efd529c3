import { callSafely } from '../call-safely.js';
import type { EmitEvent } from '../control/event-callback.js';
import type { EventData, WorkflowEvent } from '../control/event-data.js';
import type { EventType } from '../control/event-type.js';
import { EventFeed } from './event-feed.js';
import { applyHook, type EventHook } from './event-hook.js';
import { type PlainEvent, plainEvent } from './plain-event.js';

/** How many events are kept for `onFinish`; of more, the streamed updates of agents leave first. */
const MAX_KEPT = 10_000;

/**
 * Told of the events of a run, as plain JSON, after the hook has changed them. It is not waited for; what it throws is
 * reported and has no effect.
 *
 * @publicApi
 */
export interface PlainEventCallback {
  onEvent(type: string, data: object): void;
}

/** Who is told of the events of a run. */
export interface RunEventsOptions {
  eventCallback?: PlainEventCallback;
  onEvent?: EventHook;
  /** Keep the events, for `onFinish`. */
  keep: boolean;
  /** So many of the last events are told to readers who come late. Default: none. */
  keptForReaders?: number;
  onError(error: unknown): void;
}

/** The events of one run: makes plain JSON of them, and hands them to callback, hook and readers. */
export class RunEvents {
  readonly feed: EventFeed;
  private readonly kept: PlainEvent[] = [];
  private keptUpdates = 0;

  constructor(private readonly options: RunEventsOptions) {
    this.feed = new EventFeed(options.keptForReaders ?? 0);
  }

  readonly emit: EmitEvent = <T extends EventType>(type: T, data: EventData[T]): void => {
    const { eventCallback, onEvent, keep, onError } = this.options;
    const event = eventOf(type, data);
    this.feed.next(event);
    if (eventCallback === undefined && onEvent === undefined && !keep) return;
    for (const changed of applyHook(plainEvent(event), onEvent, onError)) {
      if (keep) this.keep(changed);
      callSafely(() => eventCallback?.onEvent(changed.type, changed.data), onError);
    }
  };

  get snapshot(): readonly PlainEvent[] {
    return Object.freeze([...this.kept]);
  }

  private keep(event: PlainEvent): void {
    this.kept.push(event);
    if (isUpdate(event.type)) this.keptUpdates += 1;
    if (this.kept.length <= MAX_KEPT) return;
    if (this.keptUpdates === 0) {
      this.kept.shift();
      return;
    }
    this.keptUpdates -= 1;
    this.kept.splice(
      this.kept.findIndex(({ type }) => isUpdate(type)),
      1,
    );
  }
}

function eventOf<T extends EventType>(type: T, data: EventData[T]): WorkflowEvent {
  // Frozen, since all observers are given the same one. The data is a copy: a client of the host may keep its own.
  const event = { type, data: Object.freeze({ ...data }), timestamp: Date.now() / 1000 };
  // The compiler does not follow that type and data belong together.
  return Object.freeze(event) as WorkflowEvent;
}

function isUpdate(type: string): boolean {
  return type === 'agent_artifact_update' || type === 'agent_status_update' || type === 'agent_message_event';
}
