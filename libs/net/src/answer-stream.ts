import type { Readable } from 'node:stream';
import { SafeHttpError } from './errors.js';
import type { RequestLimit } from './request-limit.js';
import { toSafeHttpError } from './undici-errors.js';

type Result = IteratorResult<Uint8Array, undefined>;

interface Reader {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * The body of an answer that is read bit by bit, under the limits of its request until the last byte. Not by the
 * iterator of the stream: that one and a generator around it would cost each chunk more than its way through the socket.
 */
export class AnswerStream implements AsyncIterableIterator<Uint8Array, undefined, undefined> {
  private readonly idle: NodeJS.Timeout | undefined;
  private reader: Reader | undefined;
  private fault: unknown;
  private over = false;
  private isClosed = false;

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
      const { reader } = this;
      // In a process that was busy until now, what has come meanwhile is read only after its timers.
      if (reader) setImmediate(() => this.stallUnlessRead(reader, idleTimeoutMs));
    };
    // undici's own limit is right to the second only.
    this.idle = idleTimeoutMs > 0 ? setTimeout(silent, idleTimeoutMs).unref() : undefined;
    body.on('readable', () => this.wake());
    body.once('end', () => this.finish());
    // A body that is left before its end, or that breaks while nobody reads, reports that as an error of its own.
    body.on('error', (error) => this.finish(error));
    body.once('close', () => {
      this.finish(new SafeHttpError('CONNECT_FAILED', 'The connection was closed'));
      this.end();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** To be called again only when the one before has its chunk. */
  next(): Promise<Result> {
    const chunk = this.take();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    if (this.fault !== undefined) return Promise.reject(this.failure(this.fault));
    if (this.isClosed) return Promise.resolve({ done: true, value: undefined });
    if (!this.over) this.idle?.refresh();
    return new Promise<Result>((resolve, reject) => (this.reader = { resolve, reject }));
  }

  async return(): Promise<Result> {
    this.close();
    return { done: true, value: undefined };
  }

  close(): void {
    this.finish();
    this.body.destroy();
    this.end();
  }

  private stallUnlessRead(reader: Reader, idleTimeoutMs: number): void {
    if (this.reader !== reader) return;
    this.limit.stop(new SafeHttpError('STALLED', `Nothing came on the stream for ${idleTimeoutMs} ms`));
  }

  private take(): Uint8Array | undefined {
    const chunk: Uint8Array | null = this.isClosed ? null : this.body.read();
    return chunk ?? undefined;
  }

  private wake(): void {
    const { reader } = this;
    const chunk = reader && this.take();
    if (reader === undefined || chunk === undefined) return;
    this.reader = undefined;
    reader.resolve({ done: false, value: chunk });
  }

  /** What comes first is how it ended. */
  private finish(fault?: unknown): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const { reader } = this;
    this.reader = undefined;
    if (fault === undefined) reader?.resolve({ done: true, value: undefined });
    else if (reader) reader.reject(this.failure(fault));
    else this.fault = fault;
  }

  /** Is told to one reader: who reads on after it finds the end. */
  private failure(fault: unknown): unknown {
    this.fault = undefined;
    return this.limit.signal.aborted ? this.limit.signal.reason : toSafeHttpError(fault);
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.idle);
    this.ended();
  }
}
