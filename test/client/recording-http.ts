import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpRequest,
  type ClientHttpStream,
  SafeClientHttp,
} from 'nestjs-a2a/client';

/** What went over the wire. */
export interface Exchange {
  readonly request: ClientHttpRequest;
  readonly status: number;
}

/** HTTP to anywhere that remembers what it sent, credentials and all. */
export class RecordingHttp extends ClientHttp {
  readonly exchanges: Exchange[] = [];
  private readonly inner = new SafeClientHttp({ network: 'any' });

  /** @param route where a URL leads, as a proxy would have it */
  constructor(private readonly route: (url: string) => string = (url) => url) {
    super();
  }

  /** Each exchange as `METHOD /path STATUS`. */
  get lines(): string[] {
    return this.exchanges.map(({ request, status }) => `${request.method} ${new URL(request.url).pathname} ${status}`);
  }

  get last(): ClientHttpRequest | undefined {
    return this.exchanges.at(-1)?.request;
  }

  async request(request: ClientHttpRequest): Promise<ClientHttpAnswer> {
    const answer = await this.inner.request({ ...request, url: this.route(request.url) });
    this.exchanges.push({ request, status: answer.status });
    return answer;
  }

  async open(request: ClientHttpRequest): Promise<ClientHttpStream> {
    const stream = await this.inner.open({ ...request, url: this.route(request.url) });
    this.exchanges.push({ request, status: stream.status });
    return stream;
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
