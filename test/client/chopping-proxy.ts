import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, portOf } from '../net/canary.js';
import { ChopRecord } from './chop-record.js';

/** What happens to one stream on its way. */
export interface StreamFault {
  /**
   * - `none`: it arrives
   * - `cut`: the connection breaks
   * - `close`: it ends as if the agent had closed it
   * - `silence`: nothing more comes
   * - `heartbeats`: nothing but comments comes for a while, then the rest
   * - `refuse`: it does not begin, HTTP 503
   */
  readonly kind: 'none' | 'cut' | 'close' | 'silence' | 'heartbeats' | 'refuse';
  /** How many frames arrive before. */
  readonly afterFrames: number;
  /** How many bytes of the next frame arrive as well; at most all but its last. */
  readonly bytesOfNext: number;
}

/** How all streams are written. */
export interface Chopping {
  /** Bytes a write; 0 = as they come. */
  readonly writeBytes: number;
  readonly lineEnd: '\n' | '\r' | '\r\n' | 'mixed';
  readonly byteOrderMark: boolean;
  readonly ids: boolean;
  readonly comments: boolean;
  /** How many bytes are held back before they are let go together; Infinity = until the agent has closed. */
  readonly heldBytes: number;
  /** For the streams in the order of their arrival; those after the last are left alone. */
  readonly faults: readonly StreamFault[];
}

export interface ChoppingProxy {
  readonly url: string;
  /** How many streams have come through. */
  readonly streams: number;
  close(): Promise<void>;
}

const NO_FAULT: StreamFault = { kind: 'none', afterFrames: 0, bytesOfNext: 0 };
const HEARTBEATS = 8;
/** By turns. */
const MIXED = ['\n', '\r\n', '\r'];

/**
 * A proxy that does to streams what bad networks and odd servers do.
 *
 * @param heartbeatMs between two of several comments, where nothing else comes
 */
export async function startChoppingProxy(
  upstream: string,
  chopping: Chopping,
  heartbeatMs: number,
  record = new ChopRecord(),
): Promise<ChoppingProxy> {
  let streams = 0;
  const server = createServer((request, response) => {
    const asksForStream = String(request.headers.accept).includes('text/event-stream');
    const fault = asksForStream ? (chopping.faults[streams++] ?? NO_FAULT) : NO_FAULT;
    if (request.headers['last-event-id'] !== undefined) record.idsShown += 1;
    response.on('error', () => undefined);
    if (fault.kind === 'refuse') {
      record.refusals += 1;
      return void response.writeHead(503, { 'retry-after': '0' }).end('later');
    }
    const forwarded = httpRequest(
      upstream + (request.url ?? ''),
      { method: request.method, headers: { ...request.headers, host: new URL(upstream).host } },
      (answer) => {
        answer.on('error', () => response.destroy());
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        if (!String(answer.headers['content-type']).startsWith('text/event-stream')) return void answer.pipe(response);
        record.streams += 1;
        new StreamChopper(answer, response, { chopping, fault, heartbeatMs, record })
          .run()
          .catch(() => response.destroy());
      },
    );
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    get streams() {
      return streams;
    },
    close: () => closeServer(server),
  };
}

interface ChopperOptions {
  readonly chopping: Chopping;
  readonly fault: StreamFault;
  readonly heartbeatMs: number;
  readonly record: ChopRecord;
}

/** One stream on its way. */
class StreamChopper {
  private held: Buffer[] = [];
  private ends = 0;
  private lastEnd = '';

  constructor(
    private readonly source: IncomingMessage,
    private readonly target: ServerResponse,
    private readonly options: ChopperOptions,
  ) {}

  async run(): Promise<void> {
    const { chopping, fault, record } = this.options;
    const { kind, afterFrames, bytesOfNext } = fault;
    let frames = 0;
    this.target.flushHeaders();
    record.lineEnds.add(chopping.lineEnd);
    if (chopping.byteOrderMark) {
      record.byteOrderMarks += 1;
      await this.write(Buffer.from('\ufeff'));
    }
    for await (const frame of this.frames()) {
      if (kind !== 'none' && frames === afterFrames) {
        if (kind !== 'heartbeats') {
          await this.write(frame.subarray(0, Math.min(bytesOfNext, frame.length - 1)));
          return this.breakOff(kind);
        }
        await this.beat();
      }
      await this.write(frame);
      frames += 1;
    }
    await this.flush();
    this.target.end();
  }

  /** The frames as they are to be written. */
  private async *frames(): AsyncGenerator<Buffer, void, undefined> {
    const { ids, comments } = this.options.chopping;
    let rest = '';
    this.source.setEncoding('utf8');
    for await (const piece of this.source) {
      const blocks = (rest + String(piece)).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const lines = block.split('\n').filter((line) => ids || !line.startsWith('id:'));
        yield this.written([...(comments ? [': comment'] : []), ...lines, '']);
      }
    }
  }

  private written(lines: readonly string[]): Buffer {
    return Buffer.from(lines.map((line) => line + this.lineEnd(line)).join(''));
  }

  private lineEnd(line: string): string {
    const { lineEnd } = this.options.chopping;
    if (lineEnd !== 'mixed') return lineEnd;
    const next = MIXED[this.ends++ % MIXED.length] ?? '\n';
    // An LF right after a CR would not end another line.
    this.lastEnd = line === '' && this.lastEnd === '\r' ? '\r' : next;
    return this.lastEnd;
  }

  private async beat(): Promise<void> {
    const { heartbeatMs, record } = this.options;
    for (let count = 0; count < HEARTBEATS; count += 1) {
      await this.write(this.written([': heartbeat', '']));
      await this.flush();
      await delay(heartbeatMs);
    }
    if (!this.target.destroyed) record.heartbeats += 1;
  }

  private async breakOff(kind: StreamFault['kind']): Promise<void> {
    const { record } = this.options;
    await this.flush();
    if (this.target.destroyed) return;
    if (kind === 'cut') {
      record.cuts += 1;
      this.target.destroy();
    }
    if (kind === 'close') {
      record.closes += 1;
      this.target.end();
    }
    if (kind === 'silence') {
      await once(this.target, 'close');
      record.silences += 1;
    }
  }

  private async write(bytes: Buffer): Promise<void> {
    this.held.push(bytes);
    const size = this.held.reduce((sum, { length }) => sum + length, 0);
    if (size > this.options.chopping.heldBytes) await this.flush();
  }

  private async flush(): Promise<void> {
    const { chopping, record } = this.options;
    const bytes = Buffer.concat(this.held);
    if (this.held.length > 1) record.releases += 1;
    this.held = [];
    const size = chopping.writeBytes === 0 ? bytes.length : chopping.writeBytes;
    for (let start = 0; start < bytes.length && !this.target.destroyed; start += size) {
      const piece = bytes.subarray(start, start + size);
      // Each write is on its way before the next: else the system would put them together again.
      await new Promise<void>((resolve) => void this.target.write(piece, () => resolve()));
      record.wrote(piece, bytes[start + size]);
    }
  }
}
