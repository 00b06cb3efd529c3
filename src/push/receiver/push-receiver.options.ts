import type { ReceivedPushNotification } from './received-push-notification.js';

/**
 * Finds the token that belongs to a notification, for clients that make one for each task.
 *
 * @returns `undefined` when nothing is known of the task; the notification is then refused
 * @publicApi
 */
export type PushTokenLookup = (
  notification: ReceivedPushNotification,
) => string | undefined | Promise<string | undefined>;

/**
 * How a receiver knows that a notification comes from an agent that was told to send it. Everything that is given must
 * hold; one of `token`, `authorization` and `signingSecrets` is needed.
 *
 * @publicApi
 */
export interface A2APushReceiverOptions {
  /**
   * What agents were given as the `token` of the push config (`X-A2A-Notification-Token`): one, several while one takes
   * the place of another, or a function that finds it.
   */
  readonly token?: string | readonly string[] | PushTokenLookup;
  /** The value of the `Authorization` header, such as `Bearer s3cret`; or several. */
  readonly authorization?: string | readonly string[];
  /** Secrets (`whsec_…`) that agents sign notifications with. @see https://www.standardwebhooks.com */
  readonly signingSecrets?: readonly string[];
  /** How many seconds the time in a signature may be away from now. Default 300. */
  readonly toleranceSeconds?: number;
  /** How many notifications are remembered, so that none is handled twice. Default 10000. */
  readonly remember?: number;
  /** Largest body, in bytes; beyond it 413. Default 1048576 (1 MiB). */
  readonly maxBytes?: number;
  /** `true`: whoever reaches the route is believed. Default `false`. */
  readonly allowAnyone?: boolean;
}
