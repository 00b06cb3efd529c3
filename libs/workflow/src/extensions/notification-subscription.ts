import type { ReceivedMessage } from '../model/received-message.js';

/**
 * Signs of life of a subscription.
 *
 * @publicApi
 */
export interface SubscriptionHeartbeat {
  readonly openedAt: Date;
  /** When anything came last on the connection, heartbeats of the stream included; `null` before that. */
  readonly lastEventAt: Date | null;
  /** How many events of the agent were delivered; heartbeats do not count. */
  readonly eventCount: number;
  readonly active: boolean;
}

/**
 * A stream of notifications of an agent. It stays open whatever state the agent's task is in, until one side closes it.
 *
 * @publicApi
 */
export interface NotificationSubscription {
  readonly agentName: string;
  readonly contextId: string;

  /**
   * Resolves at the first event with a state of the agent's task that is no refusal. Messages and artifacts are delivered,
   * but acknowledge nothing.
   *
   * @throws WorkflowStateError the agent refused, or ended the stream before
   * @throws TimeoutException `No subscription acknowledgement received`
   * @throws CancellationException it was closed before
   */
  acknowledgement(): Promise<ReceivedMessage>;

  /** Settles when the stream has really ended: resolves when one side closed it, rejects with what broke it. */
  completion(): Promise<void>;

  isActive(): boolean;

  /** Asks for the end of the stream, once. The agent's task goes on. */
  close(): void;

  heartbeat(): SubscriptionHeartbeat;

  /** When the last event of the agent came; heartbeats do not count. */
  lastBusinessEventAt(): Date | null;

  /**
   * Is it active, and has anything come lately?
   *
   * @param maximumIdleMs milliseconds since the last sign of life
   * @throws WorkflowArgumentError `maximumIdle must not be negative`
   */
  isHealthy(maximumIdleMs: number): boolean;
}

/**
 * Told of what an agent notifies. What it throws is logged, and the stream goes on. Of a task that never ends, the last
 * 256 artifacts are shown, and the last 1,024 parts of each.
 *
 * @publicApi
 */
export type NotificationListener = (subscription: NotificationSubscription, received: ReceivedMessage) => void;
