import { timingSafeEqual } from 'node:crypto';
import { signWebhook } from '../webhook-signature.js';

const MOST_SIGNATURES = 16;

/** What a signed notification says of itself. */
export interface SignedNotification {
  readonly id: string;
  /** Seconds since 1970, as in the header. */
  readonly timestamp: string;
  /** The value of the `webhook-signature` header. */
  readonly signatures: string;
  /** As it came. */
  readonly body: string;
}

/**
 * What is wrong with the signature of a notification; undefined when nothing is.
 *
 * @param now milliseconds since 1970
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function webhookProblem(
  secrets: readonly string[],
  { id, timestamp, signatures, body }: SignedNotification,
  toleranceSeconds: number,
  now: number,
): string | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return 'its time cannot be read';
  const seconds = Number(timestamp);
  if (Math.abs(now / 1000 - seconds) > toleranceSeconds) return 'it was signed too long ago, or the clocks differ';
  const given = signatures.split(' ', MOST_SIGNATURES).map((signature) => Buffer.from(signature));
  let found = false;
  for (const secret of secrets) {
    const expected = Buffer.from(signWebhook(secret, id, seconds, body));
    for (const signature of given) {
      if (signature.length === expected.length && timingSafeEqual(signature, expected)) found = true;
    }
  }
  return found ? undefined : 'its signature is not right, or its body was changed on the way';
}
