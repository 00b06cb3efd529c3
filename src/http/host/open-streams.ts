import { setImmediate as nextImmediate } from 'node:timers/promises';

/** What {@link OpenStreams} needs to know of a stream. */
export interface OpenStream {
  /** Settles when the connection has let go of the response. */
  readonly closed: Promise<void>;
  /** Ends the stream after what was written. */
  end(): void;
  destroy(): void;
}

/** The open event streams of an agent, so that a shutdown can end them: an open stream keeps a server from closing. */
export class OpenStreams {
  private readonly streams = new Set<OpenStream>();
  private ended = false;

  get size(): number {
    return this.streams.size;
  }

  /** @returns false when the streams have been ended; the stream must then not start */
  add(stream: OpenStream): boolean {
    if (this.ended) return false;
    this.streams.add(stream);
    return true;
  }

  delete(stream: OpenStream): void {
    this.streams.delete(stream);
  }

  /**
   * Ends every open stream, waits until the connections have let go of them, and breaks those off that have not after
   * `limitMs`; longer than that it never waits. No stream starts afterwards.
   */
  async endAll(limitMs: number): Promise<void> {
    this.ended = true;
    const open = [...this.streams];
    for (const stream of open) stream.end();
    let limit: NodeJS.Timeout | undefined;
    const expired = new Promise<void>((resolve) => (limit = setTimeout(resolve, limitMs)));
    await Promise.race([Promise.all(open.map((stream) => stream.closed)), expired]);
    clearTimeout(limit);
    for (const stream of open) if (this.streams.delete(stream)) stream.destroy();
    // One macrotask more, so that Node has marked the keep-alive sockets idle and the server's close need not wait.
    await nextImmediate();
  }
}
