import { A2AClientError, type ClientHttpStream, type ClientNetwork, SafeClientHttp } from 'nestjs-a2a/client';
import { parseJson } from 'nestjs-a2a/protocol';
import { textHeaders } from '../credentials/text-headers.js';
import { TimeoutException } from '../errors/workflow.error.js';
import type { TlsPolicy } from '../tls/tls.policy.js';
import { HttpConnectionException, HttpResponseException } from './http.exceptions.js';
import type { Timeouts } from './timeouts.js';

/** What a service is called with. */
export interface HttpServiceOptions {
  /** Starts the texts of errors, e.g. `Registry`. */
  readonly name: string;
  readonly tls: TlsPolicy;
  readonly network: ClientNetwork;
  readonly timeouts: Timeouts;
  readonly maxAnswerBytes: number;
}

/** One request. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** An answer; redirects are answers too. */
export interface ServiceAnswer {
  readonly status: number;
  /** Undefined when there is none, as with every status but those of success: that body is not even read. */
  readonly body: string | undefined;
}

const TIMED_OUT: ReadonlySet<string> = new Set(['TIMEOUT', 'STALLED']);

/** HTTP to a service that the host has named: JSON, limits, no redirects, and errors without what the service says. */
export class HttpService {
  private readonly http: SafeClientHttp;

  constructor(private readonly options: HttpServiceOptions) {
    const { network, timeouts, tls } = options;
    this.http = new SafeClientHttp({
      network,
      connectTimeoutMs: timeouts.connectTimeout,
      ...(tls.context && { tls: tls.context }),
    });
  }

  /**
   * @throws TimeoutException, HttpConnectionException, HttpResponseException; when it is aborted, the signal's reason
   */
  async send({ method, url, headers, body, signal }: ServiceRequest): Promise<ServiceAnswer> {
    const { readTimeout, total } = this.options.timeouts;
    const own = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const request = {
      method,
      url,
      headers: { ...own, ...lowerCased(textHeaders('The HttpAuthProvider', headers)) },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    };
    const limits = { totalTimeoutMs: total, headersTimeoutMs: readTimeout, idleTimeoutMs: readTimeout };
    try {
      return await this.read(await this.http.open(request, limits));
    } catch (error) {
      signal?.throwIfAborted();
      throw this.failure(error);
    }
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async read(answer: ClientHttpStream): Promise<ServiceAnswer> {
    const { status } = answer;
    if (!isSuccess(status)) {
      answer.close();
      return { status, body: undefined };
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.chunks) {
      size += chunk.byteLength;
      if (size > this.options.maxAnswerBytes) {
        const problem = `the answer has more than ${this.options.maxAnswerBytes} bytes`;
        throw new HttpResponseException(this.options.name, status, problem);
      }
      chunks.push(chunk);
    }
    return { status, body: size === 0 ? undefined : this.textOf(status, Buffer.concat(chunks, size)) };
  }

  private textOf(status: number, bytes: Buffer): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new HttpResponseException(this.options.name, status);
    }
  }

  private failure(error: unknown): unknown {
    if (!(error instanceof A2AClientError)) return error;
    const { name } = this.options;
    if (TIMED_OUT.has(error.code)) return new TimeoutException(`${name} did not answer in time`);
    return new HttpConnectionException(name, error.message, { cause: error });
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** @throws HttpResponseException without what the parser said */
export function jsonOf(service: string, { status, body }: ServiceAnswer): unknown {
  try {
    return parseJson(body ?? '');
  } catch {
    throw new HttpResponseException(service, status);
  }
}

/** So that a header of a provider takes the place of our own, however it is written. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
