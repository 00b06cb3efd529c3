import type { WorkflowEvent } from '../control/event-data.js';
import { jsonSafeMembers } from './json-safe.js';

/**
 * An event as it leaves a run: plain JSON, whatever was in it.
 *
 * @publicApi
 */
export interface PlainEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds since 1970, with fractions. */
  readonly timestamp: number;
}

/**
 * Makes plain JSON of an event: what has no JSON form becomes text, and signals are left out.
 *
 * @publicApi
 */
export function plainEvent({ type, data, timestamp }: WorkflowEvent): PlainEvent {
  return { type, data: jsonSafeMembers(data), timestamp };
}
