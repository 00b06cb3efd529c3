import { SafeHttpClient, type TlsContext, type TlsContextOptions } from 'nestjs-a2a/net';
import { checkNames, type NamesOf } from '../option-names.js';
import { ClientChunks } from './client-chunks.js';
import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from './client-http.js';
import { type ClientNetwork, targetPolicyOf } from './client-network.js';
import { httpFailure } from './http-failure.js';
import { LIMIT_NAMES } from './limit-names.js';

const DEFAULT_TOTAL_MS = 60_000;
const DEFAULT_HEADERS_MS = 30_000;
const DEFAULT_IDLE_MS = 120_000;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;
// Each stream holds a connection, and a call must not wait for a stream to end.
const MAX_CONNECTIONS = 1024;

/** Options of {@link SafeClientHttp}: limits for requests that bring none of their own. */
export interface SafeClientHttpOptions extends ClientHttpLimits {
  /** Default: the public internet, by HTTPS. */
  network?: ClientNetwork;
  /** For TCP and TLS together. Default: 5,000 ms. */
  connectTimeoutMs?: number;
  /** Default: the authorities that Node knows, and no certificate of its own. */
  tls?: TlsContext | TlsContextOptions;
}

const NAMES: NamesOf<SafeClientHttpOptions> = { ...LIMIT_NAMES, network: true, connectTimeoutMs: true, tls: true };

/**
 * HTTP that cannot be turned inward: each host is resolved, judged by the policy, and connected to at exactly the judged
 * address. Follows no redirects and uses no proxy.
 *
 * @publicApi
 */
export class SafeClientHttp extends ClientHttp {
  private readonly client: SafeHttpClient;
  private readonly limits: Required<ClientHttpLimits>;
  private readonly network: ClientNetwork | undefined;

  /** @throws A2AClientError `INVALID_CONFIGURATION` */
  constructor(options: SafeClientHttpOptions = {}) {
    super();
    checkNames('The options of SafeClientHttp', options, NAMES);
    const { network, connectTimeoutMs, tls } = options;
    this.network = network;
    this.limits = {
      totalTimeoutMs: options.totalTimeoutMs ?? DEFAULT_TOTAL_MS,
      headersTimeoutMs: options.headersTimeoutMs ?? DEFAULT_HEADERS_MS,
      idleTimeoutMs: options.idleTimeoutMs ?? DEFAULT_IDLE_MS,
      maxAnswerBytes: options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES,
    };
    this.client = new SafeHttpClient({
      policy: targetPolicyOf(network),
      connectTimeoutMs,
      tls,
      maxConnectionsPerOrigin: MAX_CONNECTIONS,
    });
  }

  async request(request: ClientHttpRequest, limits: ClientHttpLimits = {}): Promise<ClientHttpAnswer> {
    const { url, ...rest } = request;
    const { totalTimeoutMs, headersTimeoutMs, maxAnswerBytes } = { ...this.limits, ...defined(limits) };
    try {
      const answer = await this.client.request(url, { ...rest, totalTimeoutMs, headersTimeoutMs, maxAnswerBytes });
      return { ...answer, body: answer.body.toString('utf8') };
    } catch (error) {
      throw httpFailure(error, url, this.network);
    }
  }

  async open(request: ClientHttpRequest, limits: ClientHttpLimits = {}): Promise<ClientHttpStream> {
    const { url, ...rest } = request;
    const { headersTimeoutMs, idleTimeoutMs } = { ...this.limits, ...defined(limits) };
    // A stream may be long without being stuck: its own total limit is the only one.
    const { totalTimeoutMs = 0 } = limits;
    const failure = (error: unknown): unknown => httpFailure(error, url, this.network);
    try {
      const stream = await this.client.open(url, { ...rest, totalTimeoutMs, headersTimeoutMs, idleTimeoutMs });
      return { ...stream, chunks: new ClientChunks(stream.chunks, failure) };
    } catch (error) {
      throw failure(error);
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Without what is undefined: that would hide a default. */
function defined(limits: ClientHttpLimits): Partial<Required<ClientHttpLimits>> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
