import { PushSigner } from './push-signer.js';
import type { PushOptions, PushSettings } from './push.options.js';

/** How notifications are sent when nothing else is said. */
export const PUSH_DEFAULTS: PushSettings = Object.freeze({
  allow: Object.freeze({}),
  signer: undefined,
  snapshotOnCreate: true,
  concurrency: 16,
  timeoutMs: 10_000,
  retryDelaysMs: Object.freeze([1_000, 2_000, 4_000, 8_000]),
  maxAttempts: 5,
  jitter: 0.25,
  maxRetryAfterMs: 60_000,
  disableAfterLostEvents: 3,
  maxQueuedPerConfig: 256,
  maxQueuedTotal: 100_000,
  maxQueuedBytes: 64 * 1024 * 1024,
  drainSeconds: 5,
});

/** Fills the defaults in. @param options without a fault */
export function resolvePushSettings(options: PushOptions): PushSettings {
  const { signing, ...given } = options;
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const signer = signing === undefined ? undefined : new PushSigner([signing.secret].flat());
  return Object.freeze({ ...PUSH_DEFAULTS, ...said, signer });
}
