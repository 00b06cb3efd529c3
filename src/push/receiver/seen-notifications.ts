import { createHash } from 'node:crypto';

/** Sees to it that nothing is done twice for one id, as long as the id is remembered. */
export class SeenNotifications {
  private readonly done = new Set<string>();
  private readonly running = new Map<string, Promise<unknown>>();

  /** @param most ids that are remembered; the one seen longest ago is forgotten first */
  constructor(private readonly most: number) {}

  /**
   * Does `act` unless it was done for this id; while it goes on, further calls share its end. What has failed may be
   * done again.
   *
   * @returns what `act` gave to the one call that did it
   */
  async once<T>(id: string, act: () => Promise<T>): Promise<T | undefined> {
    // Senders choose ids; what is kept of one is always as long.
    const key = createHash('sha256').update(id).digest('base64');
    if (this.done.delete(key)) {
      this.remember(key);
      return undefined;
    }
    const other = this.running.get(key);
    if (other !== undefined) {
      await other;
      return undefined;
    }
    const running = act();
    this.running.set(key, running);
    try {
      const result = await running;
      this.remember(key);
      return result;
    } finally {
      this.running.delete(key);
    }
  }

  private remember(key: string): void {
    this.done.add(key);
    if (this.done.size <= this.most) return;
    for (const oldest of this.done) {
      this.done.delete(oldest);
      return;
    }
  }
}
