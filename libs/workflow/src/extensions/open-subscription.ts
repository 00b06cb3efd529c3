import { randomUUID } from 'node:crypto';
import { type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import { ResponseAccumulator } from '../client/response/response-accumulator.js';
import { callSafely } from '../call-safely.js';
import { SilenceLimit, timerMs } from '../client/timing/time-limits.js';
import type { A2ATransport } from '../client/transport/a2a-transport.js';
import { classNameOf } from '../errors/causes.js';
import { CancellationException, TimeoutException, WorkflowStateError } from '../errors/workflow.error.js';
import type { MessageContent } from '../model/message-content.js';
import type { ReceivedMessage } from '../model/received-message.js';
import { Deferred } from './deferred.js';
import type {
  NotificationListener,
  NotificationSubscription,
  SubscriptionHeartbeat,
} from './notification-subscription.js';
import { SubscriptionClock } from './subscription-clock.js';

// A subscription may last for months: what the agent made long ago is let go of.
const MAX_ARTIFACTS = 256;
const MAX_PARTS = 1024;
const REFUSALS: ReadonlySet<string> = new Set<TaskState>([TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED]);

/** What a subscription is about. */
export interface SubscriptionOrder {
  readonly transport: A2ATransport;
  readonly agentName: string;
  readonly content: MessageContent;
  readonly listener: NotificationListener;
}

/** A subscription from its order to its end. Nothing is sent before {@link start}. */
export class OpenSubscription implements NotificationSubscription {
  readonly agentName: string;
  readonly contextId = randomUUID();
  private readonly acknowledged = new Deferred<ReceivedMessage>();
  private readonly ended = new Deferred<void>();
  private readonly clock = new SubscriptionClock();
  private readonly stop = new AbortController();
  private readonly accumulator = new ResponseAccumulator({
    latestMessageOnly: true,
    maxArtifacts: MAX_ARTIFACTS,
    maxParts: MAX_PARTS,
  });
  private active = true;
  /** Why the stream was stopped from here, when that is a failure. */
  private failure: Error | undefined;

  constructor(private readonly order: SubscriptionOrder) {
    this.agentName = order.agentName;
  }

  /** Opens the stream, and follows it to its end. Never rejects. */
  async start(): Promise<void> {
    const { config } = this.order.transport;
    const ackTimer = setTimeout(() => this.ackTimedOut(), timerMs(config.notificationAckTimeoutSeconds)).unref();
    const { sendTimeoutSeconds } = config;
    const idle = new SilenceLimit(timerMs(sendTimeoutSeconds), () =>
      this.fail(new TimeoutException(`A2A notification stream idle for ${sendTimeoutSeconds}s`)),
    );
    void this.acknowledged.promise.then(
      () => clearTimeout(ackTimer),
      () => clearTimeout(ackTimer),
    );
    try {
      await this.follow(() => {
        this.clock.activity();
        idle.touch();
      });
      this.settle(this.failure);
    } catch (error) {
      // A transport that is closed closes its subscriptions.
      if (error instanceof CancellationException) this.close();
      this.settle(this.stop.signal.aborted ? this.failure : asError(error));
    } finally {
      idle.end();
      this.order.transport.closeConversation(this.agentName, this.contextId);
    }
  }

  acknowledgement(): Promise<ReceivedMessage> {
    return this.acknowledged.promise;
  }

  completion(): Promise<void> {
    return this.ended.promise;
  }

  isActive(): boolean {
    return this.active;
  }

  close(): void {
    this.end(new CancellationException('Notification-T subscription closed before acknowledgement'));
  }

  heartbeat(): SubscriptionHeartbeat {
    const { openedAt, lastEventAt, eventCount } = this.clock;
    return Object.freeze({ openedAt, lastEventAt, eventCount, active: this.active });
  }

  lastBusinessEventAt(): Date | null {
    return this.clock.lastBusinessEventAt;
  }

  isHealthy(maximumIdleMs: number): boolean {
    return this.clock.wasActiveWithin(maximumIdleMs) && this.active;
  }

  private follow(onActivity: () => void): Promise<void> {
    const { transport, content } = this.order;
    const { accumulator, contextId, agentName } = this;
    return transport.openNotifications(
      agentName,
      content,
      { messageId: randomUUID(), contextId },
      {
        accumulator,
        onActivity,
        onEvent: (event) => {
          onActivity();
          this.take(event);
        },
        signal: this.stop.signal,
        correlation: { contextId },
      },
    );
  }

  private take(event: StreamResponse): void {
    if (this.stop.signal.aborted) return;
    this.clock.event();
    const received = this.accumulator.receivedWith(event);
    const state = stateIn(event);
    const isRefused = state !== undefined && !this.acknowledged.isSettled && REFUSALS.has(state);
    if (state !== undefined && !isRefused) this.acknowledged.resolve(received);
    this.deliver(received);
    if (isRefused) this.fail(this.refusal(state));
  }

  private deliver(received: ReceivedMessage): void {
    const { listener, transport } = this.order;
    callSafely(
      () => listener(this, received),
      (error) => transport.config.log.warn(`A listener of ${this.agentName} threw: ${classNameOf(error)}`),
    );
  }

  private refusal(state: TaskState): WorkflowStateError {
    const text = this.accumulator.text();
    return new WorkflowStateError(
      `Notification-T subscription rejected by '${this.agentName}': state=${state}, response=${text}`,
    );
  }

  private ackTimedOut(): void {
    this.end(new TimeoutException('No subscription acknowledgement received'));
  }

  /** Stops the stream because of a failure, which is its end as well. */
  private fail(error: Error): void {
    this.failure ??= error;
    this.end(error);
  }

  private end(reason: Error): void {
    this.acknowledged.reject(reason);
    this.active = false;
    this.stop.abort(reason);
  }

  private settle(error: Error | undefined): void {
    this.active = false;
    this.acknowledged.reject(error ?? new WorkflowStateError('Stream closed before acknowledgement'));
    if (error === undefined) this.ended.resolve();
    else this.ended.reject(error);
  }
}

function stateIn(event: StreamResponse): TaskState | undefined {
  if ('task' in event) return event.task.status.state;
  return 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new WorkflowStateError('The stream broke', { cause: error });
}
