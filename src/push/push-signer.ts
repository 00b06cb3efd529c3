import { signWebhook } from './webhook-signature.js';

/** Signs notifications, with every secret that is given. Keeps the secrets where no dump of the settings shows them. */
export class PushSigner {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /**
   * The headers of a signed notification.
   *
   * @param id the same for every attempt
   * @param at when this attempt is made, in milliseconds since the epoch
   */
  headers(id: string, body: string, at: number): Record<string, string> {
    const timestamp = Math.floor(at / 1000);
    const signatures = this.#secrets.map((secret) => signWebhook(secret, id, timestamp, body));
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
    };
  }
}
