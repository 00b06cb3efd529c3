import { abortable } from 'nestjs-a2a/net';
import { A2AClientError } from '../client-error.js';

const MAX_WAITING = 64;

/** Work that is done one after the other. */
export class TurnQueue {
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  /**
   * @param signal leaves the queue; its reason is thrown
   * @throws A2AClientError `TOO_MANY_CALLS`
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.waiting >= MAX_WAITING) {
      throw new A2AClientError(
        'TOO_MANY_CALLS',
        `More than ${MAX_WAITING} calls wait for their turn in a conversation`,
      );
    }
    this.waiting += 1;
    const turn = this.last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    const left = (): void => void (this.waiting -= 1);
    this.last = turn.then(left, left);
    return abortable(turn, signal);
  }
}
