import type { TaskPushNotificationConfig } from 'nestjs-a2a/protocol';
import type { TaskKey } from '../tasks/task-record.js';

/**
 * A config as it is stored: with its id and its secrets.
 *
 * @publicApi
 */
export interface StoredPushConfig extends Readonly<TaskPushNotificationConfig> {
  readonly id: string;
  readonly taskId: string;
}

/**
 * Some of the configs of a task.
 *
 * @publicApi
 */
export interface PushConfigPage {
  readonly configs: readonly StoredPushConfig[];
  /** What to go on with; undefined on the last page. Any text that the store understands again. */
  readonly next?: string;
}

/**
 * Keeps the push notification configs of tasks. Their tokens and credentials are secrets: a store that writes them
 * down has to guard them. The class is its own injection token.
 *
 * @publicApi
 */
export abstract class PushNotificationConfigStore {
  /**
   * Stores a config, in the place of one with the same id.
   *
   * @param maxPerTask configs that a task may have; replacing one is possible always
   * @returns false when the task has so many already: nothing is stored then
   * @throws UnavailableError when the store is full
   */
  abstract save(key: TaskKey, config: StoredPushConfig, maxPerTask: number): Promise<boolean>;

  abstract get(key: TaskKey, id: string): Promise<StoredPushConfig | undefined>;

  /**
   * The configs of a task, each once, in an order that stays the same.
   *
   * @param after the `next` of the page before
   */
  abstract list(key: TaskKey, limit: number, after?: string): Promise<PushConfigPage>;

  /** @returns whether there was one */
  abstract delete(key: TaskKey, id: string): Promise<boolean>;

  /** Forgets every config of a task that never came to be. */
  abstract deleteAll(key: TaskKey): Promise<void>;

  /** Tells that a task has ended: its configs are needed for its last notifications only, and may leave after a while. */
  abstract taskEnded(key: TaskKey): Promise<void>;
}
