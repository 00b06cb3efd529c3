import type { Subscription } from 'rxjs';
import type { TaskEventBus } from '../events/task-event-bus.js';
import { taskKeyString, type TaskKey } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { PushLog } from './push-log.js';
import { EventNotification, SnapshotNotification, type PushTarget } from './push-notification.js';
import type { PushNotificationConfigStore, StoredPushConfig } from './push-notification-config-store.js';
import type { PushNotificationSender } from './push-notification-sender.js';

const PAGE = 100;

/** What following tasks needs. */
export interface PushSubscriptionServices {
  readonly bus: TaskEventBus;
  readonly store: PushNotificationConfigStore;
  readonly sender: PushNotificationSender;
  readonly log: PushLog;
  readonly historyMaxRawBytes: number;
}

interface Following {
  readonly target: PushTarget;
  subscription: Subscription | undefined;
}

/**
 * Reads the events of the tasks that have configs, for each config as any other reader does, and gives them to the
 * sender.
 */
export class PushSubscriptions {
  private readonly tasks = new Map<string, Map<string, Following>>();
  private count = 0;

  constructor(private readonly services: PushSubscriptionServices) {}

  /** How many configs get the events of a task that has not ended. */
  get size(): number {
    return this.count;
  }

  /** Notifies a config of everything that happens after an event. */
  follow(key: TaskKey, config: StoredPushConfig, after: number): void {
    this.subscribe(this.begin(key, config), after);
  }

  /** Notifies a config of the task as it is, and of everything that happens from now on. */
  followFrom(snapshot: TaskSnapshot, key: TaskKey, config: StoredPushConfig): void {
    const { sender, historyMaxRawBytes } = this.services;
    const following = this.begin(key, config);
    sender.send(new SnapshotNotification(following.target, snapshot, historyMaxRawBytes));
    if (snapshot.ended) this.finish(following, true);
    else this.subscribe(following, snapshot.sequence);
  }

  /** There is nothing to tell a config of any more, and nothing of an earlier one in its place. */
  taskHasEnded(key: TaskKey, configId: string): void {
    this.drop(key, configId);
    void this.tellStore(key);
  }

  /** Whether every event between two numbers can still be had; a bus that cannot say so at once is believed. */
  covers(key: TaskKey, after: number, latest: number): boolean {
    return this.services.bus.covers(key, after, latest) !== false;
  }

  /** Takes up the configs of a task that nobody here has followed: this process is new, or the task's store failed. */
  async resume(key: TaskKey, after: number): Promise<void> {
    if (this.tasks.has(taskKeyString(key))) return;
    let page = await this.services.store.list(key, PAGE);
    for (;;) {
      for (const config of page.configs) {
        if (this.tasks.get(taskKeyString(key))?.has(config.id) !== true) this.follow(key, config, after);
      }
      if (page.next === undefined) return;
      page = await this.services.store.list(key, PAGE, page.next);
    }
  }

  /** Notifies a config no more: it was deleted or replaced. */
  drop(key: TaskKey, configId: string): void {
    const following = this.tasks.get(taskKeyString(key))?.get(configId);
    if (following) this.leave(following);
    this.services.sender.cancel(following?.target ?? { key, configId, origin: '' });
  }

  private begin(key: TaskKey, { id, url }: StoredPushConfig): Following {
    this.drop(key, id);
    const following = { target: { key, configId: id, origin: originOf(url) }, subscription: undefined };
    const name = taskKeyString(key);
    let configs = this.tasks.get(name);
    if (configs === undefined) this.tasks.set(name, (configs = new Map<string, Following>()));
    configs.set(id, following);
    this.count++;
    return following;
  }

  private subscribe(following: Following, after: number): void {
    const { bus, sender } = this.services;
    const { target } = following;
    let ended = false;
    const subscription = bus.subscribe(target.key, after).subscribe({
      next: (event) => {
        ended = event.last;
        sender.send(new EventNotification(target, event));
      },
      // The task could not be stored. It may live again: then its configs are taken up again.
      error: () => this.finish(following, true),
      complete: () => this.finish(following, ended),
    });
    following.subscription = subscription;
  }

  private finish(following: Following, ended: boolean): void {
    const { key } = following.target;
    this.leave(following);
    this.services.sender.end(following.target);
    if (ended && !this.tasks.has(taskKeyString(key))) void this.tellStore(key);
  }

  private async tellStore(key: TaskKey): Promise<void> {
    const { store, log } = this.services;
    try {
      await store.taskEnded(key);
    } catch (error) {
      log.storeFailed(error);
    }
  }

  private leave(following: Following): void {
    const { key, configId } = following.target;
    following.subscription?.unsubscribe();
    const name = taskKeyString(key);
    const configs = this.tasks.get(name);
    if (configs?.get(configId) !== following) return;
    configs.delete(configId);
    this.count--;
    if (configs.size === 0) this.tasks.delete(name);
  }
}

/** A store may hold what was never checked here. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
