import type { TaskPushNotificationConfig } from 'nestjs-a2a/protocol';
import type { TaskKey } from '../tasks/task-record.js';
import type { StoredPushConfig } from './push-notification-config-store.js';

/** A config without an id is the message's own: the next message of the task replaces it, instead of adding one. */
export function inlineConfig(config: TaskPushNotificationConfig, key: TaskKey): StoredPushConfig {
  return storedConfig(config, key, config.id || key.id);
}

/** A config as it is stored. */
export function storedConfig(config: TaskPushNotificationConfig, key: TaskKey, id: string): StoredPushConfig {
  const { url, token, authentication } = config;
  return {
    ...(key.tenant !== '' && { tenant: key.tenant }),
    id,
    taskId: key.id,
    url,
    ...(token && { token }),
    ...(authentication && { authentication }),
  };
}

/** A config as callers see it: what is secret was for us only. */
export function shown({ token: _token, authentication, ...config }: StoredPushConfig): TaskPushNotificationConfig {
  return { ...config, ...(authentication && { authentication: { scheme: authentication.scheme } }) };
}
