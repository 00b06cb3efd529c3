import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const LEAST_KEY_BYTES = 24;
const MOST_KEY_BYTES = 64;

/**
 * The key that a `whsec_…` secret stands for; undefined when it is none.
 *
 * @see https://www.standardwebhooks.com
 */
export function webhookKeyOf(secret: string): Buffer | undefined {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  if (!BASE64.test(encoded)) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= LEAST_KEY_BYTES && key.length <= MOST_KEY_BYTES ? key : undefined;
}

/**
 * One entry of the `webhook-signature` header, `v1,…`.
 *
 * @param timestamp seconds since the epoch
 * @throws RangeError when the secret is none
 */
export function signWebhook(secret: string, id: string, timestamp: number, body: string | Uint8Array): string {
  const key = webhookKeyOf(secret);
  if (key === undefined) throw new RangeError('A webhook secret is whsec_ and 24 to 64 bytes in base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${digest}`;
}
