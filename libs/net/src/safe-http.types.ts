import type { TargetPolicy } from './target-policy.js';
import type { TlsContext, TlsContextOptions } from './tls/tls-context.js';

/** Finds all addresses of a host. */
export type HostResolver = (host: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;

/** Times in milliseconds. */
export interface SafeHttpClientOptions {
  /** Judges every URL and every address before it is reached. */
  policy: TargetPolicy;
  /** Default: the system's resolver. */
  resolve?: HostResolver;
  /** For TCP and TLS together. Default: 5,000. */
  connectTimeoutMs?: number;
  /** From the request sent to the headers of its answer. Default: 10,000. */
  headersTimeoutMs?: number;
  /** From the call to the last byte of the answer. Default: 10,000. */
  totalTimeoutMs?: number;
  /** Default: 65,536. */
  maxAnswerBytes?: number;
  /** At once to one origin at one set of addresses; more requests wait. Default: 16. */
  maxConnectionsPerOrigin?: number;
  /** Default: the authorities that Node knows, and no certificate of its own. */
  tls?: TlsContext | TlsContextOptions;
}

/** One request. */
export interface SafeRequest {
  /** Default: `GET`. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Ends the request; its reason is thrown. */
  signal?: AbortSignal;
  /** Instead of the client's; 0 = none. */
  totalTimeoutMs?: number;
  /** Instead of the client's; 0 = none. */
  headersTimeoutMs?: number;
  /** Instead of the client's. */
  maxAnswerBytes?: number;
  /** Cuts a longer answer at the limit instead of failing with `ANSWER_TOO_LARGE`. Default: false. */
  cutAnswer?: boolean;
}

/** One request whose answer is read bit by bit. */
export interface SafeStreamRequest extends Omit<SafeRequest, 'maxAnswerBytes' | 'cutAnswer'> {
  /** From the call to the last byte of the answer. Default: 0 = none. */
  totalTimeoutMs?: number;
  /** Between two pieces of the body, whatever is in them; 0 = none. Default: the client's limit for headers. */
  idleTimeoutMs?: number;
}

/** An answer whose body is still to come, whatever its status. */
export interface SafeStream {
  status: number;
  /** As those of {@link SafeAnswer}. */
  headers: Readonly<Record<string, string | undefined>>;
  /**
   * The body, to be read once; leaving it early closes the connection. It fails as {@link SafeRequest} does: the limits
   * and the caller's signal hold until its end.
   */
  chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection; harmless when it is over. */
  close(): void;
}

/** An answer, whatever its status; redirects are answers too. */
export interface SafeAnswer {
  status: number;
  /** Names in lower case; what came more than once is joined with `, `. */
  headers: Readonly<Record<string, string | undefined>>;
  /** As it came: nothing is decompressed. */
  body: Buffer;
}
