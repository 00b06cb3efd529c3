import type { Dispatcher, Pool } from 'undici';
import { flatHeaders, readBody } from './answer-reader.js';
import { AnswerStream } from './answer-stream.js';
import { type CheckedAddress, CheckedAddresses } from './checked-addresses.js';
import { ForbiddenTargetError, SafeHttpError } from './errors.js';
import { type HeldPool, PinnedPools } from './pinned-pools.js';
import { requestHeaders } from './request-headers.js';
import { RequestLimit } from './request-limit.js';
import type {
  SafeAnswer,
  SafeHttpClientOptions,
  SafeRequest,
  SafeStream,
  SafeStreamRequest,
} from './safe-http.types.js';
import type { TargetPolicy } from './target-policy.js';
import { tlsContextOf } from './tls/create-tls-context.js';
import { toSafeHttpError } from './undici-errors.js';

const DEFAULT_CONNECT_TIMEOUT_MS = 5000;
const DEFAULT_TIMEOUT_MS = 10000;
const DEFAULT_MAX_ANSWER_BYTES = 65536;
const DEFAULT_MAX_CONNECTIONS = 16;

/**
 * HTTP to places that others name, without becoming their way into the network: every request resolves its host, asks
 * the policy about all addresses, and connects to one of exactly these. It follows no redirects, uses no proxy, keeps no
 * cookies, decompresses nothing, and has a limit for each time and size.
 */
export class SafeHttpClient {
  private readonly policy: TargetPolicy;
  private readonly addresses: CheckedAddresses;
  private readonly pools: PinnedPools;
  private readonly headersTimeoutMs: number;
  private readonly totalTimeoutMs: number;
  private readonly maxAnswerBytes: number;
  private readonly running = new Set<RequestLimit>();
  private closed = false;

  constructor(options: SafeHttpClientOptions) {
    this.policy = options.policy;
    this.addresses = new CheckedAddresses(options.policy, options.resolve);
    this.totalTimeoutMs = options.totalTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.maxAnswerBytes = options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES;
    this.headersTimeoutMs = options.headersTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.pools = new PinnedPools({
      connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
      headersTimeoutMs: this.headersTimeoutMs,
      maxConnections: options.maxConnectionsPerOrigin ?? DEFAULT_MAX_CONNECTIONS,
      tls: options.tls && tlsContextOf(options.tls),
    });
  }

  /**
   * Sends one request and reads its answer, whatever its status.
   *
   * @throws ForbiddenTargetError when the policy refuses the URL or any address of its host; nothing was sent
   * @throws SafeHttpError for everything else, but for an abort by the caller's signal: then its reason
   */
  async request(target: string | URL, request: SafeRequest = {}): Promise<SafeAnswer> {
    const { url, headers } = this.judged(target, request);
    const limit = this.begin(request.totalTimeoutMs ?? this.totalTimeoutMs, request.signal);
    try {
      const addresses = await this.addressesOf(url, limit);
      return await this.pools.use(url, addresses, (pool) =>
        // undici hears of an abort only once the request has a connection: who waits for one must not wait for that.
        limit.before(this.exchange(pool, url, request, headers, limit.signal)),
      );
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : toSafeHttpError(error);
    } finally {
      this.finish(limit);
    }
  }

  /**
   * Sends one request and hands out its answer as soon as the headers are there, whatever its status. The connection is
   * held until the body is read, left or closed.
   *
   * @throws ForbiddenTargetError when the policy refuses the URL or any address of its host; nothing was sent
   * @throws SafeHttpError for everything else, but for an abort by the caller's signal: then its reason
   */
  async open(target: string | URL, request: SafeStreamRequest = {}): Promise<SafeStream> {
    const { url, headers } = this.judged(target, request);
    const limit = this.begin(request.totalTimeoutMs ?? 0, request.signal);
    let held: HeldPool | undefined;
    try {
      const addresses = await this.addressesOf(url, limit);
      const pool = (held = await this.pools.hold(url, addresses));
      const sent = this.send(pool.pool, url, request, headers, limit.signal, 0);
      const answer = await limit.before(sent);
      const { idleTimeoutMs = this.headersTimeoutMs } = request;
      const body = new AnswerStream(answer.body, limit, idleTimeoutMs, () => {
        pool.release();
        this.finish(limit);
      });
      return {
        status: answer.statusCode,
        headers: flatHeaders(answer.headers),
        chunks: body,
        close: () => body.close(),
      };
    } catch (error) {
      held?.giveUp();
      this.finish(limit);
      throw limit.signal.aborted ? limit.signal.reason : toSafeHttpError(error);
    }
  }

  /** Ends every request and every connection. */
  async close(): Promise<void> {
    this.closed = true;
    for (const limit of this.running) limit.stop(closedError());
    await this.pools.destroy();
  }

  private judged(target: string | URL, request: Pick<SafeRequest, 'headers'>) {
    if (this.closed) throw closedError();
    // A copy: nobody can change what was judged.
    const url = absoluteUrl(target);
    this.policy.checkUrl(url);
    return { url, headers: requestHeaders(request.headers) };
  }

  private begin(totalTimeoutMs: number, signal: AbortSignal | undefined): RequestLimit {
    const limit = new RequestLimit(totalTimeoutMs, signal);
    this.running.add(limit);
    return limit;
  }

  private finish(limit: RequestLimit): void {
    this.running.delete(limit);
    limit.end();
  }

  private async addressesOf(url: URL, limit: RequestLimit): Promise<readonly CheckedAddress[]> {
    limit.signal.throwIfAborted();
    const addresses = await limit.before(this.addresses.of(url));
    limit.signal.throwIfAborted();
    return addresses;
  }

  private send(
    pool: Pool,
    url: URL,
    request: SafeRequest | SafeStreamRequest,
    headers: Record<string, string>,
    signal: AbortSignal,
    bodyTimeout?: number,
  ): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', body = null, headersTimeoutMs: headersTimeout } = request;
    const path = url.pathname + url.search;
    return pool.request({
      method,
      path,
      headers,
      body,
      signal,
      ...(headersTimeout !== undefined && { headersTimeout }),
      ...(bodyTimeout !== undefined && { bodyTimeout }),
    });
  }

  private async exchange(
    pool: Pool,
    url: URL,
    request: SafeRequest,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<SafeAnswer> {
    const answer = await this.send(pool, url, request, headers, signal, request.headersTimeoutMs);
    const maxBytes = request.maxAnswerBytes ?? this.maxAnswerBytes;
    return {
      status: answer.statusCode,
      headers: flatHeaders(answer.headers),
      body: await readBody(answer.body, { maxBytes, cut: request.cutAnswer ?? false }),
    };
  }
}

function absoluteUrl(target: string | URL): URL {
  const text = typeof target === 'string' ? target : target.href;
  if (!URL.canParse(text)) throw new ForbiddenTargetError('not an absolute URL');
  return new URL(text);
}

function closedError(): SafeHttpError {
  return new SafeHttpError('CLOSED', 'The HTTP client is closed');
}
