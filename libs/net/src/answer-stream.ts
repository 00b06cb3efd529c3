import type { Readable } from 'node:stream';
import { SafeHttpError } from './errors.js';
import type { RequestLimit } from './request-limit.js';
import { toSafeHttpError } from './undici-errors.js';

/** The body of an answer that is read bit by bit, under the limits of its request until the last byte. */
export class AnswerStream implements AsyncIterable<Uint8Array> {
  private readonly idle: NodeJS.Timeout | undefined;
  private waiting = false;
  private over = false;

  /**
   * @param idleTimeoutMs how long a reader waits for the next piece; 0 = as long as it takes
   * @param ended told once, when nothing more comes
   */
  constructor(
    private readonly body: Readable,
    private readonly limit: RequestLimit,
    idleTimeoutMs: number,
    private readonly ended: () => void,
  ) {
    const silent = (): void => {
      const message = `Nothing came on the stream for ${idleTimeoutMs} ms`;
      if (this.waiting) this.limit.stop(new SafeHttpError('STALLED', message));
    };
    // undici's own limit is right to the second only.
    this.idle = idleTimeoutMs > 0 ? setTimeout(silent, idleTimeoutMs).unref() : undefined;
    // A body that is left before its end, or that breaks while nobody reads, reports that as an error of its own.
    body.on('error', () => undefined);
    body.once('close', () => this.end());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const incoming: AsyncIterable<Uint8Array> = this.body;
    try {
      this.wait();
      for await (const chunk of incoming) {
        this.waiting = false;
        yield chunk;
        this.wait();
      }
    } catch (error) {
      throw this.limit.signal.aborted ? this.limit.signal.reason : toSafeHttpError(error);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.body.destroy();
    this.end();
  }

  private wait(): void {
    this.waiting = true;
    if (!this.over) this.idle?.refresh();
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.idle);
    this.ended();
  }
}
