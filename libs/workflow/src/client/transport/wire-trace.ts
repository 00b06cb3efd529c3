import type { StreamResponse } from 'nestjs-a2a/protocol';
import type { WireCorrelation, WireEntry, WireLog } from '../../logging/wire-log.js';

/** Which call it is. */
export interface TracedCall {
  readonly agent: string;
  readonly operation: string;
  readonly correlation: WireCorrelation | undefined;
}

/** Writes one call into the wire log. */
export class WireTrace {
  private readonly entry: Omit<WireEntry, 'body' | 'direction'>;

  constructor(
    private readonly log: WireLog,
    { agent, operation, correlation }: TracedCall,
  ) {
    this.entry = { ...correlation, agent, operation };
  }

  request(body: object): void {
    this.log.record({ ...this.entry, direction: 'request' }, body);
  }

  /** The answer of a call, which is handed on. */
  async answer<T>(answer: Promise<T>): Promise<T> {
    try {
      const body = await answer;
      this.log.record({ ...this.entry, direction: 'response' }, body);
      return body;
    } catch (error) {
      this.log.recordError(this.entry, error);
      throw error;
    }
  }

  /** The events of a call, which are handed on. */
  async *events(events: AsyncIterable<StreamResponse>): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      for await (const event of events) {
        this.log.record({ ...this.entry, direction: 'event' }, event);
        yield event;
      }
    } catch (error) {
      this.log.recordError(this.entry, error);
      throw error;
    }
  }
}
