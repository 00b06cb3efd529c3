import { isTerminal, type StreamResponse, type TaskState } from 'nestjs-a2a/protocol';

/**
 * One numbered change of a task, as its readers get it. Its JSON is made at the first use and then shared by every
 * reader and every frame; when nobody listens it is never made.
 *
 * @publicApi
 */
export class TaskEvent {
  private text: string | undefined;

  constructor(
    /** 1, 2, 3 … within the task. */
    readonly sequence: number,
    readonly payload: StreamResponse,
    /** The task's state after this event. */
    readonly state: TaskState,
    /** Roughly the size of the payload. */
    readonly bytes: number,
    text?: string,
  ) {
    this.text = text;
  }

  /** True for the event that ends the task: the last one. */
  get last(): boolean {
    return isTerminal(this.state);
  }

  /** The payload as JSON. */
  get json(): string {
    return (this.text ??= JSON.stringify(this.payload));
  }
}
