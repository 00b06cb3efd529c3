import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { A2AError } from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import { DueTimer } from '../tasks/due-timer.js';
import { ScopeMap } from '../tasks/scope-map.js';
import type { TaskKey } from '../tasks/task-record.js';
import { ChannelOrder } from './channel-order.js';
import { GuardedObservable } from './guarded-observable.js';
import { ReplayWindow } from './replay-window.js';
import { TaskChannel } from './task-channel.js';
import { TaskEventBus } from './task-event-bus.js';
import type { TaskEvent } from './task-event.js';

/** The bounds of an {@link RxJsTaskEventBus}. */
export interface RxJsTaskEventBusOptions {
  /** How many events of one task are kept for replay. Default 4,096. */
  readonly maxReplayEvents?: number;
  /** How many events of all tasks are kept for replay. Default 262,144. */
  readonly maxReplayEventsTotal?: number;
  /** How much is kept of one task, by {@link TaskEvent.bytes}. Default 4 MiB. */
  readonly maxReplayBytesPerTask?: number;
  /** How much is kept of all tasks. Default 64 MiB. */
  readonly maxReplayBytes?: number;
  /** How long a window is kept after its task was released. Default 60. */
  readonly replayGraceSeconds?: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

const MEBIBYTE = 2 ** 20;

/**
 * Carries events within this process. When all windows together are over a bound, whole windows go: those of tasks
 * without a live run first, the oldest first.
 *
 * @publicApi
 */
export class RxJsTaskEventBus extends TaskEventBus implements OnApplicationShutdown {
  private readonly logger = new Logger(RxJsTaskEventBus.name);
  private readonly maxEvents: number;
  private readonly maxEventsTotal: number;
  private readonly maxBytesPerTask: number;
  private readonly maxBytes: number;
  private readonly graceMillis: number;
  private readonly now: () => number;
  private readonly scopes = new ScopeMap<Map<string, TaskChannel>>();
  // The channels that have a window, each in one of the two: in the order in which their windows began …
  private readonly live = new ChannelOrder<TaskChannel>();
  // … or in which they were released, which is the order in which their grace is over.
  private readonly released = new ChannelOrder<TaskChannel>();
  private readonly grace: DueTimer;
  private tasks = 0;
  private subscribers = 0;
  private replayEvents = 0;
  private replayBytes = 0;
  private closed = false;

  constructor(options: RxJsTaskEventBusOptions = {}) {
    super();
    this.maxEvents = options.maxReplayEvents ?? 4096;
    this.maxEventsTotal = options.maxReplayEventsTotal ?? 262_144;
    this.maxBytesPerTask = options.maxReplayBytesPerTask ?? 4 * MEBIBYTE;
    this.maxBytes = options.maxReplayBytes ?? 64 * MEBIBYTE;
    this.graceMillis = (options.replayGraceSeconds ?? 60) * 1000;
    this.now = options.now ?? Date.now;
    this.grace = new DueTimer(
      this.now,
      () => this.expire(),
      () => this.nextExpiry(),
    );
  }

  override publish(key: TaskKey, event: TaskEvent): void {
    if (this.closed) return;
    const channel = this.channelOf(key);
    if (channel.ended || event.sequence <= channel.latest) return;
    channel.latest = event.sequence;
    channel.ended = event.last;
    this.keep(channel, event);
    channel.deliver(event);
    if (event.last) this.startGrace(channel);
    this.prune(channel);
  }

  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return new GuardedObservable<TaskEvent>(this.report, (subscriber) => {
      if (this.closed) {
        subscriber.complete();
        return;
      }
      this.expire();
      const channel = this.channelOf(key);
      channel.subscribers++;
      this.subscribers++;
      subscriber.add(() => {
        channel.subscribers--;
        this.subscribers--;
        this.prune(channel);
      });
      channel.join(after, subscriber);
    });
  }

  override covers(key: TaskKey, after: number, latest: number): boolean {
    if (after >= latest) return true;
    this.expire();
    return this.find(key)?.window.covers(after, latest) ?? false;
  }

  override awaits(key: TaskKey): boolean {
    return this.find(key) !== undefined;
  }

  override fail(key: TaskKey, error: A2AError): void {
    const channel = this.find(key);
    if (!channel) return;
    this.dropWindow(channel);
    // Before its subscribers hear of it: what they or a later run do with this task then needs a channel of its own,
    // where numbers of events that were seen but never stored may come again.
    this.forget(channel);
    channel.close(error);
  }

  override release(key: TaskKey): void {
    const channel = this.find(key);
    if (channel) this.startGrace(channel);
  }

  override gauges(): { readonly tasks: number; readonly subscribers: number; readonly replayBytes: number } {
    this.expire();
    return { tasks: this.tasks, subscribers: this.subscribers, replayBytes: this.replayBytes };
  }

  /** Completes all subscriptions and forgets all windows. Later events go nowhere. */
  onApplicationShutdown(): void {
    this.closed = true;
    this.grace.close();
    for (const channels of this.scopes.values()) {
      for (const channel of channels.values()) {
        channel.close();
        this.dropWindow(channel);
      }
    }
  }

  private readonly report = (error: unknown): void => {
    this.logger.error('A subscription to the events of a task ended with an error that nobody handled.', error);
  };

  private find(key: TaskKey): TaskChannel | undefined {
    return this.scopes.get(key.agent, key.tenant)?.get(key.id);
  }

  private channelOf(key: TaskKey): TaskChannel {
    const channels = this.scopes.getOrCreate(key.agent, key.tenant, newChannels);
    let channel = channels.get(key.id);
    if (!channel) {
      channel = new TaskChannel(key, new ReplayWindow(this.maxEvents, this.maxBytesPerTask));
      channels.set(key.id, channel);
      this.tasks++;
    }
    return channel;
  }

  private keep(channel: TaskChannel, event: TaskEvent): void {
    const { window } = channel;
    this.cancelGrace(channel);
    this.replayEvents -= window.length;
    this.replayBytes -= window.bytes;
    window.push(event);
    this.replayEvents += window.length;
    this.replayBytes += window.bytes;
    if (window.length > 0) this.live.add(channel);
    else this.live.delete(channel);
    while (this.replayBytes > this.maxBytes || this.replayEvents > this.maxEventsTotal) {
      const oldest = this.released.first ?? this.live.first;
      if (!oldest) return;
      this.dropWindow(oldest);
    }
  }

  private startGrace(channel: TaskChannel): void {
    if (channel.window.length === 0) return;
    if (this.graceMillis === 0) {
      this.dropWindow(channel);
      return;
    }
    channel.graceUntil = this.now() + this.graceMillis;
    // Deleted before it is added: a second release goes to the end of the order.
    this.released.delete(channel);
    this.released.add(channel);
    this.grace.update();
  }

  private cancelGrace(channel: TaskChannel): void {
    if (channel.graceUntil === undefined) return;
    channel.graceUntil = undefined;
    this.released.delete(channel);
    this.grace.update();
  }

  private dropWindow(channel: TaskChannel): void {
    this.cancelGrace(channel);
    this.live.delete(channel);
    this.replayEvents -= channel.window.length;
    this.replayBytes -= channel.window.bytes;
    channel.window.clear();
    this.prune(channel);
  }

  private prune(channel: TaskChannel): void {
    if (channel.subscribers === 0 && channel.window.length === 0) this.forget(channel);
  }

  private forget(channel: TaskChannel): void {
    const { agent, tenant, id } = channel.key;
    const channels = this.scopes.get(agent, tenant);
    // Another channel may have taken the place of one that was forgotten before.
    if (channels?.get(id) !== channel) return;
    channels.delete(id);
    this.tasks--;
    if (channels.size === 0) this.scopes.delete(agent, tenant);
  }

  private expire(): void {
    const now = this.now();
    for (let channel = this.released.first; channel; channel = this.released.first) {
      if (channel.graceUntil !== undefined && channel.graceUntil > now) return;
      this.dropWindow(channel);
    }
  }

  private nextExpiry(): number | undefined {
    return this.released.first?.graceUntil;
  }
}

function newChannels(): Map<string, TaskChannel> {
  return new Map();
}
