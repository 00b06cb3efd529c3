import type { Pool } from 'undici';
import { flatHeaders, readBody } from './answer-reader.js';
import { CheckedAddresses } from './checked-addresses.js';
import { ForbiddenTargetError, SafeHttpError } from './errors.js';
import { PinnedPools } from './pinned-pools.js';
import { requestHeaders } from './request-headers.js';
import { RequestLimit } from './request-limit.js';
import type { SafeAnswer, SafeHttpClientOptions, SafeRequest } from './safe-http.types.js';
import type { TargetPolicy } from './target-policy.js';
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
  private readonly totalTimeoutMs: number;
  private readonly maxAnswerBytes: number;
  private readonly running = new Set<RequestLimit>();
  private closed = false;

  constructor(options: SafeHttpClientOptions) {
    this.policy = options.policy;
    this.addresses = new CheckedAddresses(options.policy, options.resolve);
    this.totalTimeoutMs = options.totalTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.maxAnswerBytes = options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES;
    this.pools = new PinnedPools({
      connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
      headersTimeoutMs: options.headersTimeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxConnections: options.maxConnectionsPerOrigin ?? DEFAULT_MAX_CONNECTIONS,
      tls: options.tls,
    });
  }

  /**
   * Sends one request and reads its answer, whatever its status.
   *
   * @throws ForbiddenTargetError when the policy refuses the URL or any address of its host; nothing was sent
   * @throws SafeHttpError for everything else, but for an abort by the caller's signal: then its reason
   */
  async request(target: string | URL, request: SafeRequest = {}): Promise<SafeAnswer> {
    if (this.closed) throw closedError();
    // A copy: nobody can change what was judged.
    const url = absoluteUrl(target);
    this.policy.checkUrl(url);
    const headers = requestHeaders(request.headers);
    const limit = new RequestLimit(request.totalTimeoutMs ?? this.totalTimeoutMs, request.signal);
    this.running.add(limit);
    try {
      limit.signal.throwIfAborted();
      const addresses = await limit.before(this.addresses.of(url));
      limit.signal.throwIfAborted();
      return await this.pools.use(url, addresses, (pool) => this.exchange(pool, url, request, headers, limit.signal));
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : toSafeHttpError(error);
    } finally {
      this.running.delete(limit);
      limit.end();
    }
  }

  /** Ends every request and every connection. */
  async close(): Promise<void> {
    this.closed = true;
    for (const limit of this.running) limit.stop(closedError());
    await this.pools.destroy();
  }

  private async exchange(
    pool: Pool,
    url: URL,
    request: SafeRequest,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<SafeAnswer> {
    const { method = 'GET', body = null } = request;
    const answer = await pool.request({ method, path: url.pathname + url.search, headers, body, signal });
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
