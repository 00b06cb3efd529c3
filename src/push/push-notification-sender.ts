import type { PushNotification, PushTarget } from './push-notification.js';

/**
 * What waits to be delivered.
 *
 * @publicApi
 */
export interface PushGauges {
  /** Notifications that wait, those under way included. */
  readonly queued: number;
  /** Their bytes. */
  readonly bytes: number;
  /** Requests under way. */
  readonly inFlight: number;
}

/**
 * Delivers events to push notification configs: those of one config in order and one at a time, those of different
 * ones at the same time. The class is its own injection token.
 *
 * @publicApi
 */
export abstract class PushNotificationSender {
  /** Takes a notification on. Never waits and never throws: whoever calls is on the way of the task's events. */
  abstract send(notification: PushNotification): void;

  /** Tells that no more will follow for this config: what waits is still delivered. */
  abstract end(target: PushTarget): void;

  /** Drops what waits for this config, the request under way too: it was deleted or replaced. */
  abstract cancel(target: PushTarget): void;

  abstract gauges(): PushGauges;

  /** Delivers what waits, for `drainSeconds` at most, and drops the rest. Called once, at shutdown. */
  abstract drain(): Promise<void>;
}
