import {
  ForbiddenTargetError,
  retryAfterOf,
  SafeHttpClient,
  SafeHttpError,
  type HostResolver,
  type SafeAnswer,
  type TargetPolicy,
} from 'nestjs-a2a/net';
import { A2A_MEDIA_TYPE, JSON_MEDIA_TYPE, type SpecRevision } from 'nestjs-a2a/protocol';
import { answeredWithin } from './answered-within.js';
import { notificationIdOf } from './notification-id.js';
import type { PushNotificationConfigStore, StoredPushConfig } from './push-notification-config-store.js';
import type { PushNotification } from './push-notification.js';
import type { PushUrlPolicy } from './push-url.policy.js';
import type { PushSettings } from './push.options.js';

/** What became of one attempt. */
export type PushVerdict =
  | { readonly kind: 'delivered' }
  /** The config is not there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number };

/** What deliveries need. */
export interface PushDeliveryServices {
  readonly settings: PushSettings;
  readonly specRevision: SpecRevision;
  readonly store: PushNotificationConfigStore;
  readonly policy: PushUrlPolicy;
  /** For tests: finds the addresses of hosts. */
  readonly resolve?: HostResolver;
  /** For tests: the clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

const MAX_CONNECT_MS = 5_000;
const MAX_ANSWER_BYTES = 4 * 1024;
/** Besides 5xx: what a receiver says that could not take it now. */
const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

/** Makes one attempt to deliver one notification, and says what became of it. */
export class PushDelivery {
  private client: SafeHttpClient | undefined;

  constructor(private readonly services: PushDeliveryServices) {}

  async attempt(notification: PushNotification, signal: AbortSignal): Promise<PushVerdict> {
    // What is told in the log must not hold what others threw: it may name the URL, or worse.
    let doing = 'the config could not be read';
    const { store, policy, settings } = this.services;
    const { key, configId } = notification.target;
    const end = performance.now() + settings.timeoutMs;
    const left = (): number => Math.max(1, Math.ceil(end - performance.now()));
    try {
      const config = await answeredWithin(store.get(key, configId), left(), signal);
      if (config === undefined) return { kind: 'gone' };
      doing = 'the PushUrlPolicy failed';
      // Host code may give anything: only a plain yes is one.
      if ((await answeredWithin(policy.mayDeliver(config.url), left(), signal)) !== true)
        return { kind: 'lost', reason: 'the URL is not allowed' };
      if (signal.aborted) return { kind: 'gone' };
      doing = 'it could not be sent';
      return this.verdictOf(await this.post(config, notification, left(), signal));
    } catch (error) {
      if (signal.aborted) return { kind: 'gone' };
      return verdictOfFailure(error, doing);
    }
  }

  /** Ends the requests under way. */
  async close(): Promise<void> {
    await this.client?.close();
  }

  private post(
    config: StoredPushConfig,
    notification: PushNotification,
    totalTimeoutMs: number,
    signal: AbortSignal,
  ): Promise<SafeAnswer> {
    // Made at the first use: most agents notify nobody.
    this.client ??= this.newClient();
    const body = notification.json;
    const headers = this.headersOf(config, notification, body);
    const limits = { totalTimeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES, cutAnswer: true };
    return this.client.request(config.url, { method: 'POST', headers, body, signal, ...limits });
  }

  private headersOf(config: StoredPushConfig, { target, sequence }: PushNotification, body: string) {
    const { settings, specRevision, now = Date.now } = this.services;
    const id = notificationIdOf(target, sequence);
    const { token, authentication } = config;
    const headers: Record<string, string> = {
      'content-type': specRevision === '1.0.0' ? JSON_MEDIA_TYPE : A2A_MEDIA_TYPE,
      'user-agent': 'nestjs-a2a',
      'x-a2a-notification-id': id,
      ...settings.signer?.headers(id, body, now()),
    };
    if (token) headers['x-a2a-notification-token'] = token;
    if (authentication?.credentials) {
      headers['authorization'] = `${authentication.scheme} ${authentication.credentials}`;
    }
    return headers;
  }

  private verdictOf({ status, headers }: SafeAnswer): PushVerdict {
    if (status >= 200 && status < 300) return { kind: 'delivered' };
    const reason = `status ${status}`;
    if (status < 500 && !RETRIED.has(status)) return { kind: 'lost', reason };
    if (status !== 429 && status !== 503) return { kind: 'retry', reason };
    const { settings, now = Date.now } = this.services;
    const afterMs = retryAfterOf(headers['retry-after'], now());
    return {
      kind: 'retry',
      reason,
      ...(afterMs !== undefined && { afterMs: Math.min(afterMs, settings.maxRetryAfterMs) }),
    };
  }

  private newClient(): SafeHttpClient {
    const { settings, policy, resolve } = this.services;
    const { timeoutMs, concurrency } = settings;
    return new SafeHttpClient({
      policy: addressesOf(policy),
      ...(resolve && { resolve }),
      connectTimeoutMs: Math.min(timeoutMs, MAX_CONNECT_MS),
      headersTimeoutMs: timeoutMs,
      totalTimeoutMs: timeoutMs,
      maxConnectionsPerOrigin: concurrency,
    });
  }
}

/** The URL itself was judged just before, by a policy that may take its time. */
function addressesOf(policy: PushUrlPolicy): TargetPolicy {
  return {
    checkUrl: () => undefined,
    checkAddress: (address, url) => {
      // An `async` one would give a promise, which is no answer here.
      if (policy.mayConnect(address, url.href) !== true) throw new ForbiddenTargetError('the address is not allowed');
    },
  };
}

function verdictOfFailure(error: unknown, doing: string): PushVerdict {
  if (error instanceof ForbiddenTargetError) return { kind: 'lost', reason: error.message };
  // A header that cannot be sent now cannot be sent later.
  if (error instanceof SafeHttpError && error.code === 'BAD_HEADER') return { kind: 'lost', reason: error.code };
  return { kind: 'retry', reason: error instanceof SafeHttpError ? error.code : doing };
}
