import { A2A_VERSION_HEADER, JSON_MEDIA_TYPE, type A2AMethod } from 'nestjs-a2a/protocol';
import type { ClientHttpRequest } from '../http/client-http.js';
import type {
  A2ATransport,
  StreamingMethod,
  TransportCallOptions,
  TransportContext,
  TransportStreamOptions,
  WireFrame,
} from './a2a-transport.js';
import { readBody } from './answers.js';
import { type ContentReader, eventStream } from './event-stream.js';

/** A call as a binding writes it. */
export interface BoundCall {
  readonly method: ClientHttpRequest['method'];
  readonly url: string;
  readonly body?: string;
  readonly contentOf: ContentReader;
}

/** What the bindings over HTTP have in common. */
export abstract class HttpTransport implements A2ATransport {
  abstract readonly binding: string;
  /** Media types of answers that are no streams. */
  protected abstract readonly accept: string;

  constructor(protected readonly context: TransportContext) {}

  async call(method: A2AMethod, params: object, options: TransportCallOptions): Promise<unknown> {
    const bound = this.bound(method, params);
    const answer = await this.context.http.request(this.request(bound, options, this.accept), options.limits);
    return bound.contentOf(readBody(answer.body), answer);
  }

  stream(method: StreamingMethod, params: object, options: TransportStreamOptions): AsyncIterable<WireFrame> {
    const bound = this.bound(method, params);
    const request = this.request(bound, options, 'text/event-stream');
    if (options.lastEventId !== undefined) request.headers['last-event-id'] = options.lastEventId;
    return eventStream(this.context.http, request, options, bound.contentOf);
  }

  close(): void {
    // Holds nothing: connections are the HTTP client's.
  }

  /** @param params with the tenant, where there is one */
  protected abstract bind(method: A2AMethod, params: object): BoundCall;

  /** The headers of a call, as the binding has them. */
  protected headersOf(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return headers;
  }

  private bound(method: A2AMethod, params: object): BoundCall {
    const { tenant, readFailure } = this.context;
    const bound = this.bind(method, tenant === '' ? params : { tenant, ...params });
    if (readFailure === undefined) return bound;
    const contentOf: ContentReader = (body, head) => {
      const failure = readFailure(body, head);
      if (failure !== undefined) throw failure;
      return bound.contentOf(body, head);
    };
    return { ...bound, contentOf };
  }

  private request(
    { method, url, body }: BoundCall,
    { headers = {}, signal }: TransportCallOptions,
    accept: string,
  ): ClientHttpRequest {
    return {
      method,
      url,
      headers: {
        accept,
        [A2A_VERSION_HEADER.toLowerCase()]: this.context.protocolVersion,
        ...(body !== undefined && { 'content-type': JSON_MEDIA_TYPE }),
        ...this.headersOf(headers),
      },
      ...(body !== undefined && { body }),
      signal,
    };
  }
}
