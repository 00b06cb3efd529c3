import { setTimeout as delay } from 'node:timers/promises';

/** Waits, unless it is called off before. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return;
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
