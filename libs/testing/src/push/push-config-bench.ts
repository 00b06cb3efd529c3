import { deepStrictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PushNotificationConfigStore, StoredPushConfig, TaskKey } from 'nestjs-a2a';
import { nextTurn } from '../contract/contract-runner.js';

const MANY = 1_000;
const NO_LIMIT = 1_000_000;

/** A store under test, and what is asked of it again and again. */
export class PushConfigBench {
  /** A name of its own for each test, so that stores may share a database that nobody cleans. */
  readonly agent = `agent-${randomUUID()}`;

  constructor(
    readonly store: PushNotificationConfigStore,
    readonly settle: () => Promise<void> = nextTurn,
  ) {}

  /** The key of a task that no other test knows. */
  key(fields: Partial<TaskKey> = {}): TaskKey {
    return { agent: this.agent, tenant: '', id: randomUUID(), ...fields };
  }

  config(key: TaskKey, id: string, fields: Partial<StoredPushConfig> = {}): StoredPushConfig {
    return { id, taskId: key.id, url: `https://receiver.example/${encodeURIComponent(id)}`, ...fields };
  }

  /** Stores a config for each id. @returns them */
  async save(key: TaskKey, ...ids: string[]): Promise<StoredPushConfig[]> {
    const configs = ids.map((id) => this.config(key, id));
    for (const config of configs) await this.store.save(key, config, NO_LIMIT);
    await this.settle();
    return configs;
  }

  async ids(key: TaskKey): Promise<string[]> {
    const { configs } = await this.store.list(key, MANY);
    return configs.map(({ id }) => id).sort();
  }

  async expectStored(key: TaskKey, config: StoredPushConfig, store = this.store): Promise<void> {
    deepStrictEqual(plainOf(await store.get(key, config.id)), plainOf(config), 'what get gives');
  }

  async expectNone(key: TaskKey, id: string): Promise<void> {
    deepStrictEqual(await this.store.get(key, id), undefined, `there is no config ${JSON.stringify(id)}`);
  }
}

/** A store may keep it as JSON, where a member without a value is absent. */
export function plainOf(config: StoredPushConfig | undefined): unknown {
  const plain: unknown = config === undefined ? undefined : JSON.parse(JSON.stringify(config));
  return plain;
}

/** Registers one test of the contract. */
export type PushConfigTest = (name: string, test: (bench: PushConfigBench) => Promise<void>) => void;
