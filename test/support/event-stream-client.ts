import type { IncomingHttpHeaders } from 'node:http';
import { jsonOf, open, type Call } from './http-call.js';

const MAX_SHOWN = 2_000;

/** One event of a stream. */
export interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: unknown;
}

/** An open event stream, or the JSON answer that came instead of one. */
export class EventClient {
  readonly frames: Frame[] = [];
  comments = 0;
  /** What came, if it was no event stream. */
  text = '';
  /** True when the stream ended cleanly, false when the connection broke. */
  readonly ended: Promise<boolean>;
  private readonly waiting = new Set<() => void>();
  private rest = '';
  private over = false;

  private constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    private readonly response: NodeJS.ReadableStream & { readonly complete: boolean; destroy(): unknown },
    private readonly disconnect: () => void,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.take(chunk));
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.over = true;
        this.wake();
        resolve(response.complete);
      });
    });
  }

  static async open(url: string, call: Call): Promise<EventClient> {
    const { request, response } = open(url, call);
    const incoming = await response;
    return new EventClient(incoming.statusCode ?? 0, incoming.headers, incoming, () => request.destroy());
  }

  /** Resolves as soon as what came so far will do. */
  async until(enough: (client: EventClient) => boolean): Promise<void> {
    while (!enough(this)) {
      if (this.over) throw new Error(`The stream ended too early: ${this.shown()}`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  frameCount(count: number): Promise<void> {
    return this.until(({ frames }) => frames.length >= count);
  }

  /** Stops reading, as a client that is too slow does. */
  stall(): void {
    this.response.pause();
  }

  goOn(): void {
    this.response.resume();
  }

  /** Breaks the connection. */
  leave(): void {
    this.disconnect();
  }

  private shown(): string {
    return `${JSON.stringify(this.frames)} ${this.text}`.slice(-MAX_SHOWN);
  }

  private take(chunk: string): void {
    if (!String(this.headers['content-type']).startsWith('text/event-stream')) {
      this.text += chunk;
      return;
    }
    const searched = Math.max(0, this.rest.length - 1);
    this.rest += chunk;
    for (let end = this.rest.indexOf('\n\n', searched); end >= 0; end = this.rest.indexOf('\n\n')) {
      this.read(this.rest.slice(0, end));
      this.rest = this.rest.slice(end + 2);
    }
    this.wake();
  }

  private read(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) this.comments++;
      else fields.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart());
    }
    const data = fields.get('data');
    if (data === undefined) return;
    this.frames.push({ id: fields.get('id'), event: fields.get('event'), data: jsonOf(data) });
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
