import { AssertionError } from 'node:assert';
import type { StreamFrame } from 'nestjs-a2a';
import type { StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import type { Observable, Subscription } from 'rxjs';
import { describeEvent } from '../assertions/task-description.js';
import { stateOf, taskIdOf, textOfEvent } from '../assertions/stream-event.js';

/**
 * A stream as a client reads it. Events are collected from the start, whether anybody iterates or not; iterating (as
 * often as you like) begins with the first and goes on to the end.
 *
 * @publicApi
 */
export class TestStream implements AsyncIterable<StreamResponse> {
  private readonly collected: StreamResponse[] = [];
  private readonly numbers: (number | undefined)[] = [];
  private readonly subscription: Subscription;
  private wakers: (() => void)[] = [];
  private over = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(frames: Observable<StreamFrame>) {
    this.subscription = frames.subscribe({
      next: ({ json, sequence }) => {
        const event: StreamResponse = JSON.parse(json);
        this.collected.push(event);
        this.numbers.push(sequence);
        this.wake();
      },
      error: (error: unknown) => this.finish({ error }),
      complete: () => this.finish(),
    });
  }

  /** What has come so far. */
  get events(): readonly StreamResponse[] {
    return this.collected;
  }

  /** The numbers of the events: the ids that a client could go on behind. A direct message has none. */
  get sequences(): readonly (number | undefined)[] {
    return this.numbers;
  }

  /** The states that have come so far, in order. */
  get states(): readonly TaskState[] {
    return this.collected.flatMap((event) => stateOf(event) ?? []);
  }

  /** The text of the artifacts, or of the direct message, that has come so far. */
  get text(): string {
    return this.collected.map(textOfEvent).join('');
  }

  /** The task that the stream is about; undefined before the first event, and for a direct message. */
  get taskId(): string | undefined {
    return this.collected.map(taskIdOf).find((id) => id !== undefined);
  }

  /** Whether the stream has ended, or was left. */
  get ended(): boolean {
    return this.over;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamResponse, void, undefined> {
    for (let index = 0; ; index++) {
      const event = await this.at(index);
      if (event === undefined) return;
      yield event;
    }
  }

  /** Every event, once the stream is over. @throws the error that it ended with */
  async finished(): Promise<readonly StreamResponse[]> {
    while (!this.over) await this.change();
    if (this.failure) throw this.failure.error;
    return this.collected;
  }

  /**
   * The first event that fits, past ones included.
   *
   * @throws AssertionError with what came instead, when the stream ends without one
   */
  async first(fits: (event: StreamResponse) => boolean, what = 'an event that fits'): Promise<StreamResponse> {
    for await (const event of this) if (fits(event)) return event;
    const seen = this.collected.map((event) => `\n  ${describeEvent(event)}`).join('');
    throw new AssertionError({ message: `The stream ended without ${what}. It gave:${seen || ' nothing'}` });
  }

  /** The first event that brings the task into a state, past ones included. @throws as {@link first} */
  async reach(state: TaskState): Promise<StreamResponse> {
    return this.first((event) => stateOf(event) === state, state);
  }

  /** Hangs up, as a client that goes away. What was collected stays. */
  leave(): void {
    this.subscription.unsubscribe();
    this.finish();
  }

  private async at(index: number): Promise<StreamResponse | undefined> {
    while (this.collected.length <= index) {
      if (this.failure) throw this.failure.error;
      if (this.over) return undefined;
      await this.change();
    }
    return this.collected[index];
  }

  private finish(failure?: { readonly error: unknown }): void {
    if (this.over) return;
    this.failure = failure;
    this.over = true;
    this.wake();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.wakers.push(resolve));
  }

  private wake(): void {
    const { wakers } = this;
    this.wakers = [];
    for (const waker of wakers) waker();
  }
}
