import type { EventData } from './event-data.js';
import type { EventType } from './event-type.js';

/**
 * Told of events as they happen. It is called in the middle of the work and not waited for: be quick. What it throws is
 * logged and has no effect.
 *
 * @publicApi
 */
export interface EventCallback {
  onEvent<T extends EventType>(type: T, data: EventData[T]): void;
}

/** Tells an event: what the parts of the engine are handed. */
export type EmitEvent = EventCallback['onEvent'];
