import type { PushTarget } from './push-notification.js';

// What a header may hold, without the sign that sets the parts apart and the one that begins an escape.
const UNSAFE = /[^!-$&-.0-~]/gu;

/** `{taskId}/{configId}/{sequence}`: the same for every attempt, and never for another notification. */
export function notificationIdOf({ key, configId }: PushTarget, sequence: number): string {
  return `${headerSafe(key.id)}/${headerSafe(configId)}/${sequence}`;
}

/** Clients choose ids of configs freely: what a header cannot hold is percent-encoded. */
function headerSafe(id: string): string {
  return id.replace(UNSAFE, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
