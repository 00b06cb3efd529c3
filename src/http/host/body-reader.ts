import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { BodyText } from './body-text.js';
import type { RequestBody } from './http-intake.js';
import { mayHaveBody } from './raw-http.js';
import type { RawRequest } from './raw-http.js';

/** How long a body may make no progress. */
export const BODY_IDLE_MS = 30_000;

/** How long a body may take in all, a byte now and then or not. */
export const BODY_TOTAL_MS = 300_000;

const NONE: RequestBody = { kind: 'none' };
const MALFORMED: RequestBody = { kind: 'malformed' };
const TIMEOUT: RequestBody = { kind: 'timeout' };

/** How a body is read. */
export interface BodyReading {
  /** The most bytes, as sent and when decompressed. */
  readonly limit: number;
  readonly idleMs?: number;
  /** Called once; never when the client leaves in the middle. */
  readonly done: (body: RequestBody, /** Whether the stream was read to its end. */ consumed: boolean) => void;
}

/**
 * Reads a request's body as text. `source` is the stream to read, the request itself unless the host has put a
 * transformation before us.
 */
export function readBody(request: RawRequest, source: Readable, reading: BodyReading): void {
  const { limit, done } = reading;
  if (!mayHaveBody(request)) {
    done(NONE, true);
    return;
  }
  const encoding = encodingOf(request);
  const inflater = encoding === '' ? undefined : inflaterOf(encoding);
  if (encoding !== '' && inflater === undefined) {
    done({ kind: 'unsupported-encoding', encoding }, false);
    return;
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    inflater?.destroy();
    done({ kind: 'too-large', limit }, false);
    return;
  }
  new BodyReader(source, inflater, reading).start();
}

class BodyReader {
  /** Undefined once it is known not to be UTF-8. */
  private text: BodyText | undefined = new BodyText();
  private bytes = 0;
  private sent = 0;
  private sourceEnded = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly deadline = performance.now() + BODY_TOTAL_MS;

  constructor(
    private readonly source: Readable,
    private readonly inflater: Transform | undefined,
    private readonly reading: BodyReading,
  ) {}

  start(): void {
    const { source, inflater } = this;
    this.timer = setTimeout(this.onIdle, this.reading.idleMs ?? BODY_IDLE_MS).unref();
    source.on('error', this.onLeave);
    source.on('close', this.onLeave);
    if (inflater) {
      inflater.on('error', this.onBroken);
      inflater.on('data', this.onData);
      inflater.on('end', this.onEnd);
      source.on('data', this.onSent);
      source.on('end', this.onSourceEnd);
      source.pipe(inflater);
    } else {
      source.on('data', this.onData);
      source.on('end', this.onEnd);
    }
  }

  private readonly onSent = (chunk: Buffer): void => {
    this.sent += chunk.length;
    if (this.sent > this.reading.limit) this.finish({ kind: 'too-large', limit: this.reading.limit }, false);
    else this.goOn();
  };

  private readonly onSourceEnd = (): void => {
    this.sourceEnded = true;
  };

  private readonly onData = (chunk: Buffer): void => {
    this.bytes += chunk.length;
    if (this.bytes > this.reading.limit) {
      this.finish({ kind: 'too-large', limit: this.reading.limit }, this.sourceEnded);
      return;
    }
    try {
      this.text?.add(chunk);
    } catch {
      this.text = undefined;
    }
    this.goOn();
  };

  private goOn(): void {
    if (performance.now() > this.deadline) this.finish(TIMEOUT, false);
    else this.timer?.refresh();
  }

  private readonly onEnd = (): void => {
    this.finish(this.decode(), true);
  };

  private readonly onBroken = (): void => {
    // No bytes at all are no body, but not a whole compressed one either.
    this.finish(this.sent === 0 ? NONE : MALFORMED, this.sourceEnded);
  };

  private readonly onIdle = (): void => {
    this.finish(TIMEOUT, false);
  };

  private readonly onLeave = (): void => {
    // With a decompressor the source closes before the last text is out.
    if (this.sourceEnded) return;
    this.stop();
  };

  private decode(): RequestBody {
    if (this.text === undefined) return MALFORMED;
    try {
      const text = this.text.whole();
      return text === undefined ? NONE : { kind: 'text', text, bytes: this.bytes };
    } catch {
      return MALFORMED;
    }
  }

  private finish(body: RequestBody, consumed: boolean): void {
    this.stop();
    this.reading.done(body, consumed);
  }

  private stop(): void {
    const { source, inflater } = this;
    clearTimeout(this.timer);
    source.removeListener('close', this.onLeave);
    source.removeListener('error', this.onLeave);
    // What is left unread may still fail when the client goes; nobody else listens for it.
    source.on('error', ignore);
    this.text = undefined;
    if (inflater) {
      source.removeListener('data', this.onSent);
      source.removeListener('end', this.onSourceEnd);
      source.unpipe(inflater);
      inflater.removeListener('data', this.onData);
      inflater.removeListener('end', this.onEnd);
      inflater.removeListener('error', this.onBroken);
      inflater.on('error', ignore);
      inflater.destroy();
    } else {
      source.removeListener('data', this.onData);
      source.removeListener('end', this.onEnd);
    }
    if (!source.readableEnded) source.pause();
  }
}

function encodingOf(request: RawRequest): string {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined) return '';
  const name = encoding.trim().toLowerCase();
  return name === 'identity' ? '' : name;
}

function inflaterOf(encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function ignore(): void {}
