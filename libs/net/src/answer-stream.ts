import type { Readable } from 'node:stream';
import type { RequestLimit } from './request-limit.js';
import { toStreamError } from './undici-errors.js';

/** The body of an answer that is read bit by bit, under the limits of its request until the last byte. */
export class AnswerStream implements AsyncIterable<Uint8Array> {
  private over = false;

  /** @param ended told once, when nothing more comes */
  constructor(
    private readonly body: Readable,
    private readonly limit: RequestLimit,
    private readonly ended: () => void,
  ) {
    // A body that is left before its end, or that breaks while nobody reads, reports that as an error of its own.
    body.on('error', () => undefined);
    body.once('close', () => this.end());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const incoming: AsyncIterable<Uint8Array> = this.body;
    try {
      for await (const chunk of incoming) yield chunk;
    } catch (error) {
      throw this.limit.signal.aborted ? this.limit.signal.reason : toStreamError(error);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.body.destroy();
    this.end();
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.ended();
  }
}
