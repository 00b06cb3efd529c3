import type { PushSigner } from './push-signer.js';

/**
 * Decides by itself which URLs may be notified, in place of every other rule: no address is looked at any more. For
 * tests and closed networks.
 *
 * @param url as the client wrote it, an absolute http or https URL
 * @publicApi
 */
export type PushUrlValidator = (url: string) => boolean | Promise<boolean>;

/**
 * Which receivers may be notified besides those on the public internet.
 *
 * @publicApi
 */
export interface PushAllowOptions {
  /** Host names, or `*.suffix`, that are trusted wherever they resolve to, on any port. Default none. */
  readonly hosts?: readonly string[];
  /** Ranges of addresses, such as `10.20.0.0/16`, allowed besides the public ones, on any port. Default none. */
  readonly cidrs?: readonly string[];
  /** Plain `http:` too. Default false. */
  readonly allowHttp?: boolean;
  /** Ports of hosts that are not listed. Default 443 and 8443; with `allowHttp` also 80. */
  readonly ports?: readonly number[];
  /** Nothing but what `hosts` and `cidrs` list. Default false. */
  readonly onlyListed?: boolean;
}

/**
 * How notifications are signed.
 *
 * @see https://www.standardwebhooks.com
 * @publicApi
 */
export interface PushSigningOptions {
  /** `whsec_` and 24 to 64 bytes in base64; several while one takes the place of another. */
  readonly secret: string | readonly string[];
}

/**
 * How push notifications are sent.
 *
 * @publicApi
 */
export interface PushOptions {
  /** Receivers besides those on the public internet. Default none. */
  readonly allow?: PushAllowOptions;
  /** Adds `webhook-id`, `webhook-timestamp` and `webhook-signature`. Default: not signed. */
  readonly signing?: PushSigningOptions;
  /** A config that is made for a task that exists first gets the Task as it is. Default true. */
  readonly snapshotOnCreate?: boolean;
  /** Notifications on their way at once. Default 16. */
  readonly concurrency?: number;
  /** How long one attempt may take, in milliseconds. Default 10000. */
  readonly timeoutMs?: number;
  /** The pauses between attempts, in milliseconds; the last one holds for all that follow. Default 1000, 2000, 4000, 8000. */
  readonly retryDelaysMs?: readonly number[];
  /** Attempts for one event. Default 5. */
  readonly maxAttempts?: number;
  /** By how much a pause may be longer, as a share of it, at random. 0 to 1. Default 0.25. */
  readonly jitter?: number;
  /** The longest `Retry-After` that is heeded, in milliseconds. Default 60000. */
  readonly maxRetryAfterMs?: number;
  /** A config that loses so many events in a row gets no more. Default 3. */
  readonly disableAfterLostEvents?: number;
  /** Events that may wait for one config. Default 256. */
  readonly maxQueuedPerConfig?: number;
  /** Events that may wait for all configs together. Default 100000. */
  readonly maxQueuedTotal?: number;
  /** Bytes that may wait for all configs together. Default 67108864 (64 MiB). */
  readonly maxQueuedBytes?: number;
  /** How long what waits is still sent when the app shuts down, in seconds. Default 5. */
  readonly drainSeconds?: number;
}

/**
 * The options of push notifications after the defaults were filled in.
 *
 * @publicApi
 */
export interface PushSettings extends Readonly<Required<Omit<PushOptions, 'signing'>>> {
  /** Makes the signatures; undefined: none are made. Shows no secret. */
  readonly signer: PushSigner | undefined;
}
