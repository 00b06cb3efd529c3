import { createTlsContext, type TlsContext, type TlsContextOptions } from 'nestjs-a2a/net';
import type { Wait } from './calls/call-scope.js';
import type { BackoffOptions } from './calls/backoff.js';
import type { ClientCredentials } from './credentials/credential-setting.js';
import type { TrustedSigner } from './discovery/card-trust.js';
import type { ClientHttp, ClientHttpLimits } from './http/client-http.js';
import type { ClientInterceptor } from './http/client-interceptor.js';
import type { ClientNetwork } from './http/client-network.js';
import type { PollingOptions } from './streams/task-poller.js';
import type { A2ATransportFactory } from './transport/a2a-transport.js';

/**
 * Options of a client. Times in milliseconds where nothing else is said.
 *
 * @publicApi
 */
export interface A2AClientOptions {
  /** An API key, a credential, several of them, or a source of your own. */
  readonly credentials?: ClientCredentials;
  /** Origins that get credentials besides the one that was named, `https://api.example.com` for example. */
  readonly credentialOrigins?: readonly string[];
  /** Where the client may connect to. Default: the public internet, by HTTPS. */
  readonly network?: ClientNetwork;
  /** Default: the authorities that Node knows, and no certificate of its own. */
  readonly tls?: TlsContext | TlsContextOptions;
  /** For TCP and TLS together. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * Defaults: 60,000 in all and 30,000 to the headers; where the agent works meanwhile, on sends and streams, no limit in
   * all and 300,000 to the headers. 120,000 of silence on a stream, 16 MiB an answer.
   */
  readonly limits?: ClientHttpLimits;
  /** Longest frame of a stream, in UTF-16 units. Default: 16 Mi. */
  readonly maxFrameLength?: number;
  /** Of calls that do no harm twice, and of streams that break. Default: 4 attempts after the first, 250 to 10,000. */
  readonly retry?: Partial<BackoffOptions>;
  /** Whether a stream that breaks before its task ended is taken up again. Default: true. */
  readonly resumeStreams?: boolean;
  /**
   * How often in all one stream is taken up whose connections do not last; those that lasted 10 seconds are not counted.
   * After each four in a row the pauses grow. Default: 1,000.
   */
  readonly maxResumes?: number;
  /** How agents are asked that cannot stream. Default: every 500, and every 10,000 when nothing happens. */
  readonly polling?: Partial<PollingOptions>;
  /** This binding is taken where the card has it; else the card's order counts. */
  readonly preferredProtocol?: string;
  /** Only these bindings, in this order; the card's order no longer counts. */
  readonly protocols?: readonly string[];
  /** Bindings of your own; before those of the same name that are built in. */
  readonly transports?: readonly A2ATransportFactory[];
  /** Given: every card must be signed by one of these. */
  readonly trust?: readonly TrustedSigner[];
  /** For how long a card whose answer says nothing of it is used without asking. Default: 300 seconds. */
  readonly cardLifetimeSeconds?: number;
  /** Where the card is, from the URL of the agent on; instead of the usual places. */
  readonly cardPath?: string;
  /** See every request and answer. */
  readonly interceptors?: readonly ClientInterceptor[];
  /** Instead of the client's own; `network`, `tls`, `connectTimeoutMs` are its business then. It is not closed. */
  readonly http?: ClientHttp;
  /** How the client waits. Default: by the clock. */
  readonly wait?: Wait;
}

export const DEFAULT_RETRY: BackoffOptions = { attempts: 4, initialDelayMs: 250, maxDelayMs: 10_000 };
export const DEFAULT_POLLING: PollingOptions = { initialDelayMs: 500, maxDelayMs: 10_000 };

/** What a client is told of TLS, read once. */
export function tlsOf({ tls }: A2AClientOptions): TlsContext | undefined {
  return tls === undefined || 'secureContext' in tls ? tls : createTlsContext(tls);
}
