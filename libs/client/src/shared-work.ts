import { abortable } from 'nestjs-a2a/net';

interface Work<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Work that several callers want at the same time, done once. Each caller may leave; when all have, the work is stopped.
 */
export class SharedWork<T> {
  private readonly running = new Map<string, Work<T>>();

  /**
   * @param key what is wanted
   * @param start does the work; its signal is aborted when nobody waits any more
   * @param signal lets this caller leave; its reason is thrown
   */
  async run(key: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const work = this.running.get(key) ?? this.begin(key, start);
    work.waiting += 1;
    try {
      return await abortable(work.result, signal);
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0) this.leave(key, work);
    }
  }

  private begin(key: string, start: (signal: AbortSignal) => Promise<T>): Work<T> {
    const controller = new AbortController();
    const result = start(controller.signal);
    const work = { result, controller, waiting: 0 };
    // Whoever waits hears of a failure; when all have left, nobody does.
    result.catch(() => undefined).finally(() => this.forget(key, work));
    this.running.set(key, work);
    return work;
  }

  private leave(key: string, work: Work<T>): void {
    this.forget(key, work);
    work.controller.abort();
  }

  private forget(key: string, work: Work<T>): void {
    if (this.running.get(key) === work) this.running.delete(key);
  }
}
