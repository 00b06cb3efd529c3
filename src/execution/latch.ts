import { deferred, type Deferred } from './deferred.js';

const OPEN = Promise.resolve();

/** Something that happens once, and that those who care can wait for. Costs nothing while nobody does. */
export class Latch {
  private waiting: Deferred<void> | undefined;
  private opened = false;

  /** Resolves when it has happened. */
  get whenOpen(): Promise<void> {
    if (this.opened) return OPEN;
    this.waiting ??= deferred<void>();
    return this.waiting.promise;
  }

  open(): void {
    if (this.opened) return;
    this.opened = true;
    this.waiting?.resolve();
  }
}
