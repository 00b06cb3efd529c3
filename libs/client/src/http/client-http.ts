/** One request of the client. */
export interface ClientHttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Ends the request; its reason is thrown. */
  signal?: AbortSignal;
}

/** A whole answer, whatever its status; redirects are answers too. */
export interface ClientHttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** An answer whose body comes bit by bit. */
export interface ClientHttpStream {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Leaving it early closes the connection. To be read once. */
  chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection; harmless when it is over. */
  close(): void;
}

/** Limits of one request, instead of the client's. Times in milliseconds, 0 = none. */
export interface ClientHttpLimits {
  /** From the call to the last byte of the answer. */
  totalTimeoutMs?: number;
  /** From the request sent to the headers of its answer. */
  headersTimeoutMs?: number;
  /** Between two pieces of a body that is streamed; anything counts, heartbeats too. */
  idleTimeoutMs?: number;
  /** Of a whole answer. */
  maxAnswerBytes?: number;
}

/**
 * What the client sends with. Transports, discovery and credentials all go through one of these, so what stands in front
 * of it (policies, interceptors) sees every request.
 *
 * @publicApi
 */
export abstract class ClientHttp {
  /** Sends a request and reads the whole answer. */
  abstract request(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer>;

  /** Sends a request and hands out its body as it comes. */
  abstract open(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream>;

  /** Ends every request and every connection. */
  abstract close(): Promise<void>;
}
