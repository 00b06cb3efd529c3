import {
  A2AClientError,
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from 'nestjs-a2a/client';

/** What the answers of a call may come to. */
export interface StreamLimit {
  readonly maxBytes: number;
}

/** HTTP that tells of every sign of life from the other side: headers, and each piece of a body, whatever is in it. */
export class ActivityHttp extends ClientHttp {
  constructor(
    private readonly http: ClientHttp,
    private readonly onActivity: () => void,
    private readonly limit: StreamLimit = { maxBytes: Infinity },
  ) {
    super();
  }

  async request(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer> {
    const answer = await this.http.request(request, limits);
    this.onActivity();
    return answer;
  }

  async open(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream> {
    const stream = await this.http.open(request, limits);
    this.onActivity();
    return { ...stream, chunks: this.watched(stream.chunks) };
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async *watched(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    const { maxBytes } = this.limit;
    let size = 0;
    for await (const chunk of chunks) {
      this.onActivity();
      size += chunk.byteLength;
      if (size > maxBytes) {
        throw new A2AClientError('ANSWER_TOO_LARGE', `The agent's stream has more than ${maxBytes} bytes`);
      }
      yield chunk;
    }
  }
}
