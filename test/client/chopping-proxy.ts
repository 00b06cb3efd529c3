import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, portOf } from '../net/canary.js';

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
  readonly lineEnd: '\n' | '\r' | '\r\n';
  readonly byteOrderMark: boolean;
  readonly ids: boolean;
  readonly comments: boolean;
  /** Everything at once, when the agent has closed. */
  readonly buffered: boolean;
  /** For the streams in the order of their arrival; those after the last are left alone. */
  readonly faults: readonly StreamFault[];
}

export interface ChoppingProxy {
  readonly url: string;
  /** How many streams have come through. */
  streams: number;
  close(): Promise<void>;
}

const NO_FAULT: StreamFault = { kind: 'none', afterFrames: 0, bytesOfNext: 0 };
const HEARTBEATS = 4;

/** A proxy that does to streams what bad networks and odd servers do. */
export async function startChoppingProxy(
  upstream: string,
  chopping: Chopping,
  heartbeatMs: number,
): Promise<ChoppingProxy> {
  const proxy = { url: '', streams: 0 };
  const server = createServer((request, response) => {
    const asksForStream = String(request.headers.accept).includes('text/event-stream');
    const fault = asksForStream ? (chopping.faults[proxy.streams++] ?? NO_FAULT) : NO_FAULT;
    response.on('error', () => undefined);
    if (fault.kind === 'refuse') return void response.writeHead(503, { 'retry-after': '0' }).end('later');
    const forwarded = httpRequest(
      upstream + (request.url ?? ''),
      { method: request.method, headers: { ...request.headers, host: new URL(upstream).host } },
      (answer) => {
        answer.on('error', () => response.destroy());
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        if (!String(answer.headers['content-type']).startsWith('text/event-stream')) return void answer.pipe(response);
        new StreamChopper(answer, response, chopping, fault, heartbeatMs).run().catch(() => response.destroy());
      },
    );
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${portOf(server)}`;
  return Object.assign(proxy, { close: () => closeServer(server) });
}

/** One stream on its way. */
class StreamChopper {
  private held: Buffer[] = [];

  constructor(
    private readonly source: IncomingMessage,
    private readonly target: ServerResponse,
    private readonly chopping: Chopping,
    private readonly fault: StreamFault,
    private readonly heartbeatMs: number,
  ) {}

  async run(): Promise<void> {
    const { kind, afterFrames, bytesOfNext } = this.fault;
    let frames = 0;
    this.target.flushHeaders();
    if (this.chopping.byteOrderMark) await this.write(Buffer.from('\ufeff'));
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
    const { ids, comments, lineEnd } = this.chopping;
    let rest = '';
    this.source.setEncoding('utf8');
    for await (const piece of this.source) {
      const blocks = (rest + String(piece)).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const lines = block.split('\n').filter((line) => ids || !line.startsWith('id:'));
        const text = `${comments ? ': comment\n' : ''}${lines.join('\n')}\n\n`;
        yield Buffer.from(text.replaceAll('\n', lineEnd));
      }
    }
  }

  private async beat(): Promise<void> {
    const { lineEnd } = this.chopping;
    for (let count = 0; count < HEARTBEATS; count += 1) {
      await this.write(Buffer.from(`: heartbeat${lineEnd}${lineEnd}`));
      await this.flush();
      await delay(this.heartbeatMs);
    }
  }

  private async breakOff(kind: StreamFault['kind']): Promise<void> {
    await this.flush();
    if (kind === 'cut') this.target.destroy();
    if (kind === 'close') this.target.end();
    if (kind === 'silence' && !this.target.destroyed) await once(this.target, 'close');
  }

  private async write(bytes: Buffer): Promise<void> {
    this.held.push(bytes);
    if (!this.chopping.buffered) await this.flush();
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.concat(this.held);
    this.held = [];
    const size = this.chopping.writeBytes === 0 ? bytes.length : this.chopping.writeBytes;
    for (let start = 0; start < bytes.length && !this.target.destroyed; start += size) {
      // Each write is on its way before the next: else the system would put them together again.
      await new Promise<void>(
        (resolve) => void this.target.write(bytes.subarray(start, start + size), () => resolve()),
      );
    }
  }
}
