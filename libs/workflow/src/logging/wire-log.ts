import { callSafely } from '../call-safely.js';
import type { JsonValue } from 'nestjs-a2a/protocol';
import { classNameOf, messageOf } from '../errors/causes.js';
import { oneLine, redactDetail, redactValue } from '../errors/redaction.js';

/**
 * What an exchange with an agent belongs to.
 *
 * @publicApi
 */
export interface WireCorrelation {
  readonly executionId?: string;
  /** The engine's own id of the subtask. */
  readonly logicalTaskId?: string;
  /** Which send of its interaction it is; counts from 1. */
  readonly attempt?: number;
  readonly contextId?: string;
}

/**
 * One thing that went over the wire.
 *
 * @publicApi
 */
export interface WireEntry extends WireCorrelation {
  readonly direction: 'request' | 'response' | 'event' | 'error';
  readonly agent: string;
  /** As the protocol calls it, e.g. `message:stream`. */
  readonly operation: string;
  /** Without secrets; long texts are cut. */
  readonly body: JsonValue;
}

/**
 * Takes what went over the wire.
 *
 * @publicApi
 */
export type WireSink = (entry: WireEntry) => void;

/**
 * A log of what goes to agents and comes from them, apart from every other log. Off unless it is given a sink.
 *
 * @publicApi
 */
export class WireLog {
  /** Writes nothing. */
  static readonly OFF = new WireLog();

  /** @param sink gets each entry; what it throws is dropped */
  constructor(private readonly sink?: WireSink) {}

  get enabled(): boolean {
    return this.sink !== undefined;
  }

  /** Writes an entry; its body is redacted here. */
  record(entry: Omit<WireEntry, 'body'>, body: unknown): void {
    const { sink } = this;
    if (sink === undefined) return;
    // A log that cannot be written is no reason to fail what it is about.
    callSafely(
      () => sink(Object.freeze({ ...entry, body: redactValue(body) })),
      () => undefined,
    );
  }

  /** Writes an error by its class and its text. */
  recordError(entry: Omit<WireEntry, 'body' | 'direction'>, error: unknown): void {
    const body = { error: classNameOf(error), message: redactDetail(messageOf(error)) };
    this.record({ ...entry, direction: 'error' }, body);
  }

  /** An entry as one line of text. */
  static format({ direction, agent, operation, body, ...correlation }: WireEntry): string {
    const ids = Object.entries(correlation).map(([name, value]) => `${name}=${String(value)}`);
    return oneLine([direction, agent, operation, ...ids, JSON.stringify(body)].join(' '));
  }
}
