import { EmptyError } from 'rxjs';
import type { Observable, Observer, Subscription } from 'rxjs';
import type { OpenStream, OpenStreams } from './open-streams.js';
import { destroyResponse, isGone, isReply, rawResponseOf } from './raw-http.js';
import type { RawResponse } from './raw-http.js';
import { hasStalled, progressOf } from './reader-progress.js';
import type { ReaderProgress } from './reader-progress.js';
import { onceClosed } from './response-close.js';

/** One numbered, already serialised event of a task. */
export interface StreamFrame {
  /** Becomes the `id:` of the event; no line without it. */
  readonly sequence: number | undefined;
  readonly json: string;
  /** The stream ends after this frame. */
  readonly last: boolean;
}

/** How a binding wraps a frame. */
export interface SseFraming {
  readonly prefix: string;
  readonly suffix: string;
  /** The JSON of the frame that tells of a failure. */
  error(error: unknown): string;
}

/** What an event stream is made of. */
export interface SseOptions {
  readonly frames: Observable<StreamFrame>;
  readonly framing: SseFraming;
  /** Further response headers; asked for when the first frame is there. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** How long nothing may be written before a comment is; 0 = no comments. */
  readonly heartbeatMs: number;
  /** How many bytes may wait for a client, the socket's own included. One frame may be larger than that. */
  readonly maxBufferBytes: number;
  readonly streams: OpenStreams;
  /** Makes the error that a cut client is told. */
  readonly overflow: () => unknown;
  /** Told when a client was cut because it fell behind. */
  readonly onCut?: () => void;
  /** How long a client may take nothing of what waits for it; {@link STALL_MS} by default. */
  readonly stallMs?: number;
  /** The same once the stream has ended and only the rest is to be taken; {@link DRAIN_MS} by default. */
  readonly drainMs?: number;
}

/** The stream was ended from our side (shutdown) before it had a first frame; nothing was written. */
export class StreamNotOpenedError extends Error {
  override readonly name = 'StreamNotOpenedError';

  constructor() {
    super('The stream was ended before its first event');
  }
}

/** How long the client of an open stream may take nothing of what waits for it. */
export const STALL_MS = 120_000;
/** How long the client of an ended stream may take nothing of what is left. */
export const DRAIN_MS = 30_000;

const HEARTBEAT = ': heartbeat\n\n';
const CUT_DRAIN_MS = 5_000;
const FLUSH_CHARS = 65_536;

const enum Phase {
  Waiting,
  Open,
  Ended,
}

/**
 * One client's event stream: takes frames from an Observable and writes them to the raw response, everything that comes
 * in one tick in one write.
 */
export class EventStream implements Observer<StreamFrame>, OpenStream {
  readonly closed: Promise<void>;
  private readonly raw: RawResponse;
  private readonly settled: Promise<void>;
  private resolveClosed: () => void = ignore;
  private resolve: () => void = ignore;
  private reject: (error: unknown) => void = ignore;
  private phase = Phase.Waiting;
  private subscription: Subscription | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private patience: NodeJS.Timeout | undefined;
  private progress: ReaderProgress;
  private stopWatching: () => void = ignore;
  private pending = '';
  private scheduled = false;
  private oversize = 0;
  private flushThrough: (() => unknown) | undefined;

  constructor(
    private readonly response: object,
    private readonly options: SseOptions,
  ) {
    this.raw = rawResponseOf(response);
    this.closed = new Promise((resolve) => (this.resolveClosed = resolve));
    this.settled = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Subscribes. The promise settles when the response is finished, the client gone, or the stream never opened. */
  start(): Promise<void> {
    const { raw } = this;
    if (isGone(raw)) {
      this.phase = Phase.Ended;
      this.resolve();
      return this.settled;
    }
    if (!this.options.streams.add(this)) {
      this.fail(new StreamNotOpenedError());
      return this.settled;
    }
    this.stopWatching = onceClosed(raw, this.onClose);
    raw.on('error', ignore);
    const subscription = this.options.frames.subscribe(this);
    // A source that emits within subscribe() may have ended us before there was a subscription to end.
    if (this.phase === Phase.Ended) subscription.unsubscribe();
    else this.subscription = subscription;
    return this.settled;
  }

  next(frame: StreamFrame): void {
    if (this.phase !== Phase.Open) {
      if (this.phase === Phase.Ended || !this.open()) return;
    }
    const { framing, maxBufferBytes } = this.options;
    const data = `data: ${framing.prefix}${frame.json}${framing.suffix}\n\n`;
    this.pending += frame.sequence === undefined ? data : `id: ${frame.sequence}\n${data}`;
    if (data.length > maxBufferBytes) this.oversize = Math.max(this.oversize, Buffer.byteLength(data));
    if (frame.last) this.end();
    else if (this.pending.length > FLUSH_CHARS) this.flush();
    else if (!this.scheduled) {
      this.scheduled = true;
      process.nextTick(this.flush);
    }
  }

  error(error: unknown): void {
    if (this.phase === Phase.Waiting) this.fail(error);
    else this.endWith(error);
  }

  complete(): void {
    if (this.phase === Phase.Waiting) this.fail(new EmptyError());
    else this.end();
  }

  end(): void {
    if (this.phase === Phase.Waiting) {
      this.fail(new StreamNotOpenedError());
      return;
    }
    if (this.phase === Phase.Ended) return;
    this.release();
    const rest = this.pending;
    this.pending = '';
    if (rest === '') this.raw.end(this.resolve);
    else this.raw.end(rest, this.resolve);
    this.beginPatience(this.options.drainMs ?? DRAIN_MS, this.onDrainLimit);
  }

  destroy(): void {
    destroyResponse(this.raw);
    // No `close` need come: the connection may be gone already, or be none of Node's.
    this.stopWatching();
    this.onClose();
  }

  private open(): boolean {
    const { raw, response } = this;
    try {
      const headers = this.options.headers();
      if (isReply(response)) {
        const own = response.getHeaders();
        response.hijack();
        for (const name in own) {
          const value = own[name];
          if (value !== undefined) raw.setHeader(name, value);
        }
      }
      raw.setHeader('content-type', 'text/event-stream');
      raw.setHeader('cache-control', 'no-cache, no-transform');
      raw.setHeader('x-accel-buffering', 'no');
      for (const name in headers) raw.setHeader(name, headers[name]);
      raw.writeHead(200);
    } catch (error) {
      this.fail(error);
      return false;
    }
    this.phase = Phase.Open;
    // Compressing middleware puts its own flush() on the response; Node's inherited one only warns.
    const { flush } = raw;
    if (Object.hasOwn(raw, 'flush') && typeof flush === 'function') this.flushThrough = () => flush.call(raw);
    const { heartbeatMs } = this.options;
    if (heartbeatMs > 0) this.heartbeat = setTimeout(this.beat, heartbeatMs).unref();
    return true;
  }

  private readonly flush = (): void => {
    this.scheduled = false;
    if (this.pending === '' || this.phase !== Phase.Open) return;
    const text = this.pending;
    this.pending = '';
    this.write(text);
  };

  private write(text: string): void {
    const { raw } = this;
    const { maxBufferBytes } = this.options;
    raw.write(text);
    this.flushThrough?.();
    this.heartbeat?.refresh();
    const waiting = raw.writableLength;
    if (waiting > 0 && this.patience === undefined) this.watchReader();
    if (waiting <= maxBufferBytes) this.oversize = 0;
    else if (waiting > maxBufferBytes + this.oversize) this.cut();
  }

  private readonly beat = (): void => {
    if (this.phase !== Phase.Open) return;
    // A client that has not taken the last bytes needs no more of them to know that we live.
    if (this.raw.writableLength > 0) this.heartbeat?.refresh();
    else this.write(HEARTBEAT);
  };

  private cut(): void {
    this.endWith(this.options.overflow());
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.destroy(), CUT_DRAIN_MS).unref();
    this.options.onCut?.();
  }

  private watchReader(): void {
    this.beginPatience(this.options.stallMs ?? STALL_MS, this.onStallLimit);
  }

  private beginPatience(ms: number, limit: () => void): void {
    clearTimeout(this.patience);
    this.progress = progressOf(this.raw);
    this.patience = setTimeout(limit, ms).unref();
  }

  private readonly onStallLimit = (): void => {
    this.patience = undefined;
    if (this.phase !== Phase.Open || this.raw.writableLength === 0) return;
    if (hasStalled(this.progress, progressOf(this.raw))) this.cut();
    else this.watchReader();
  };

  private readonly onDrainLimit = (): void => {
    if (hasStalled(this.progress, progressOf(this.raw))) this.destroy();
    else this.beginPatience(this.options.drainMs ?? DRAIN_MS, this.onDrainLimit);
  };

  private endWith(error: unknown): void {
    if (this.phase !== Phase.Open) return;
    try {
      this.pending += `event: error\ndata: ${this.options.framing.error(error)}\n\n`;
    } finally {
      this.end();
    }
  }

  private fail(error: unknown): void {
    this.release();
    this.stopWatching();
    this.raw.removeListener('error', ignore);
    this.forget();
    this.reject(error);
  }

  private readonly onClose = (): void => {
    this.release();
    clearTimeout(this.patience);
    this.forget();
    this.pending = '';
    this.resolve();
  };

  private release(): void {
    this.phase = Phase.Ended;
    this.subscription?.unsubscribe();
    this.subscription = undefined;
    clearTimeout(this.heartbeat);
    this.heartbeat = undefined;
    clearTimeout(this.patience);
    this.patience = undefined;
  }

  private forget(): void {
    this.options.streams.delete(this);
    this.resolveClosed();
  }
}

function ignore(): void {}
