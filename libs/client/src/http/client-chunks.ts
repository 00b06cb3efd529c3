type Result = IteratorResult<Uint8Array, unknown>;

/** Chunks of a body whose faults are told as the client tells them. Not a generator: each chunk would wait for it. */
export class ClientChunks implements AsyncIterableIterator<Uint8Array> {
  private readonly chunks: AsyncIterator<Uint8Array, unknown, undefined>;

  constructor(
    chunks: AsyncIterable<Uint8Array>,
    private readonly told: (error: unknown) => unknown,
  ) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    return this.chunks.next().catch(this.onFault);
  }

  async return(): Promise<Result> {
    return (await this.chunks.return?.()) ?? { done: true, value: undefined };
  }

  private readonly onFault = (error: unknown): never => {
    throw this.told(error);
  };
}
