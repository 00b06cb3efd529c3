import { abortable } from 'nestjs-a2a/net';
import { AbortableItems } from '../transport/abortable-items.js';
import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from './client-http.js';

/** HTTP of a host, made to listen to signals. */
export class ListeningHttp extends ClientHttp {
  constructor(private readonly http: ClientHttp) {
    super();
  }

  request(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer> {
    return abortable(this.http.request(request, limits), request.signal);
  }

  async open(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream> {
    const stream = await openedInTime(this.http, request, limits);
    const { signal } = request;
    if (signal === undefined) return stream;
    const { status, headers, chunks } = stream;
    return { status, headers, chunks: new AbortableItems(chunks, signal), close: () => stream.close() };
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

/** Opens a stream as long as the signal allows, whatever stands in between and does not listen. */
export async function openedInTime(
  http: ClientHttp,
  request: ClientHttpRequest,
  limits: ClientHttpLimits | undefined,
): Promise<ClientHttpStream> {
  const opening = http.open(request, limits);
  try {
    return await abortable(opening, request.signal);
  } catch (error) {
    opening.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}
