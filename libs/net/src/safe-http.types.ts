import type { TargetPolicy } from './target-policy.js';

/** Finds all addresses of a host. */
export type HostResolver = (host: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;

/** What a client trusts and shows when it speaks TLS. The certificate of the other side is always checked. */
export interface SafeTlsOptions {
  /** PEM; instead of the authorities that Node knows. */
  ca?: string | readonly string[];
  /** PEM; the client's own certificate, with {@link key}. */
  cert?: string;
  /** PEM; the key of {@link cert}. */
  key?: string;
}

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
  tls?: SafeTlsOptions;
}

/** One request. */
export interface SafeRequest {
  /** Default: `GET`. */
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Ends the request; its reason is thrown. */
  signal?: AbortSignal;
  /** Instead of the client's. */
  totalTimeoutMs?: number;
  /** Instead of the client's. */
  maxAnswerBytes?: number;
  /** Cuts a longer answer at the limit instead of failing with `ANSWER_TOO_LARGE`. Default: false. */
  cutAnswer?: boolean;
}

/** An answer, whatever its status; redirects are answers too. */
export interface SafeAnswer {
  status: number;
  /** Names in lower case; what came more than once is joined with `, `. */
  headers: Readonly<Record<string, string | undefined>>;
  /** As it came: nothing is decompressed. */
  body: Buffer;
}
