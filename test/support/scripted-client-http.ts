import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from '../../libs/client/src/http/client-http.js';

/** What a script says; the rest is 200 without headers. An object as the body is written as JSON. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export type HttpScript = (request: ClientHttpRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** HTTP that answers by a script, and remembers what it was asked. */
export class ScriptedClientHttp extends ClientHttp {
  readonly requests: ClientHttpRequest[] = [];
  readonly limits: (ClientHttpLimits | undefined)[] = [];
  closedStreams = 0;

  constructor(private readonly script: HttpScript) {
    super();
  }

  /** Each request as `METHOD URL`. */
  get asked(): string[] {
    return this.requests.map(({ method, url }) => `${method} ${url}`);
  }

  async request(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer> {
    this.requests.push(request);
    this.limits.push(limits);
    const { status = 200, headers = {}, body = '' } = await this.script(request);
    request.signal?.throwIfAborted();
    return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
  }

  async open(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream> {
    const { status, headers, body } = await this.request(request, limits);
    const close = (): void => void (this.closedStreams += 1);
    return { status, headers, chunks: chunksOf(body), close };
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

async function* chunksOf(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body);
}
