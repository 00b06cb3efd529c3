import type { SendMessageResponse, StreamResponse } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import type { TaskView } from '../task/task-view.js';
import { LeavableEvents } from './leavable-events.js';

/**
 * The events of a task, or the one message that answers instead; to be read once. The request leaves with the first
 * read, and leaving the iteration closes the connection, which stops no task.
 *
 * @publicApi
 */
export class A2AStream implements AsyncIterable<StreamResponse> {
  private readonly events: LeavableEvents;

  constructor(
    start: (view: TaskView, left: AbortSignal) => AsyncGenerator<StreamResponse, void, undefined>,
    /** What the events so far add up to. */
    readonly view: TaskView,
  ) {
    this.events = new LeavableEvents((left) => start(view, left));
  }

  [Symbol.asyncIterator](): Required<AsyncIterableIterator<StreamResponse, void, undefined>> {
    return this.events;
  }

  /** Reads on until there is enough, or nothing more, and leaves. */
  async until(enough: (view: TaskView) => boolean): Promise<void> {
    try {
      let done: boolean | undefined = false;
      while (done !== true && !enough(this.view)) ({ done } = await this.events.next());
    } finally {
      await this.events.return();
    }
  }

  /**
   * Reads whatever is left, and gives what it all adds up to.
   *
   * @throws A2AClientError `EMPTY_STREAM` when there was nothing
   */
  async result(): Promise<SendMessageResponse> {
    await this.until(() => false);
    const { task, message } = this.view;
    if (task !== undefined) return { task };
    if (message !== undefined) return { message };
    throw new A2AClientError('EMPTY_STREAM', 'The stream of the agent ended before it told of a task');
  }
}
