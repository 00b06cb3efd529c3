import type { OnApplicationShutdown } from '@nestjs/common';
import { UnavailableError } from 'nestjs-a2a/protocol';
import { DueTimer } from '../tasks/due-timer.js';
import { taskKeyString, type TaskKey } from '../tasks/task-record.js';
import {
  PushNotificationConfigStore,
  type PushConfigPage,
  type StoredPushConfig,
} from './push-notification-config-store.js';

/**
 * The bounds of an {@link InMemoryPushNotificationConfigStore}.
 *
 * @publicApi
 */
export interface InMemoryPushConfigStoreOptions {
  /** How many tasks may have configs. Those of ended tasks leave first, the others never do. Default 10,000. */
  readonly maxTasks?: number;
  /** How long configs are kept after their task has ended, in seconds. 0: until room is needed. Default 86,400. */
  readonly taskTtlSeconds?: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

const RETRY_AFTER_SECONDS = 5;

interface TaskConfigs {
  readonly byId: Map<string, StoredPushConfig>;
  /** When they leave, in milliseconds since the epoch. */
  due: number;
}

/**
 * Keeps configs in this process.
 *
 * @publicApi
 */
export class InMemoryPushNotificationConfigStore extends PushNotificationConfigStore implements OnApplicationShutdown {
  private readonly maxTasks: number;
  private readonly ttlMillis: number;
  private readonly now: () => number;
  private readonly live = new Map<string, TaskConfigs>();
  // In the order in which the tasks ended, which is the order in which their configs leave.
  private readonly ended = new Map<string, TaskConfigs>();
  private readonly timer: DueTimer;

  constructor(options: InMemoryPushConfigStoreOptions = {}) {
    super();
    this.maxTasks = options.maxTasks ?? 10_000;
    this.ttlMillis = (options.taskTtlSeconds ?? 86_400) * 1000;
    this.now = options.now ?? Date.now;
    this.timer = new DueTimer(
      this.now,
      () => this.expire(),
      () => this.nextDue(),
    );
  }

  /** How many tasks have configs. */
  get size(): number {
    return this.live.size + this.ended.size;
  }

  override async save(key: TaskKey, config: StoredPushConfig, maxPerTask: number): Promise<boolean> {
    const name = taskKeyString(key);
    let configs = this.find(name);
    if (configs !== undefined && !configs.byId.has(config.id) && configs.byId.size >= maxPerTask) return false;
    if (configs === undefined) {
      this.makeRoom();
      configs = { byId: new Map(), due: Infinity };
      this.live.set(name, configs);
    }
    configs.byId.set(config.id, frozenCopy(config));
    return true;
  }

  override async get(key: TaskKey, id: string): Promise<StoredPushConfig | undefined> {
    return this.find(taskKeyString(key))?.byId.get(id);
  }

  override async list(key: TaskKey, limit: number, after?: string): Promise<PushConfigPage> {
    // By id, so that a page goes on at the right place also when configs came and went.
    const all = [...(this.find(taskKeyString(key))?.byId.values() ?? [])].sort(byId);
    const rest = after === undefined ? all : all.filter(({ id }) => id > after);
    const configs = rest.slice(0, limit);
    const last = configs.at(-1);
    return rest.length > configs.length && last ? { configs, next: last.id } : { configs };
  }

  override async delete(key: TaskKey, id: string): Promise<boolean> {
    const name = taskKeyString(key);
    const configs = this.find(name);
    const deleted = configs?.byId.delete(id) ?? false;
    if (configs?.byId.size === 0) this.forget(name);
    return deleted;
  }

  override async deleteAll(key: TaskKey): Promise<void> {
    this.forget(taskKeyString(key));
  }

  override async taskEnded(key: TaskKey): Promise<void> {
    const name = taskKeyString(key);
    const configs = this.live.get(name);
    if (configs === undefined) return;
    this.live.delete(name);
    configs.due = this.ttlMillis === 0 ? Infinity : this.now() + this.ttlMillis;
    this.ended.set(name, configs);
    this.timer.update();
  }

  /** Forgets everything. */
  onApplicationShutdown(): void {
    this.timer.close();
    this.live.clear();
    this.ended.clear();
  }

  private find(name: string): TaskConfigs | undefined {
    this.expire();
    return this.live.get(name) ?? this.ended.get(name);
  }

  private forget(name: string): void {
    this.live.delete(name);
    if (this.ended.delete(name)) this.timer.update();
  }

  private makeRoom(): void {
    if (this.size < this.maxTasks) return;
    const [oldest] = this.ended.keys();
    if (oldest === undefined) {
      throw new UnavailableError(`${this.maxTasks} tasks have push notification configs already`, RETRY_AFTER_SECONDS);
    }
    this.forget(oldest);
  }

  private expire(): void {
    const now = this.now();
    for (const [name, { due }] of this.ended) {
      if (due > now) return;
      this.ended.delete(name);
    }
  }

  private nextDue(): number | undefined {
    const [first] = this.ended.values();
    return first === undefined || first.due === Infinity ? undefined : first.due;
  }
}

/** Whoever gave a config, or is given one, cannot change what is stored. */
function frozenCopy(config: StoredPushConfig): StoredPushConfig {
  const { authentication } = config;
  const copy = { ...config, ...(authentication && { authentication: Object.freeze({ ...authentication }) }) };
  return Object.freeze(copy);
}

function byId(a: StoredPushConfig, b: StoredPushConfig): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
