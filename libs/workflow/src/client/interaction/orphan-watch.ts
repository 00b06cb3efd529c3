/**
 * Waits for the name of a task that nobody wants any more, so that it can be cancelled. The message that began it has
 * left, and the agent has not yet said what it made of it.
 */
export class OrphanWatch {
  /** Resolves when there is nothing more to wait for. */
  readonly over: Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  private resolve: () => void = () => undefined;

  constructor(milliseconds: number) {
    this.over = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.limit(milliseconds);
  }

  /** The task is known, or never will be. */
  end(): void {
    clearTimeout(this.timer);
    this.resolve();
  }

  /** Waits no longer than this from now on. */
  limit(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.resolve, milliseconds).unref();
  }
}
