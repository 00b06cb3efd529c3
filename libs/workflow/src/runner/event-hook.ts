import { isRecord } from 'nestjs-a2a/protocol';
import { callSafely } from '../call-safely.js';
import type { PlainEvent } from './plain-event.js';

/**
 * Changes events before they are told and collected: `null` drops one, a list stands for several, an object replaces it,
 * anything else drops it, a promise among it. When it throws, the event stays as it was.
 *
 * @publicApi
 */
export type EventHook = (event: PlainEvent) => unknown;

/** What the hook makes of an event, each with a type and data. */
export function applyHook(
  event: PlainEvent,
  hook: EventHook | undefined,
  onError: (error: unknown) => void,
): readonly PlainEvent[] {
  if (hook === undefined) return [event];
  let made: unknown = event;
  callSafely(() => (made = hook(event)), onError);
  return (Array.isArray(made) ? made : [made]).filter(isChange).map((changed) => completed(changed, event));
}

function completed(changed: Readonly<Record<string, unknown>>, original: PlainEvent): PlainEvent {
  const { type, data, timestamp } = changed;
  return {
    ...changed,
    type: typeof type === 'string' ? type : original.type,
    data: isChange(data) ? data : {},
    timestamp: typeof timestamp === 'number' ? timestamp : original.timestamp,
  };
}

function isChange(value: unknown): value is Readonly<Record<string, unknown>> {
  // A promise comes too late to change anything.
  return isRecord(value) && !(value instanceof Promise);
}
